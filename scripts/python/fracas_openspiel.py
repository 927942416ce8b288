"""Conflicts as games of OpenSpiel, in Python, played by `fracas serve`.

    from fracas_openspiel import game
    game = game("war_die/ford")

Chance is explicit, so that all of OpenSpiel's algorithms can be used. What a player may see, with all that they have
answered, is their information state; where nothing is hidden and nobody decides at the same time, pass
`perfect=True`. A side of several players is one player of OpenSpiel, worth the mean of them. `actions` is the most
options that a question has, `length` the most decisions of a game; both are found by playing at random where they
are not given.
"""

import itertools
import json
import random
import re

import pyspiel

from fracas import Conflict, number


def game(scenario, perfect=False, actions=None, length=None, **options):
    """A game of OpenSpiel, registered there by a name of its own, so that it can be loaded again."""
    shared = Shared(Conflict(scenario, **options))
    if shared.conflict.info["hosted"]:
        raise ValueError("OpenSpiel plays all seats: leave out `seats`")
    widest, longest, fall, utilities, zero = shared.sampled()
    low, high = min(utilities), max(utilities)
    words = re.sub(r"\W+", "_", "_".join([scenario, json.dumps(options, default=str)])).strip("_")
    kind = pyspiel.GameType(
        short_name=f"python_fracas_{words}_{next(_numbers)}",
        long_name=f"Fracas {scenario}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION
        if perfect
        else pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(shared.seats),
        min_num_players=len(shared.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=actions or widest * 2,
        max_chance_outcomes=fall * 2,
        num_players=len(shared.seats),
        min_utility=low - abs(low) - 1,
        max_utility=high + abs(high) + 1,
        utility_sum=0.0 if zero else None,
        max_game_length=length or longest * 4,
    )
    # What belongs to a game is on its class: OpenSpiel may keep no more of it than that.
    made = type("FracasGame", (FracasGame,), {"kind": kind, "info": info, "shared": shared})
    pyspiel.register_game(kind, made)
    return made()


_numbers = itertools.count()


class Shared:
    """What all copies of a game share: the process, and which players sit together."""

    def __init__(self, conflict):
        self.conflict = conflict
        sides = dict(conflict.info["sides"])
        known = {name for players in sides.values() for name in players}
        sides.update({name: [name] for name in conflict.info["players"] if name not in known})
        self.seats = list(sides.values())
        self.number = {name: at for at, players in enumerate(self.seats) for name in players}

    def __deepcopy__(self, _):
        """States are copied with all that they have, but there is one process."""
        return self

    def utilities(self, outcome):
        utility = outcome["utility"]
        return [sum(number(utility.get(name, 0)) for name in side) / len(side) for side in self.seats]

    def sampled(self, games=30):
        widest, longest, fall, utilities, zero = 2, 1, 2, [], True
        chance = random.Random(0)
        for _ in range(games):
            place, count = self.conflict.reset(chance=True, ask=False), 0
            while place["turn"] != "over":
                options = len(place["options"])
                if place["turn"] == "chance":
                    fall = max(fall, options)
                else:
                    widest, count = max(widest, options), count + 1
                place = self.conflict.answer(chance.randrange(options), ask=False)
            longest = max(longest, count)
            found = self.utilities(place["outcome"])
            utilities += found
            zero = zero and abs(sum(found)) < 1e-9
        return widest, longest, fall, utilities, zero


class FracasGame(pyspiel.Game):
    kind, info, shared = None, None, None

    def __init__(self, params=None):
        super().__init__(self.kind, self.info, params or {})

    def new_initial_state(self):
        return FracasState(self, self.shared)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return FracasObserver(iig_obs_type)


class FracasState(pyspiel.State):
    """A place, by the answers that lead to it: one game of the server is moved to whichever state is asked for."""

    def __init__(self, game, shared):
        super().__init__(game)
        self._shared = shared
        self._picks = []
        # What each seat has seen where it decided, and what it picked there.
        self._past = [[] for _ in shared.seats]
        self._place = shared.conflict.reset(chance=True)

    def _reached(self):
        """Replays the answers with one more, all on one line."""
        requests = [{"do": "reset", "chance": True}]
        requests += [{"do": "answer", "pick": pick} for pick in self._picks]
        requests[-1]["ask"] = True
        return self._shared.conflict.requests(requests)[-1]

    def current_player(self):
        turn = self._place["turn"]
        if turn == "over":
            return pyspiel.PlayerId.TERMINAL
        if turn == "chance":
            return pyspiel.PlayerId.CHANCE
        return self._shared.number[self._place["player"]]

    def _legal_actions(self, player):
        return list(range(len(self._place["options"])))

    def chance_outcomes(self):
        return list(enumerate(self._place["chances"]))

    def _apply_action(self, action):
        if self._place["turn"] == "decision":
            seen = json.dumps(self._place["view"], sort_keys=True)
            asked = (self._place["player"], self._place["decision"])
            self._past[self.current_player()].append((*asked, seen, int(action)))
        self._picks.append(int(action))
        self._place = self._reached()
        if "error" in self._place:
            raise ValueError(self._place["error"]["message"])

    def _action_to_string(self, player, action):
        return str(self._place["options"][action])

    def is_terminal(self):
        return self._place["turn"] == "over"

    def returns(self):
        if not self.is_terminal():
            return [0.0] * len(self._shared.seats)
        return self._shared.utilities(self._place["outcome"])

    def information(self, player):
        """All that a seat has seen where it decided, and what it sees now, if it is asked."""
        now = None
        if self._place["turn"] == "decision" and self.current_player() == player:
            now = (self._place["player"], self._place["decision"], json.dumps(self._place["view"], sort_keys=True))
        return repr((self._past[player], now))

    def information_state_string(self, player=None):
        return self.information(self.current_player() if player is None else player)

    def observation_string(self, player=None):
        return self.information(self.current_player() if player is None else player)

    def __str__(self):
        return f"{self._picks}"


class FracasObserver:
    def __init__(self, iig_obs_type=None):
        self.tensor, self.dict = None, {}

    def set_from(self, state, player):
        pass

    def string_from(self, state, player):
        return state.information(player)
