import unittest

from harbor.mailbox import Mailbox, MailboxFull, Message
from harbor.settings import MAILBOX_LIMIT


def note(text, urgent=False):
    return Message("note", "test", {"text": text}, 0, urgent)


class MailboxTest(unittest.TestCase):
    def test_messages_are_taken_once_and_in_order(self):
        box = Mailbox()
        box.post(note("one"))
        box.post(note("two"))
        self.assertEqual(box.take("note").body["text"], "one")
        self.assertEqual(box.take("note").body["text"], "two")
        self.assertIsNone(box.take("note"))

    def test_urgent_messages_go_first(self):
        box = Mailbox()
        box.post(note("later"))
        box.post(note("now", urgent=True))
        self.assertEqual(box.take("note").body["text"], "now")

    def test_a_full_topic_refuses(self):
        box = Mailbox()
        for number in range(MAILBOX_LIMIT):
            box.post(note(str(number)))
        with self.assertRaises(MailboxFull):
            box.post(note("one too many"))
