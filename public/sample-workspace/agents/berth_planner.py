"""Berth planner: gives every arriving ship a berth and a time.

Listens to `arrival` and `tide.window`. For an arrival it looks for candidate
berths, asks the tide watcher when there is water enough, and scores each
candidate with `harbor.scoring`. What reaches THRESHOLD is posted as a plan;
what does not is posted as a question for the night supervisor.

The planner holds no clock and no table of its own beyond the berths it has
promised. Everything else arrives by message, so a run can be replayed from the
mailbox history alone (docs/message-format.md).
"""

import csv
from dataclasses import dataclass

from harbor.clock import hhmm
from harbor.mailbox import Mailbox, Message
from harbor.registry import agent
from harbor.scoring import accepted, score
from harbor.settings import BERTH_COUNT, PLAN_HORIZON_H, UNDER_KEEL_CLEARANCE_M

NAME = "berth-planner"

# Berths looked at for one ship. More would seldom change the result: after the
# fifth the distance part of the score has lost half its weight.
MAX_CANDIDATES = 5

# Minutes between two ships at one berth, for lines and gangways.
TURNAROUND_MIN = 45


@dataclass(frozen=True)
class Berth:
    number: int
    depth_m: float
    length_m: float
    cranes: int


@dataclass(frozen=True)
class Stay:
    """A promise: this ship lies at this berth from start to end."""

    ship: str
    berth: int
    start: int
    end: int


def load_berths(path: str = "data/berths.csv") -> list[Berth]:
    """Reads the table of berths. The harbour master edits it, no agent does."""
    with open(path, newline="", encoding="utf-8") as handle:
        rows = csv.DictReader(handle)
        berths = [
            Berth(int(r["berth"]), float(r["depth_m"]), float(r["length_m"]), int(r["cranes"]))
            for r in rows
        ]
    if len(berths) != BERTH_COUNT:
        raise ValueError(f"{path} lists {len(berths)} berths, settings say {BERTH_COUNT}")
    return berths


def candidates(berths: list[Berth], ship: dict) -> list[Berth]:
    """Berths the ship fits into, nearest to the one it asked for first.

    Length is absolute. Depth is not checked here: a berth that is too shallow
    at low water may be deep enough for six hours around high water, and only
    the tide watcher knows when that is.
    """
    fitting = [berth for berth in berths if berth.length_m >= ship["length_m"] + 10]
    if ship.get("needs_crane"):
        fitting = [berth for berth in fitting if berth.cranes > 0]
    fitting.sort(key=lambda berth: (abs(berth.number - ship["asked_berth"]), berth.number))
    return fitting[:MAX_CANDIDATES]


def first_gap(stays: list[Stay], berth: int, wanted: int, length_min: int) -> int:
    """The first minute from `wanted` on at which the berth is free long enough."""
    start = wanted
    for stay in sorted(stays, key=lambda item: item.start):
        if stay.berth != berth or stay.end + TURNAROUND_MIN <= start:
            continue
        if start + length_min + TURNAROUND_MIN <= stay.start:
            break
        start = stay.end + TURNAROUND_MIN
    return start


class Planner:
    def __init__(self, berths: list[Berth]) -> None:
        self.berths = {berth.number: berth for berth in berths}
        self.stays: list[Stay] = []
        self.open: dict[str, dict] = {}

    def arrival(self, message: Message, mailbox: Mailbox) -> None:
        """Keeps the ship in mind and asks for water at each candidate berth."""
        ship = message.body
        found = candidates(list(self.berths.values()), ship)
        if not found:
            self.ask_person(ship, "no berth is long enough", mailbox, message.minute)
            return
        self.open[ship["name"]] = {"ship": ship, "waiting": len(found), "best": None}
        for berth in found:
            body = {
                "ship": ship["name"],
                "berth": berth.number,
                "from": first_gap(self.stays, berth.number, ship["eta"], ship["stay_min"]),
                "depth_m": berth.depth_m,
                "need_m": ship["draught_m"] + UNDER_KEEL_CLEARANCE_M,
            }
            mailbox.post(Message("tide.ask", NAME, body, message.minute))

    def window(self, message: Message, mailbox: Mailbox) -> None:
        """Scores one candidate; after the last answer the best one is settled."""
        answer = message.body
        entry = self.open.get(answer["ship"])
        if entry is None:
            return
        entry["waiting"] -= 1
        ship = entry["ship"]
        if answer["start"] is not None and self.within_horizon(ship, answer["start"]):
            delay = answer["start"] - ship["eta"]
            away = answer["berth"] - ship["asked_berth"]
            value = score(answer["spare_m"], delay, away)
            if entry["best"] is None or value > entry["best"][0]:
                entry["best"] = (value, answer["berth"], answer["start"])
        if entry["waiting"] == 0:
            del self.open[ship["name"]]
            self.settle(ship, entry["best"], mailbox, message.minute)

    def within_horizon(self, ship: dict, start: int) -> bool:
        return start - ship["eta"] <= PLAN_HORIZON_H * 60

    def settle(self, ship: dict, best: tuple | None, mailbox: Mailbox, minute: int) -> None:
        if best is None:
            self.ask_person(ship, "no water within the horizon", mailbox, minute)
            return
        value, berth, start = best
        if not accepted(value):
            self.ask_person(ship, f"best score {value} at berth {berth}", mailbox, minute)
            return
        stay = Stay(ship["name"], berth, start, start + ship["stay_min"])
        self.stays.append(stay)
        body = {"ship": stay.ship, "berth": berth, "start": start, "end": stay.end, "score": value}
        mailbox.post(Message("berth.plan", NAME, body, minute))

    def ask_person(self, ship: dict, why: str, mailbox: Mailbox, minute: int) -> None:
        body = {"ship": ship["name"], "why": why, "at": hhmm(ship["eta"])}
        mailbox.post(Message("question", NAME, body, minute, urgent=True))


def occupancy(stays: list[Stay], berth: int, start: int, end: int) -> float:
    """Share of a stretch of time in which a berth is promised to somebody.

    The harbour master asks for it in January, when the town wants to know why
    nine berths are needed. Turnaround counts as occupied: nobody else can use it.
    """
    if end <= start:
        raise ValueError("the stretch must have a length")
    taken = 0
    for stay in stays:
        if stay.berth == berth:
            first = max(start, stay.start)
            last = min(end, stay.end + TURNAROUND_MIN)
            taken += max(0, last - first)
    return round(min(1.0, taken / (end - start)), 3)


def clashes(stays: list[Stay]) -> list[tuple[Stay, Stay]]:
    """Pairs of stays that overlap at one berth. Must be empty after every plan."""
    ordered = sorted(stays, key=lambda stay: (stay.berth, stay.start))
    return [
        (one, two)
        for one, two in zip(ordered, ordered[1:])
        if one.berth == two.berth and two.start < one.end + TURNAROUND_MIN
    ]


def install(planner: Planner) -> None:
    """Registers the planner. Called once, by the replay script or a test."""

    @agent(NAME, listens=("arrival", "tide.window"))
    def handle(message: Message, mailbox: Mailbox) -> None:
        if message.topic == "arrival":
            planner.arrival(message, mailbox)
        else:
            planner.window(message, mailbox)
