"""Which agents there are, and the round in which each gets its turn."""

from dataclasses import dataclass
from typing import Callable

from harbor.mailbox import Mailbox, Message

Handler = Callable[[Message, Mailbox], None]

# Messages one agent may take in one round; the rest wait, so that a flood of
# arrivals cannot keep the tide watcher from speaking.
TURN_BUDGET = 12


@dataclass(frozen=True)
class Agent:
    name: str
    listens: tuple[str, ...]
    handle: Handler


AGENTS: dict[str, Agent] = {}


def agent(name: str, listens: tuple[str, ...]) -> Callable[[Handler], Handler]:
    """Registers a function as an agent. Names are unique."""

    def register(handle: Handler) -> Handler:
        if name in AGENTS:
            raise ValueError(f"there is already an agent called {name}")
        AGENTS[name] = Agent(name, listens, handle)
        return handle

    return register


def run_round(mailbox: Mailbox) -> int:
    """Gives every agent its turn, in the order of names. Returns messages taken."""
    taken = 0
    for name in sorted(AGENTS):
        current = AGENTS[name]
        budget = TURN_BUDGET
        for topic in current.listens:
            while budget > 0:
                message = mailbox.take(topic)
                if message is None:
                    break
                current.handle(message, mailbox)
                budget -= 1
                taken += 1
    return taken
