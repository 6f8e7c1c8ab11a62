"""Weather scout: turns raw wind readings into warnings other agents can use.

Listens to `wind.report`, the mast at the pier head, one reading a minute. Posts
`pilot.wind` and `crane.wind` when something changes that their readers care
about, and `tide.surge` when a long blow piles up water in the bay. It says
nothing while nothing changes: a night of calm is four messages.

Readings are noisy. The mast sways, gulls sit on the cup wheel, and in frost the
vane freezes. So the scout believes a median, never a single reading, and it
would rather be three minutes late than cry wolf to six crane drivers.
"""

from collections import deque
from dataclasses import dataclass
from statistics import median

from harbor.mailbox import Mailbox, Message
from harbor.registry import agent
from harbor.settings import CRANE_WIND_LIMIT_KN, MAX_WIND_KN

NAME = "weather-scout"

# Readings the median is taken over, one a minute.
WINDOW = 7

# A warning is lifted only this far below its limit, so that a wind that plays
# around 28 knots does not stop and start the cranes all night.
HYSTERESIS_KN = 3

# A reading further than this from the median is dropped and counted.
OUTLIER_KN = 25

# After so many dropped readings in a row the sensor is called broken.
BROKEN_AFTER = 5

# Surge in metres for each knot above 20, with wind from the west, after three
# hours. Fitted to the gauge by hand over eleven storms; good to a hand's width.
SURGE_PER_KN_M = 0.035
SURGE_AFTER_MIN = 180
SURGE_FROM_KN = 20


@dataclass
class Reading:
    minute: int
    wind_kn: float
    gust_kn: float
    degrees: int


def is_westerly(degrees: int) -> bool:
    """From the half circle that blows into the bay: south-west over north-west."""
    return 200 <= degrees % 360 <= 340


def crosses(before: float | None, now: float, limit: float) -> bool:
    """Whether a limit lies between two values; the first value always counts."""
    if before is None:
        return True
    return (before > limit) != (now > limit)


def settled(before: float | None, now: float, limit: float) -> float:
    """`now`, but held just above the limit until it is well below it."""
    if before is not None and before > limit >= now > limit - HYSTERESIS_KN:
        return limit + 1
    return now


def beaufort(wind_kn: float) -> int:
    """The old scale, for masters who think in it: 34 knots are a full 8.

    The scale is what the desk says on channel 12 and what no agent reads. Limits
    are in knots everywhere, because the steps of the scale are as wide as the
    difference between a quiet night and a closed approach.
    """
    limits = [1, 4, 7, 11, 17, 22, 28, 34, 41, 48, 56, 64]
    return sum(wind_kn >= limit for limit in limits)


def quarter(degrees: int) -> str:
    """One of eight names for a direction, the middle of each at a multiple of 45."""
    names = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]
    return names[round(degrees % 360 / 45) % 8]


def spread(readings: list[Reading]) -> float:
    """Knots between the calmest and the windiest reading; above 15 it is squally."""
    winds = [reading.wind_kn for reading in readings]
    return round(max(winds) - min(winds), 1) if winds else 0.0


class Scout:
    def __init__(self) -> None:
        self.recent: deque[Reading] = deque(maxlen=WINDOW)
        self.dropped = 0
        self.told_wind: float | None = None
        self.told_gust: float | None = None
        self.blow_since: int | None = None
        self.told_surge = 0.0

    def report(self, message: Message, mailbox: Mailbox) -> None:
        body = message.body
        reading = Reading(message.minute, body["wind_kn"], body["gust_kn"], body["degrees"])
        if not self.plausible(reading):
            self.dropped += 1
            if self.dropped == BROKEN_AFTER:
                self.ask_person("the mast reports nonsense", message.minute, mailbox)
            return
        self.dropped = 0
        self.recent.append(reading)
        if len(self.recent) < WINDOW:
            return
        self.tell_pilots(message.minute, mailbox)
        self.tell_cranes(message.minute, mailbox)
        self.tell_surge(reading, mailbox)

    def plausible(self, reading: Reading) -> bool:
        """A gust below the mean wind is impossible; a jump is at least suspect."""
        if reading.gust_kn < reading.wind_kn or reading.wind_kn < 0:
            return False
        if not self.recent:
            return True
        return abs(reading.wind_kn - self.wind()) <= OUTLIER_KN

    def wind(self) -> float:
        return median(item.wind_kn for item in self.recent)

    def gust(self) -> float:
        """The second highest gust: one gull is forgiven, two are weather."""
        return sorted(item.gust_kn for item in self.recent)[-2]

    def tell_pilots(self, minute: int, mailbox: Mailbox) -> None:
        now = settled(self.told_wind, self.wind(), MAX_WIND_KN)
        if crosses(self.told_wind, now, MAX_WIND_KN) or abs(now - (self.told_wind or 0)) >= 5:
            self.told_wind = now
            body = {"wind_kn": round(now)}
            mailbox.post(Message("pilot.wind", NAME, body, minute, now > MAX_WIND_KN))

    def tell_cranes(self, minute: int, mailbox: Mailbox) -> None:
        """Cranes hear every crossing and, while stopped, a reading every minute.

        They need the latter to time their calm (CALM_BEFORE_RESTART_MIN in
        agents/crane_dispatch.py), which they would otherwise never see end.
        """
        now = settled(self.told_gust, self.gust(), CRANE_WIND_LIMIT_KN)
        stopped = self.told_gust is not None and self.told_gust > CRANE_WIND_LIMIT_KN
        if stopped or crosses(self.told_gust, now, CRANE_WIND_LIMIT_KN):
            self.told_gust = now
            body = {"gust_kn": round(now)}
            mailbox.post(Message("crane.wind", NAME, body, minute, now > CRANE_WIND_LIMIT_KN))

    def tell_surge(self, reading: Reading, mailbox: Mailbox) -> None:
        """Estimates the surge from how long and how hard it has blown from the west."""
        blowing = self.wind() > SURGE_FROM_KN and is_westerly(reading.degrees)
        if not blowing:
            self.blow_since = None
        elif self.blow_since is None:
            self.blow_since = reading.minute
        surge = 0.0
        if self.blow_since is not None and reading.minute - self.blow_since >= SURGE_AFTER_MIN:
            surge = round((self.wind() - SURGE_FROM_KN) * SURGE_PER_KN_M, 1)
        if surge != self.told_surge:
            self.told_surge = surge
            mailbox.post(Message("tide.surge", NAME, {"surge_m": surge}, reading.minute, True))

    def ask_person(self, why: str, minute: int, mailbox: Mailbox) -> None:
        body = {"ship": None, "why": why, "at": None}
        mailbox.post(Message("question", NAME, body, minute, urgent=True))


def install(scout: Scout) -> None:
    @agent(NAME, listens=("wind.report",))
    def handle(message: Message, mailbox: Mailbox) -> None:
        scout.report(message, mailbox)
