"""Conflicts as environments of PettingZoo (AEC), played by `fracas serve`.

    from fracas_pettingzoo import env
    env = env("territory/three_tokens")

Actions are the places of options. `action_mask` shows which there are; spaces are as large as `actions`, found by
playing at random where it is not given. An observation holds a digest of the player's view, of fixed size, in
`observation`; the view itself, the question and the options are in `infos[agent]["place"]`. Chance is drawn by the
seed. Players who decide together are asked one after another, none of whom sees what the others picked.
"""

import hashlib
import json
import random

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from fracas import Conflict, number

# Bytes of the digest of a view.
DIGEST = 32


def env(scenario, **options):
    return FracasEnv(scenario, **options)


class FracasEnv(AECEnv):
    metadata = {"render_modes": ["ansi"], "name": "fracas_v1", "is_parallelizable": False}

    def __init__(self, scenario, actions=None, render_mode=None, **options):
        super().__init__()
        self.conflict = Conflict(scenario, **options)
        self.render_mode = render_mode
        hosted = self.conflict.info["hosted"]
        self.possible_agents = [name for name in self.conflict.info["players"] if name not in hosted]
        self._actions = actions or self._widest()
        self._seed = 0
        self._action_spaces = {name: gymnasium.spaces.Discrete(self._actions) for name in self.possible_agents}
        self._spaces = {
            name: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, 255, (DIGEST,), np.uint8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self._actions,), np.int8),
                }
            )
            for name in self.possible_agents
        }

    def observation_space(self, agent):
        return self._spaces[agent]

    def action_space(self, agent):
        return self._action_spaces[agent]

    def _widest(self, games=20):
        """The most options that a question had in some random games, and half as many again."""
        most, chance = 2, random.Random(0)
        for seed in range(games):
            place = self.conflict.reset(seed=seed, ask=False)
            while place["turn"] == "decision":
                count = len(place["options"])
                most = max(most, count)
                place = self.conflict.answer(chance.randrange(count), ask=False)
        return most + most // 2

    def reset(self, seed=None, options=None):
        self._seed = self._seed + 1 if seed is None else seed
        self.agents = list(self.possible_agents)
        self.rewards = {name: 0.0 for name in self.agents}
        self._cumulative_rewards = {name: 0.0 for name in self.agents}
        self.terminations = {name: False for name in self.agents}
        self.truncations = {name: False for name in self.agents}
        self.infos = {name: {} for name in self.agents}
        self.agent_selection = self.agents[0]
        self._arrive(self.conflict.reset(seed=self._seed))

    def _arrive(self, place):
        self._place = place
        self.infos = {name: {} for name in self.agents}
        if place["turn"] == "over":
            utility = place["outcome"]["utility"]
            for name in self.agents:
                self.rewards[name] = number(utility.get(name, 0))
                self.terminations[name] = True
            self.agent_selection = self.agents[0]
            return
        if len(place["options"]) > self._actions:
            raise ValueError(f"{len(place['options'])} options: pass actions={len(place['options'])} or more")
        self.agent_selection = place["player"]
        self.infos[place["player"]] = {"place": place, "action_mask": self._mask(place["player"])}

    def _mask(self, agent):
        mask = np.zeros(self._actions, np.int8)
        if self._place["turn"] == "decision" and self._place["player"] == agent:
            mask[: len(self._place["options"])] = 1
        return mask

    def observe(self, agent):
        view = self.conflict.view(agent)
        asked = self._place.get("decision") if self._place.get("player") == agent else None
        digest = hashlib.sha256(json.dumps([view, asked], sort_keys=True).encode()).digest()
        return {"observation": np.frombuffer(digest, np.uint8).copy(), "action_mask": self._mask(agent)}

    def step(self, action):
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = {name: 0.0 for name in self.agents}
        self._arrive(self.conflict.answer(int(action)))
        self._accumulate_rewards()

    def render(self):
        if self.render_mode is None:
            gymnasium.logger.warn("no render mode was chosen")
            return None
        return self.conflict.picture() or json.dumps(self.conflict.view(self.agent_selection))

    def close(self):
        self.conflict.close()
