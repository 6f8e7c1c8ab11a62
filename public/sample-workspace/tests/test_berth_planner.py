import unittest

from agents.berth_planner import Berth, Planner, Stay, candidates, first_gap
from agents.tide_watcher import Turn, Watcher, height_at
from harbor.mailbox import Mailbox, Message

SHIP = {
    "name": "Sorrel",
    "draught_m": 6.0,
    "length_m": 100,
    "eta": 600,
    "stay_min": 300,
    "asked_berth": 2,
}


class PlannerTest(unittest.TestCase):
    def test_short_berths_are_left_out(self):
        berths = [Berth(1, 8, 105, 0), Berth(2, 8, 110, 0), Berth(3, 8, 200, 0)]
        self.assertEqual([b.number for b in candidates(berths, SHIP)], [2, 3])

    def test_a_gap_leaves_time_for_the_lines(self):
        stays = [Stay("a", 2, 500, 700), Stay("b", 2, 1200, 1300)]
        self.assertEqual(first_gap(stays, 2, 600, 300), 745)
        self.assertEqual(first_gap(stays, 2, 600, 500), 1345)

    def test_high_water_is_the_height_of_its_turn(self):
        turns = [Turn(0, 1.0), Turn(360, 4.0)]
        self.assertAlmostEqual(height_at(turns, 360), 4.0)
        self.assertAlmostEqual(height_at(turns, 180), 2.5)
        self.assertIsNone(height_at(turns, 361))

    def test_an_arrival_becomes_a_plan(self):
        planner = Planner([Berth(2, 8.0, 200, 1)])
        watcher = Watcher([Turn(0, 1.0), Turn(720, 4.0), Turn(1440, 1.0)])
        box = Mailbox()
        planner.arrival(Message("arrival", "test", SHIP, 500), box)
        watcher.ask(box.take("tide.ask"), box)
        planner.window(box.take("tide.window"), box)
        plan = box.take("berth.plan")
        self.assertEqual(plan.body["berth"], 2)
        self.assertEqual(plan.body["start"], 600)
        self.assertEqual(plan.body["score"], 1.0)
