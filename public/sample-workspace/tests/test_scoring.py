import unittest

from harbor.scoring import THRESHOLD, accepted, delay_part, score


class ScoringTest(unittest.TestCase):
    def test_a_perfect_proposal_scores_one(self):
        self.assertEqual(score(1.0, 0, 0), 1.0)

    def test_ninety_minutes_halve_the_delay_part(self):
        self.assertAlmostEqual(delay_part(90), 0.5)

    def test_the_example_of_the_runbook(self):
        self.assertEqual(score(0.5, 90, 1), 0.6)
        self.assertFalse(accepted(0.6))

    def test_the_threshold_itself_is_accepted(self):
        self.assertTrue(accepted(THRESHOLD))

    def test_water_beyond_a_metre_counts_no_more(self):
        self.assertEqual(score(3.0, 0, 0), score(1.0, 0, 0))
