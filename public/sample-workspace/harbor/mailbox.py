"""Messages between agents. Nothing else is shared: no agent calls another one."""

from collections import deque
from dataclasses import dataclass, field

from harbor.settings import MAILBOX_LIMIT


class MailboxFull(Exception):
    """Raised when a topic holds MAILBOX_LIMIT unread messages."""


@dataclass(frozen=True)
class Message:
    topic: str
    sender: str
    body: dict
    minute: int
    urgent: bool = False


@dataclass
class Mailbox:
    unread: dict = field(default_factory=dict)
    history: list = field(default_factory=list)

    def post(self, message: Message) -> None:
        """Urgent messages go to the front of their topic, others to the end."""
        queue = self.unread.setdefault(message.topic, deque())
        if len(queue) >= MAILBOX_LIMIT:
            raise MailboxFull(f"{message.topic} holds {MAILBOX_LIMIT} unread messages")
        if message.urgent:
            queue.appendleft(message)
        else:
            queue.append(message)
        self.history.append(message)

    def take(self, topic: str) -> Message | None:
        """The next message of a topic, or None. A message is taken once."""
        queue = self.unread.get(topic)
        return queue.popleft() if queue else None

    def waiting(self, topic: str) -> int:
        return len(self.unread.get(topic, ()))
