"""Ledger keeper: turns what happened into charges, once and to the cent.

Listens to `ledger.entry` and `ledger.close`. Agents say what they did, never
what it costs; prices are here and in no other file. A ship's account is closed
when it casts off, and closing it twice gives the same bill and no new message.

Money is kept in whole cents. The spring of 2030 was spent looking for a cent
that three floats had lost between them.
"""

import json
from dataclasses import dataclass, field

from harbor.mailbox import Mailbox, Message
from harbor.registry import agent
from harbor.settings import CURRENCY

NAME = "ledger-keeper"

# Cents for each item. Berth time is charged by started hour and by length.
PRICES = {
    "berth_hour_per_10m": 420,
    "pilot": 61_500,
    "pilot_night": 24_800,
    "tug_hour": 88_000,
    "crane_hour": 31_200,
    "inspection": 9_500,
    "line_handling": 14_000,
    "fresh_water_m3": 310,
}

# Ships that came more often than this in a year pay less for their berth.
REBATE_AFTER_CALLS = 24
REBATE_PERCENT = 12

# A bill above this goes to a person before it goes out (agents/night_supervisor.md).
REVIEW_ABOVE_CENTS = 5_000_000

VAT_PERCENT = 19


@dataclass(frozen=True)
class Entry:
    item: str
    count: int
    cents: int
    minute: int
    sender: str


@dataclass
class Account:
    ship: str
    calls: int = 0
    entries: list[Entry] = field(default_factory=list)
    closed_at: int | None = None


def started_hours(minutes: int) -> int:
    """Every started hour counts; a stay of no length costs nothing."""
    return -(-max(0, minutes) // 60)


def percent_of(cents: int, percent: int) -> int:
    """A share of an amount, half a cent rounded away from zero."""
    value = abs(cents) * percent
    rounded = (value + 50) // 100
    return rounded if cents >= 0 else -rounded


def money(cents: int) -> str:
    """Cents for people: 1234567 is 'EUR 12,345.67'."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{CURRENCY} {whole:,}.{rest:02d}"


def berth_cents(minutes: int, length_m: float) -> int:
    """Berth charge: started hours times started tens of metres."""
    tens = -(-int(length_m) // 10)
    return started_hours(minutes) * tens * PRICES["berth_hour_per_10m"]


class Ledger:
    def __init__(self, calls_so_far: dict[str, int] | None = None) -> None:
        """`calls_so_far` is how often each ship has come this year."""
        self.accounts: dict[str, Account] = {}
        self.calls_so_far = dict(calls_so_far or {})

    def account(self, ship: str) -> Account:
        if ship not in self.accounts:
            self.accounts[ship] = Account(ship, self.calls_so_far.get(ship, 0))
        return self.accounts[ship]

    def entry(self, message: Message, mailbox: Mailbox) -> None:
        """Books one item. Unknown items and closed accounts are questions, not errors."""
        body = message.body
        account = self.account(body["ship"])
        if account.closed_at is not None:
            self.ask_person(account.ship, f"{body['item']} after closing", message, mailbox)
            return
        if body["item"] == "berth":
            cents = berth_cents(body["minutes"], body["length_m"])
            count = started_hours(body["minutes"])
        elif body["item"] in PRICES:
            count = int(body.get("count", 1))
            cents = PRICES[body["item"]] * count
        else:
            self.ask_person(account.ship, f"no price for {body['item']}", message, mailbox)
            return
        account.entries.append(Entry(body["item"], count, cents, message.minute, message.sender))

    def rebate(self, account: Account) -> int:
        """Negative cents off the berth for regular ships, else 0."""
        if account.calls < REBATE_AFTER_CALLS:
            return 0
        berth = sum(entry.cents for entry in account.entries if entry.item == "berth")
        return -percent_of(berth, REBATE_PERCENT)

    def bill(self, account: Account) -> dict:
        """All figures of a bill. Pure: the same account gives the same bill."""
        net = sum(entry.cents for entry in account.entries) + self.rebate(account)
        vat = percent_of(net, VAT_PERCENT)
        return {
            "ship": account.ship,
            "lines": [[entry.item, entry.count, entry.cents] for entry in account.entries],
            "rebate": self.rebate(account),
            "net": net,
            "vat": vat,
            "total": net + vat,
        }

    def close(self, message: Message, mailbox: Mailbox) -> None:
        account = self.account(message.body["ship"])
        if account.closed_at is not None:
            return
        account.closed_at = message.minute
        self.calls_so_far[account.ship] = account.calls + 1
        bill = self.bill(account)
        if bill["total"] > REVIEW_ABOVE_CENTS:
            self.ask_person(account.ship, f"bill of {money(bill['total'])}", message, mailbox)
        mailbox.post(Message("ledger.bill", NAME, bill, message.minute))

    def ask_person(self, ship: str, why: str, message: Message, mailbox: Mailbox) -> None:
        body = {"ship": ship, "why": why, "at": None}
        mailbox.post(Message("question", NAME, body, message.minute))

    def export(self) -> str:
        """All open and closed accounts as JSON with sorted keys, for comparing two replays."""
        rows = [self.bill(self.accounts[ship]) for ship in sorted(self.accounts)]
        return json.dumps(rows, sort_keys=True, indent=2)


def split(cents: int, parts: int) -> list[int]:
    """An amount in equal parts that add up to it again, larger parts first.

    Used when two owners share a ship's bill. Rounding each part by itself is how
    the cent of 2030 was lost: three times 33.33 is not a hundred.
    """
    if parts < 1:
        raise ValueError("at least one part")
    share, rest = divmod(abs(cents), parts)
    sign = -1 if cents < 0 else 1
    return [sign * (share + (1 if place < rest else 0)) for place in range(parts)]


def by_item(account: Account) -> dict[str, int]:
    """Cents for each item of an account, for the yearly table of the harbour master."""
    totals: dict[str, int] = {}
    for entry in account.entries:
        totals[entry.item] = totals.get(entry.item, 0) + entry.cents
    return dict(sorted(totals.items()))


def differences(ours: dict, theirs: dict) -> list[str]:
    """What two bills of the same ship disagree about, in words for the reviewer."""
    found = []
    for key in ("rebate", "net", "vat", "total"):
        if ours[key] != theirs[key]:
            found.append(f"{key}: {money(ours[key])} here, {money(theirs[key])} there")
    if ours["lines"] != theirs["lines"]:
        found.append(f"{len(ours['lines'])} lines here, {len(theirs['lines'])} there")
    return found


def install(ledger: Ledger) -> None:
    @agent(NAME, listens=("ledger.entry", "ledger.close"))
    def handle(message: Message, mailbox: Mailbox) -> None:
        # Entries before closings, or a charge of the same minute would come too late.
        (ledger.entry if message.topic == "ledger.entry" else ledger.close)(message, mailbox)
