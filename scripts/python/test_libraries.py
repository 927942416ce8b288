"""Runs the tests of PettingZoo, OpenSpiel and Gambit on conflicts, each where it is installed.

`FRACAS=target/debug/fracas python3 scripts/python/test_libraries.py`, from the folder of Fracas.
"""

import importlib.util
import os
import subprocess
import tempfile
import unittest
import warnings

from test_fracas import SYSTEMS

KUHN = ("kuhn_poker/one_hand", ["tests/fixtures/rules"])


def needs(name):
    return unittest.skipUnless(importlib.util.find_spec(name), f"{name} is not installed")


class LibraryTest(unittest.TestCase):
    @needs("pettingzoo")
    def test_environments_are_those_of_pettingzoo(self):
        from pettingzoo.test import api_test, seed_test

        from fracas_pettingzoo import env

        for scenario in SYSTEMS:
            with self.subTest(scenario), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                one = env(scenario)
                api_test(one, num_cycles=100)
                one.close()
                seed_test(lambda: env(scenario), num_cycles=30)

    @needs("pyspiel")
    def test_games_are_those_of_openspiel(self):
        import pyspiel

        from fracas_openspiel import game

        for scenario in SYSTEMS:
            with self.subTest(scenario):
                one = game(scenario)
                pyspiel.random_sim_test(one, num_sims=2, serialize=False, verbose=False)
                one.shared.conflict.close()

    @needs("pyspiel")
    def test_openspiel_finds_the_value_of_kuhn_poker(self):
        from open_spiel.python.algorithms import cfr, expected_game_score

        from fracas_openspiel import game

        one = game(KUHN[0], rules=KUHN[1])
        solver = cfr.CFRSolver(one)
        for _ in range(60):
            solver.evaluate_and_update_policy()
        policies = [solver.average_policy()] * 2
        value = expected_game_score.policy_value(one.new_initial_state(), policies)
        # A textbook value: the first player loses an eighteenth of the ante.
        self.assertAlmostEqual(value[0], -1 / 18, delta=0.01)
        one.shared.conflict.close()

    @needs("pyspiel")
    def test_alpha_rank_is_that_of_openspiel(self):
        import json
        import sys
        import types

        import numpy

        # It draws with a library that nothing here needs.
        sys.modules.setdefault("open_spiel.python.egt.alpharank_visualizer", types.ModuleType("drawings"))
        from open_spiel.python import egt

        egt.alpharank_visualizer = sys.modules["open_spiel.python.egt.alpharank_visualizer"]
        from open_spiel.python.egt import alpharank

        with tempfile.TemporaryDirectory() as folder:
            spec = os.path.join(folder, "league.toml")
            with open(spec, "w") as file:
                file.write(
                    'scenarios = ["territory/border_clash"]\nagents = ["random", "first", "greedy"]\n'
                    'format = "round_robin"\ngames = 200\nseed = 5\nexact = false\n'
                )
            words = [os.environ.get("FRACAS", "fracas"), "tournament", spec, "--meta", "--json", "--quiet"]
            found = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
        agents = [row["agent"] for row in found["meta"]["agents"]]
        scores = numpy.full((3, 3), 0.5)
        for pair in found["pairings"]:
            a, b = agents.index(pair["a"]), agents.index(pair["b"])
            scores[a, b], scores[b, a] = pair["score_a"], 1 - pair["score_a"]
        expected = alpharank.compute([scores], m=50, alpha=100)[2]
        for row, share in zip(found["meta"]["agents"], expected):
            self.assertAlmostEqual(row["alpha_rank"]["mean"], share, places=6)

    @needs("pygambit")
    def test_gambit_reads_a_game_and_finds_its_value(self):
        import pygambit

        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "kuhn.efg")
            words = ["solve", KUHN[0], "--rules", KUHN[1][0], "--efg", file]
            subprocess.run([os.environ.get("FRACAS", "fracas"), *words], check=True, capture_output=True)
            read = pygambit.read_efg(file)
        found = pygambit.nash.lp_solve(read)
        # Version 16 and version 17 have other names for the same.
        if hasattr(found, "equilibrium"):
            payoffs = [found.equilibrium.payoffs[player] for player in read.players]
        else:
            payoffs = [found.equilibria[0].payoff(player) for player in read.players]
        self.assertEqual(payoffs, [pygambit.Rational(-1, 18), pygambit.Rational(1, 18)])


if __name__ == "__main__":
    unittest.main()
