"""Harbor: a small toolkit for agents that run a port by passing messages."""

from harbor.mailbox import Mailbox, Message
from harbor.registry import AGENTS, agent, run_round

__all__ = ["AGENTS", "Mailbox", "Message", "agent", "run_round"]
__version__ = "0.9.2"
