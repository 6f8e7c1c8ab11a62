"""Tide watcher: says when there is water enough at a berth.

Listens to `tide.ask`, answers with `tide.window`. It owns the only copy of the
tide table (data/tides.csv) and the only formula for the water between two
turns of the tide. Every other agent asks, so there is one place to correct
when the gauge at the pier head is moved again.

Heights are metres above chart datum. A berth's depth is charted too, so the
water over the ground is simply the sum of both.
"""

import csv
import math
from dataclasses import dataclass

from harbor.clock import parse_hhmm
from harbor.mailbox import Mailbox, Message
from harbor.registry import agent

NAME = "tide-watcher"

# Steps in which a window is searched. Ten minutes of tide are at most 0.2 m
# here, less than the clearance that settings.py demands.
STEP_MIN = 10

# A window shorter than this is of no use: coming alongside takes half an hour
# and the pilot wants another half to be wrong.
MIN_WINDOW_MIN = 60

# Storm surge, added to every height while a warning stands. The weather scout
# reports it with `tide.surge`; negative values happen with easterly gales.
SURGE_LIMIT_M = 1.5


@dataclass(frozen=True)
class Turn:
    """A high or low water."""

    minute: int
    height_m: float


def load_turns(path: str = "data/tides.csv") -> list[Turn]:
    """Reads high and low waters in order. Refuses a table that is not in order."""
    turns: list[Turn] = []
    with open(path, newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle):
            turn = Turn(parse_hhmm(row["time"], int(row["day"])), float(row["height_m"]))
            if turns and turn.minute <= turns[-1].minute:
                raise ValueError(f"{path}: day {row['day']} {row['time']} is out of order")
            turns.append(turn)
    if len(turns) < 2:
        raise ValueError(f"{path} needs at least one rise or fall")
    return turns


def height_at(turns: list[Turn], minute: int) -> float | None:
    """Height between two turns by the cosine rule, or None outside the table.

    The older rule of twelfths is a staircase: it is out by up to 0.25 m in the
    third hour, which at berth 4 is a third of the whole clearance.
    """
    for before, after in zip(turns, turns[1:]):
        if before.minute <= minute <= after.minute:
            share = (minute - before.minute) / (after.minute - before.minute)
            swing = (before.height_m - after.height_m) / 2
            middle = (before.height_m + after.height_m) / 2
            return middle + swing * math.cos(math.pi * share)
    return None


class Watcher:
    def __init__(self, turns: list[Turn]) -> None:
        self.turns = turns
        self.surge_m = 0.0

    def water_at(self, depth_m: float, minute: int) -> float | None:
        """Water over the ground at a berth, surge included."""
        height = height_at(self.turns, minute)
        return None if height is None else depth_m + height + self.surge_m

    def first_window(self, depth_m: float, need_m: float, start: int) -> tuple[int, float] | None:
        """First minute of the first long enough window, and the least water to spare in it.

        Walks the table in steps. A window that is cut off by the end of the
        table does not count: nobody knows how it goes on.
        """
        last = self.turns[-1].minute
        opened: int | None = None
        least = math.inf
        for minute in range(start, last + 1, STEP_MIN):
            water = self.water_at(depth_m, minute)
            if water is None or water < need_m:
                opened, least = None, math.inf
                continue
            if opened is None:
                opened = minute
            least = min(least, water - need_m)
            if minute - opened >= MIN_WINDOW_MIN:
                return opened, round(least, 2)
        return None

    def ask(self, message: Message, mailbox: Mailbox) -> None:
        question = message.body
        found = self.first_window(question["depth_m"], question["need_m"], question["from"])
        start, spare = found if found else (None, 0.0)
        body = {
            "ship": question["ship"],
            "berth": question["berth"],
            "start": start,
            "spare_m": spare,
        }
        mailbox.post(Message("tide.window", NAME, body, message.minute))

    def surge(self, message: Message, mailbox: Mailbox) -> None:
        """Takes a surge on trust up to SURGE_LIMIT_M; beyond it a person is asked.

        The gauge stuck at 4.1 m for a whole night in November 2030, and six
        plans were made on water that was not there.
        """
        value = float(message.body["surge_m"])
        if abs(value) > SURGE_LIMIT_M:
            body = {"ship": None, "why": f"surge of {value} m reported", "at": None}
            mailbox.post(Message("question", NAME, body, message.minute, urgent=True))
            return
        self.surge_m = value


def next_turn(turns: list[Turn], minute: int) -> Turn | None:
    """The next high or low water after a minute, for people who plan by it.

    The radio desk reads it out on the hour; masters still think in turns of the
    tide and not in windows, and both must come from the same table.
    """
    for turn in turns:
        if turn.minute > minute:
            return turn
    return None


def missing_turns(turns: list[Turn]) -> list[int]:
    """Minutes after which a turn seems to be missing from the table.

    Two turns are six hours and a bit apart. A gap of more than eight means that
    a row was lost when the table was copied, and the cosine between the rows on
    either side would be a straight lie. Happened on day 19 of the table of 2030:
    the low water of the evening was missing, and for twelve hours the port was
    deep enough for anything.
    """
    limit = 8 * 60
    return [
        before.minute
        for before, after in zip(turns, turns[1:])
        if after.minute - before.minute > limit
    ]


def range_of_day(turns: list[Turn], day: int) -> float | None:
    """Metres between the highest and lowest water of a day; spring tides exceed 3.4."""
    heights = [turn.height_m for turn in turns if turn.minute // 1440 == day]
    return round(max(heights) - min(heights), 2) if len(heights) > 1 else None


def describe(turns: list[Turn], minute: int) -> str:
    """One line for the quay board: rising, falling or slack, and the height."""
    now = height_at(turns, minute)
    soon = height_at(turns, minute + STEP_MIN)
    if now is None or soon is None:
        return "tide unknown"
    change = soon - now
    word = "slack" if abs(change) < 0.02 else "rising" if change > 0 else "falling"
    return f"{word}, {now:.1f} m"


def install(watcher: Watcher) -> None:
    """Registers the watcher under its two topics."""

    @agent(NAME, listens=("tide.surge", "tide.ask"))
    def handle(message: Message, mailbox: Mailbox) -> None:
        # Surge first: an answer given with yesterday's surge is a wrong answer.
        if message.topic == "tide.surge":
            watcher.surge(message, mailbox)
        else:
            watcher.ask(message, mailbox)
