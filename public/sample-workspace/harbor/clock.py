"""Time of the port: minutes after midnight of day 0. No agent reads a real clock."""

from harbor.settings import QUIET_HOURS

DAY_MIN = 24 * 60


def parse_hhmm(text: str, day: int = 0) -> int:
    """'07:45' on a day as minutes. Raises ValueError for what is no time."""
    hours, _, minutes = text.partition(":")
    value = int(hours) * 60 + int(minutes)
    if not 0 <= value < DAY_MIN:
        raise ValueError(f"not a time of day: {text}")
    return day * DAY_MIN + value


def hhmm(minute: int) -> str:
    """Minutes as 'd1 07:45'; day 0 goes without its prefix."""
    day, rest = divmod(minute, DAY_MIN)
    text = f"{rest // 60:02d}:{rest % 60:02d}"
    return text if day == 0 else f"d{day} {text}"


def in_quiet_hours(minute: int) -> bool:
    start, end = QUIET_HOURS
    hour = (minute % DAY_MIN) // 60
    return hour >= start or hour < end
