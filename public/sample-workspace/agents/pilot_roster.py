"""Pilot roster: finds a pilot for every plan and keeps the hours of rest.

Listens to `berth.plan`, `pilot.wind` and `pilot.done`. Posts `pilot.order` when
a pilot is found, then `tug.ask` for the tug broker (agents/tug_broker.md), and
a question when nobody may go. The roster never shortens a rest: the contract
of 2029 makes that a decision of the harbour master in person.
"""

from dataclasses import dataclass, field

from harbor.clock import hhmm, in_quiet_hours
from harbor.mailbox import Mailbox, Message
from harbor.registry import agent
from harbor.settings import MAX_WIND_KN, PILOT_REST_MIN

NAME = "pilot-roster"

# From the call to the pilot standing on the bridge. By night the launch goes
# slower, because of the salmon nets off Gannet Head.
LEAD_DAY_MIN = 70
LEAD_NIGHT_MIN = 95

# Above this wind a pilot of class B stays ashore, whatever the ship.
CLASS_B_WIND_KN = 25

# Ships up to this length may be taken by class B.
CLASS_B_LENGTH_M = 140


@dataclass
class Pilot:
    name: str
    grade: str
    free_from: int = 0
    jobs: list = field(default_factory=list)

    def rested(self, minute: int) -> bool:
        return minute >= self.free_from


@dataclass(frozen=True)
class Job:
    ship: str
    length_m: float
    board_at: int
    end: int


def lead_time(minute: int) -> int:
    """Minutes before boarding at which the pilot has to be called."""
    return LEAD_NIGHT_MIN if in_quiet_hours(minute) else LEAD_DAY_MIN


def allowed(pilot: Pilot, job: Job, wind_kn: int) -> str | None:
    """None when the pilot may take the job, else the reason in plain words."""
    if not pilot.rested(job.board_at - lead_time(job.board_at)):
        return f"{pilot.name} rests until {hhmm(pilot.free_from)}"
    if wind_kn > MAX_WIND_KN:
        return f"the approach is closed above {MAX_WIND_KN} kn"
    if pilot.grade == "B" and wind_kn > CLASS_B_WIND_KN:
        return f"{pilot.name} holds class B and the wind is {wind_kn} kn"
    if pilot.grade == "B" and job.length_m > CLASS_B_LENGTH_M:
        return f"{pilot.name} holds class B and the ship has {job.length_m:.0f} m"
    return None


def choose(pilots: list[Pilot], job: Job, wind_kn: int) -> tuple[Pilot | None, list[str]]:
    """The pilot with the fewest jobs who may go, and why the others may not.

    Class B goes first where it is allowed, so that the two class A pilots are
    still free when the container feeder comes in on Thursday night.
    """
    reasons: list[str] = []
    able: list[Pilot] = []
    for pilot in pilots:
        reason = allowed(pilot, job, wind_kn)
        if reason is None:
            able.append(pilot)
        else:
            reasons.append(reason)
    able.sort(key=lambda pilot: (pilot.grade != "B", len(pilot.jobs), pilot.name))
    return (able[0] if able else None), reasons


class Roster:
    def __init__(self, pilots: list[Pilot]) -> None:
        self.pilots = pilots
        self.wind_kn = 0
        self.running: dict[str, tuple[Pilot, Job]] = {}

    def plan(self, message: Message, mailbox: Mailbox) -> None:
        """Answers one berth plan with an order or a question."""
        body = message.body
        job = Job(
            ship=body["ship"],
            length_m=float(body.get("length_m", 0)),
            board_at=body["start"] - 40,
            end=body["start"] + 20,
        )
        pilot, reasons = choose(self.pilots, job, self.wind_kn)
        if pilot is None:
            why = "; ".join(reasons) or "there is no pilot at all"
            question = {"ship": job.ship, "why": why, "at": hhmm(job.board_at)}
            mailbox.post(Message("question", NAME, question, message.minute, urgent=True))
            return
        pilot.jobs.append(job)
        pilot.free_from = job.end + PILOT_REST_MIN
        self.running[job.ship] = (pilot, job)
        order = {
            "ship": job.ship,
            "pilot": pilot.name,
            "call_at": job.board_at - lead_time(job.board_at),
            "board_at": job.board_at,
        }
        mailbox.post(Message("pilot.order", NAME, order, message.minute))
        tug = {"ship": job.ship, "at": job.board_at, "wind_kn": self.wind_kn}
        mailbox.post(Message("tug.ask", NAME, tug, message.minute))

    def wind(self, message: Message, mailbox: Mailbox) -> None:
        """Remembers the wind, and takes back orders that it has made unlawful."""
        self.wind_kn = int(message.body["wind_kn"])
        for ship, (pilot, job) in list(self.running.items()):
            if job.board_at <= message.minute:
                continue
            windy = self.wind_kn > MAX_WIND_KN
            too_much = pilot.grade == "B" and self.wind_kn > CLASS_B_WIND_KN
            if windy or too_much:
                del self.running[ship]
                pilot.jobs.remove(job)
                pilot.free_from = message.minute
                body = {"ship": ship, "pilot": pilot.name, "why": f"wind {self.wind_kn} kn"}
                mailbox.post(Message("pilot.recall", NAME, body, message.minute, urgent=True))

    def done(self, message: Message) -> None:
        """The pilot reports ashore; the rest begins now, not when it was planned."""
        entry = self.running.pop(message.body["ship"], None)
        if entry is not None:
            entry[0].free_from = message.minute + PILOT_REST_MIN


def next_free(pilots: list[Pilot], job: Job, wind_kn: int) -> tuple[int, str] | None:
    """The minute from which somebody could take the job, and who that is.

    Only rest is waited for. Wind, class and length are as they are: the roster
    does not forecast, and a pilot who may not take a ship now may not take it
    after a night's sleep either. Used for the second line of a question, so that
    the night supervisor can answer *wait* with a number (agents/night_supervisor.md).
    """
    found: tuple[int, str] | None = None
    for pilot in pilots:
        rested = Pilot(pilot.name, pilot.grade)
        if allowed(rested, job, wind_kn) is not None:
            continue
        minute = pilot.free_from + lead_time(job.board_at)
        if found is None or (minute, pilot.name) < found:
            found = (minute, pilot.name)
    return found


def hours_booked(pilots: list[Pilot], since: int) -> dict[str, float]:
    """Hours on the bridge for each pilot since a minute, for the monthly sheet.

    A recalled job is not in the list of jobs any more and so is not counted; the
    union counts it, and the lantern review adds it by hand (agents/lantern_review.md).
    """
    hours: dict[str, float] = {}
    for pilot in pilots:
        minutes = sum(job.end - job.board_at for job in pilot.jobs if job.board_at >= since)
        hours[pilot.name] = round(minutes / 60, 1)
    return hours


def install(roster: Roster) -> None:
    @agent(NAME, listens=("pilot.wind", "pilot.done", "berth.plan"))
    def handle(message: Message, mailbox: Mailbox) -> None:
        if message.topic == "berth.plan":
            roster.plan(message, mailbox)
        elif message.topic == "pilot.wind":
            roster.wind(message, mailbox)
        else:
            roster.done(message)
