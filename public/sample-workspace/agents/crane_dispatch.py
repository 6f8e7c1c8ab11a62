"""Crane dispatch: shares six cranes among the ships alongside.

Listens to `crane.ask`, `crane.wind` and `crane.free`. A ship asks with a number
of lifts; dispatch answers with `crane.slot`, one message for each crane, or
keeps the request in its queue. Cranes run on rails and cannot pass each other,
which is the whole difficulty: what matters is not how many cranes are free but
which of them can reach the berth without asking another one to move.
"""

from collections import deque
from dataclasses import dataclass

from harbor.mailbox import Mailbox, Message
from harbor.registry import agent
from harbor.settings import CRANE_WIND_LIMIT_KN

NAME = "crane-dispatch"

CRANES = 6

# Lifts an hour, measured over the winter of 2030: crane 2 is the old one.
LIFTS_PER_HOUR = {1: 26, 2: 17, 3: 26, 4: 28, 5: 28, 6: 28}

# A second crane on the same ship gains less than the first: hatches are in the
# way of one another. A third is only given to ships longer than 180 m.
SECOND_CRANE_FACTOR = 0.8
THIRD_CRANE_LENGTH_M = 180

# Wind must stay below the limit for this long before lifting begins again.
CALM_BEFORE_RESTART_MIN = 20

# Berths a crane can stand at. Berths 1 and 9 have no rail.
REACH = {1: (2, 3), 2: (2, 3, 4), 3: (3, 4, 5), 4: (4, 5, 6), 5: (5, 6, 7), 6: (6, 7, 8)}


@dataclass
class Request:
    ship: str
    berth: int
    lifts: int
    length_m: float
    minute: int


def hours_needed(lifts: int, cranes: list[int]) -> float:
    """Hours of work with these cranes, the slower ones counted as what they are."""
    rates = sorted((LIFTS_PER_HOUR[crane] for crane in cranes), reverse=True)
    total = sum(rate * SECOND_CRANE_FACTOR**place for place, rate in enumerate(rates))
    return lifts / total if total else float("inf")


def in_order(positions: dict[int, int]) -> bool:
    """Cranes stand along the quay in the order of their numbers, always."""
    standing = [positions[crane] for crane in sorted(positions)]
    return all(left <= right for left, right in zip(standing, standing[1:]))


def reachable(positions: dict[int, int], crane: int, berth: int) -> bool:
    """Whether the crane can go to the berth while all others stay put."""
    if berth not in REACH[crane]:
        return False
    return in_order({**positions, crane: berth})


def blockers(positions: dict[int, int], crane: int, berth: int) -> list[int]:
    """Cranes that stand in the way of one that should go to a berth.

    Empty when it can go, and also when the berth is beyond its reach: then no
    other crane is to blame. The warden reads the numbers off the handheld and
    walks to the drivers (agents/quay_warden.md, report 4).
    """
    if berth not in REACH[crane]:
        return []
    return [
        other
        for other, place in sorted(positions.items())
        if (other > crane and place < berth) or (other < crane and place > berth)
    ]


def utilisation(given_h: float, worked_h: float) -> float:
    """Hours worked for each hour given; below 0.7 somebody waits for somebody.

    The lantern review looks at this number and at no other. Stops for wind are
    taken out of `given_h` by the caller, the calm after them is not.
    """
    if given_h <= 0:
        return 1.0
    return round(min(1.0, worked_h / given_h), 2)


class Dispatch:
    def __init__(self, positions: dict[int, int]) -> None:
        if sorted(positions) != list(range(1, CRANES + 1)) or not in_order(positions):
            raise ValueError("six cranes, in the order of their numbers")
        self.positions = positions
        self.working: dict[int, str] = {}
        self.queue: deque[Request] = deque()
        self.stopped_since: int | None = None
        self.calm_since: int | None = None

    def ask(self, message: Message, mailbox: Mailbox) -> None:
        body = message.body
        request = Request(
            body["ship"], body["berth"], body["lifts"], body["length_m"], message.minute
        )
        self.queue.append(request)
        self.serve(message.minute, mailbox)

    def wanted(self, request: Request) -> int:
        """How many cranes a ship gets at most."""
        if request.lifts < 40:
            return 1
        return 3 if request.length_m > THIRD_CRANE_LENGTH_M else 2

    def free_for(self, berth: int) -> list[int]:
        """Free cranes that reach the berth, quickest first."""
        free = [
            crane
            for crane in self.positions
            if crane not in self.working and reachable(self.positions, crane, berth)
        ]
        return sorted(free, key=lambda crane: (-LIFTS_PER_HOUR[crane], crane))

    def serve(self, minute: int, mailbox: Mailbox) -> None:
        """Gives cranes to the queue in the order of asking; nobody is passed over twice.

        A request that no crane can reach stays at the front. Others may go
        ahead of it once, then they wait as well, or a long ship at berth 3
        would never be served in a busy week.
        """
        if self.stopped_since is not None:
            return
        passed = 0
        for request in list(self.queue):
            cranes = self.free_for(request.berth)[: self.wanted(request)]
            if not cranes:
                passed += 1
                if passed > 1:
                    return
                continue
            self.queue.remove(request)
            hours = hours_needed(request.lifts, cranes)
            for crane in cranes:
                self.working[crane] = request.ship
                self.positions[crane] = request.berth
                body = {"crane": crane, "ship": request.ship, "hours": round(hours, 2)}
                mailbox.post(Message("crane.slot", NAME, body, minute))

    def wind(self, message: Message, mailbox: Mailbox) -> None:
        """Stops all lifting above the limit, and waits for a real calm after it."""
        gust = int(message.body["gust_kn"])
        if gust > CRANE_WIND_LIMIT_KN:
            self.calm_since = None
            if self.stopped_since is None:
                self.stopped_since = message.minute
                body = {"why": f"gusts of {gust} kn", "cranes": sorted(self.working)}
                mailbox.post(Message("crane.stop", NAME, body, message.minute, urgent=True))
            return
        if self.stopped_since is None:
            return
        if self.calm_since is None:
            self.calm_since = message.minute
        if message.minute - self.calm_since >= CALM_BEFORE_RESTART_MIN:
            self.stopped_since = self.calm_since = None
            self.serve(message.minute, mailbox)

    def free(self, message: Message, mailbox: Mailbox) -> None:
        self.working.pop(message.body["crane"], None)
        self.serve(message.minute, mailbox)


def install(dispatch: Dispatch) -> None:
    steps = {"crane.ask": dispatch.ask, "crane.wind": dispatch.wind, "crane.free": dispatch.free}

    @agent(NAME, listens=("crane.wind", "crane.free", "crane.ask"))
    def handle(message: Message, mailbox: Mailbox) -> None:
        steps[message.topic](message, mailbox)
