"""One score for every proposal, so that agents of different kinds can be compared.

A score lies between 0 and 1. A proposal is accepted when it reaches THRESHOLD;
below that it goes to the night supervisor as a question (docs/runbook.md).
"""

# Raised from 0.65 in release 0.9.0, after three doubtful berths in one week.
THRESHOLD = 0.72

WEIGHTS = {"draught": 0.40, "delay": 0.35, "distance": 0.25}

# A delay of this many minutes halves its part of the score.
DELAY_HALF_LIFE_MIN = 90


def draught_part(spare_m: float) -> float:
    """1 when there is at least a metre to spare, 0 when there is nothing."""
    return max(0.0, min(1.0, spare_m))


def delay_part(minutes: int) -> float:
    """1 without delay, one half after DELAY_HALF_LIFE_MIN, and so on."""
    return 0.5 ** (max(0, minutes) / DELAY_HALF_LIFE_MIN)


def distance_part(berths_away: int) -> float:
    """1 at the berth asked for, a tenth less for every berth further away."""
    return max(0.0, 1.0 - 0.1 * abs(berths_away))


def score(spare_m: float, delay_min: int, berths_away: int) -> float:
    """The weighted sum, rounded to three places so that logs compare equal."""
    total = (
        WEIGHTS["draught"] * draught_part(spare_m)
        + WEIGHTS["delay"] * delay_part(delay_min)
        + WEIGHTS["distance"] * distance_part(berths_away)
    )
    return round(total, 3)


def accepted(value: float) -> bool:
    """Whether a proposal may be carried out without asking a person."""
    return value >= THRESHOLD
