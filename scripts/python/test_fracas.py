"""Tests of the client: `FRACAS=target/debug/fracas python3 scripts/python/test_fracas.py`, from the folder of Fracas."""

import random
import unittest

from fracas import Conflict, FracasError, estimate, number, odds, play

SYSTEMS = [
    "war_die/ford",
    "territory/three_tokens",
    "attrition/delta",
    "last_stand/last_blows",
    "battle_tiles/two_tiles_each",
]


class ClientTest(unittest.TestCase):
    def test_every_system_is_played_to_its_end(self):
        for scenario in SYSTEMS:
            with self.subTest(scenario), Conflict(scenario) as conflict:
                chance = random.Random(1)
                place = conflict.reset(seed=1)
                while place["turn"] == "decision":
                    self.assertEqual(place["view"], conflict.view(place["player"]))
                    place = conflict.answer(chance.randrange(len(place["options"])))
                self.assertEqual(place["turn"], "over")
                self.assertEqual(conflict.outcome(), place["outcome"])
                for player, utility in place["outcome"]["utility"].items():
                    self.assertIn(player, conflict.info["players"])
                    self.assertIsInstance(number(utility), float)

    def test_a_copy_goes_its_own_way_and_undo_goes_back(self):
        with Conflict("war_die/ford") as conflict:
            first = conflict.reset(seed=3)
            copy = conflict.clone()["game"]
            conflict.answer(option="flag", game=copy)
            self.assertEqual(conflict.ask()["player"], first["player"])
            self.assertNotEqual(conflict.ask(copy)["player"], first["player"])
            self.assertEqual(conflict.undo(game=copy)["options"], first["options"])
            conflict.drop(copy)
            with self.assertRaises(FracasError):
                conflict.ask(copy)

    def test_the_same_seed_and_agents_play_the_same_game(self):
        with Conflict("territory/three_tokens") as conflict:
            last = lambda place: len(place["options"]) - 1
            agents = {player: last for player in conflict.info["players"]}
            self.assertEqual(play(conflict, agents, seed=5), play(conflict, agents, seed=5))

    def test_odds_are_exact_and_estimates_come_near(self):
        seats = {"red": "random", "blue": "random"}
        exact = odds("war_die/ford", seats=seats)
        self.assertTrue(exact["exact"])
        with Conflict("war_die/ford", seats=seats) as conflict:
            conflict.reset()
            self.assertEqual(conflict.odds(), exact)
        sampled = estimate("war_die/ford", n=2000, seats=seats)
        for result, chance in exact["results"].items():
            self.assertAlmostEqual(number(sampled["results"][result]), number(chance), delta=0.05)
        self.assertEqual([number(x) for x in ("-3/2", [-3, 2], -1.5, {"mean": -1.5})], [-1.5] * 4)

    def test_mistakes_name_the_place_and_the_nearest_word(self):
        with self.assertRaises(FracasError) as caught:
            Conflict("war_die/frod")
        self.assertIn("war_die/ford", str(caught.exception))
        with Conflict("war_die/ford") as conflict:
            with self.assertRaises(FracasError) as caught:
                conflict.request("rest")
            self.assertEqual((caught.exception.place, caught.exception.suggestion), ("do", "reset"))


if __name__ == "__main__":
    unittest.main()
