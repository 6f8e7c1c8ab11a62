"""Customs clerk: reads manifests and sorts cargo into free, inspect and hold.

Listens to `cargo.manifest`. Posts `customs.release` for what may leave the quay,
`customs.inspect` for what an officer has to open, and `customs.hold` for what
may not even be unloaded. The clerk decides nothing that is not written in
config/harbor.toml or in the tables below; it gives a reason with every line,
because officers sign for each one of them.
"""

import re
from dataclasses import dataclass

from harbor.mailbox import Mailbox, Message
from harbor.registry import agent

NAME = "customs-clerk"

# ISO 6346: four letters, six digits, one check digit.
CONTAINER = re.compile(r"^([A-Z]{3})([UJZ])(\d{6})(\d)$")

# Share of otherwise harmless boxes that are opened. Two in a hundred is what
# the customs house asked for; the choice must be the same on every replay.
SAMPLE_PERCENT = 2

# Goods that always go to an officer, by the first two digits of their code.
INSPECT_CHAPTERS = {
    "02": "meat needs a vet",
    "06": "plants need a phytosanitary paper",
    "24": "tobacco is counted",
    "36": "explosives and matches",
    "93": "arms",
}

# Letter values of ISO 6346. 11, 22 and 33 are left out by the standard.
LETTER_VALUES = {
    letter: value
    for letter, value in zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        [n for n in range(10, 39) if n % 11 != 0],
    )
}


@dataclass(frozen=True)
class Line:
    """One box on a manifest."""

    container: str
    code: str
    weight_kg: int
    origin: str
    seal: str | None


@dataclass(frozen=True)
class Verdict:
    container: str
    action: str
    reason: str


def check_digit(container: str) -> int | None:
    """The check digit a container number should end with, or None for bad form."""
    match = CONTAINER.match(container)
    if match is None:
        return None
    total = 0
    for place, char in enumerate(container[:10]):
        value = LETTER_VALUES[char] if char.isalpha() else int(char)
        total += value * 2**place
    return total % 11 % 10


def sampled(container: str) -> bool:
    """Whether a box is in the sample. Depends on its number alone.

    A random draw would be fairer to look at, but two replays of one night
    would then differ, and the ledger could not be compared (docs/runbook.md).
    """
    digits = int(container[4:10])
    return (digits * 7919) % 100 < SAMPLE_PERCENT


class Clerk:
    def __init__(self, limits: dict) -> None:
        """`limits` is the [customs] table of config/harbor.toml."""
        self.max_weight_kg = int(limits["max_weight_kg"])
        self.watched = frozenset(limits["watched_origins"])
        self.seal_required = bool(limits["seal_required"])
        self.seen: dict[str, str] = {}

    def judge(self, line: Line, ship: str) -> Verdict:
        """The first rule that applies decides; the order is that of severity."""
        expected = check_digit(line.container)
        if expected is None:
            return Verdict(line.container, "hold", "not a container number")
        if expected != int(line.container[-1]):
            return Verdict(line.container, "hold", f"check digit should be {expected}")
        if line.container in self.seen and self.seen[line.container] != ship:
            other = self.seen[line.container]
            return Verdict(line.container, "hold", f"also on the manifest of {other}")
        if line.weight_kg > self.max_weight_kg:
            over = line.weight_kg - self.max_weight_kg
            return Verdict(line.container, "hold", f"{over} kg above the limit")
        if self.seal_required and not line.seal:
            return Verdict(line.container, "inspect", "no seal")
        chapter = INSPECT_CHAPTERS.get(line.code[:2])
        if chapter is not None:
            return Verdict(line.container, "inspect", chapter)
        if line.origin in self.watched:
            return Verdict(line.container, "inspect", f"origin {line.origin} is watched")
        if sampled(line.container):
            return Verdict(line.container, "inspect", "sample")
        return Verdict(line.container, "release", "nothing found")

    def manifest(self, message: Message, mailbox: Mailbox) -> None:
        """Judges every line, then posts at most three messages, one for each action."""
        ship = message.body["ship"]
        verdicts: dict[str, list[Verdict]] = {"hold": [], "inspect": [], "release": []}
        for row in message.body["lines"]:
            line = Line(
                container=row["container"].strip().upper(),
                code=row["code"],
                weight_kg=int(row["weight_kg"]),
                origin=row["origin"],
                seal=row.get("seal"),
            )
            verdict = self.judge(line, ship)
            self.seen.setdefault(line.container, ship)
            verdicts[verdict.action].append(verdict)
        for action, found in verdicts.items():
            if not found:
                continue
            body = {
                "ship": ship,
                "boxes": [{"container": v.container, "reason": v.reason} for v in found],
            }
            urgent = action == "hold"
            mailbox.post(Message(f"customs.{action}", NAME, body, message.minute, urgent))
        self.charge(ship, len(verdicts["inspect"]), message.minute, mailbox)

    def charge(self, ship: str, opened: int, minute: int, mailbox: Mailbox) -> None:
        """Tells the ledger keeper about inspections; releases cost nothing."""
        if opened == 0:
            return
        body = {"ship": ship, "item": "inspection", "count": opened}
        mailbox.post(Message("ledger.entry", NAME, body, minute))


def summary(verdicts: list[Verdict]) -> str:
    """One line for the handheld of the officer on duty, reasons in order of weight.

    Releases are counted but not named: the officer reads this in the rain and
    wants to know how many boxes to walk to and why.
    """
    reasons: dict[str, int] = {}
    for verdict in verdicts:
        if verdict.action != "release":
            reasons[verdict.reason] = reasons.get(verdict.reason, 0) + 1
    parts = [f"{count} x {reason}" for reason, count in sorted(reasons.items())]
    return ", ".join(parts) if parts else "nothing to open"


def chapter_name(code: str) -> str:
    """The name of a chapter for people, or its number where it has no name here.

    Only the chapters of INSPECT_CHAPTERS have one. The full list has 97 entries
    and lives at the ministry, in a book that is thicker than this repository.
    """
    names = {"02": "meat", "06": "plants", "24": "tobacco", "36": "explosives", "93": "arms"}
    return names.get(code[:2], f"chapter {code[:2]}")


def load_per_origin(lines: list[Line]) -> dict[str, int]:
    """Kilograms by country of origin, heaviest first, for the report to the ministry."""
    loads: dict[str, int] = {}
    for line in lines:
        loads[line.origin] = loads.get(line.origin, 0) + line.weight_kg
    ordered = sorted(loads.items(), key=lambda item: (-item[1], item[0]))
    return dict(ordered)


def install(clerk: Clerk) -> None:
    @agent(NAME, listens=("cargo.manifest",))
    def handle(message: Message, mailbox: Mailbox) -> None:
        clerk.manifest(message, mailbox)
