"""A client of `fracas serve`, and programs as agents, for Python 3.9 or newer, of the standard library alone.

    from fracas import Conflict, odds

    with Conflict("war_die/ford") as conflict:
        place = conflict.reset(seed=7)
        while place["turn"] == "decision":
            place = conflict.answer(0)
        print(place["outcome"])
    print(odds("war_die/ford"))

`FRACAS` in the environment names the program, if it is not on the path. `scripts/protocol.md` says what the
replies mean.
"""

import json
import os
import subprocess
import sys
from fractions import Fraction

PROTOCOL = 1


class FracasError(Exception):
    """What the program says went wrong; `kind`, `place` and `suggestion` are attributes where they are known."""

    def __init__(self, error):
        super().__init__(error.get("message", "unknown error"))
        self.kind = error.get("kind")
        self.place = error.get("place")
        self.suggestion = error.get("suggestion")
        self.error = error


def _program():
    return os.environ.get("FRACAS", "fracas")


def _words(scenario, house, params, seats, rules):
    words = [scenario]
    for folder in rules:
        words += ["--rules", str(folder)]
    for name in house:
        words += ["--house", str(name)]
    for name, value in (params or {}).items():
        words += ["--param", f"{name}={json.dumps(value) if not isinstance(value, str) else value}"]
    for player, agent in (seats or {}).items():
        words += ["--seat", f"{player}={agent}"]
    return words


class Conflict:
    """A conflict that this program plays, in one process of `fracas serve`."""

    def __init__(self, scenario, house=(), params=None, seats=None, rules=()):
        words = [_program(), "serve", *_words(scenario, house, params, seats, rules)]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
        )
        self._next = 1
        try:
            self.info = self.hello()
        except BaseException:
            self.close()
            raise
        if self.info["protocol"] != PROTOCOL:
            self.close()
            raise RuntimeError(f"protocol {self.info['protocol']} is not {PROTOCOL}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Requests.

    def requests(self, requests):
        """Sends several requests on one line, and returns their replies; those that failed have `error`."""
        line = json.dumps(requests)
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            reply = self._process.stdout.readline()
        except BrokenPipeError:
            reply = ""
        if not reply:
            said = self._process.stderr.read().strip()
            raise FracasError({"kind": "ended", "message": said or "the program ended"})
        replies = json.loads(reply)
        return replies if isinstance(replies, list) else [replies]

    def request(self, do, **keys):
        """Sends one request, without the keys that are None, and returns its reply."""
        request = {"do": do, **{key: value for key, value in keys.items() if value is not None}}
        reply = self.requests([request])[0]
        if "error" in reply:
            raise FracasError(reply["error"])
        return reply

    def hello(self, rulebook=False):
        return self.request("hello", rulebook=rulebook)["hello"]

    def reset(self, seed=0, chance=False, house=None, params=None, seats=None, setup=None, game=0, ask=True):
        """Begins a game, and returns its first place."""
        keys = dict(house=house, params=params, seats=seats, setup=setup)
        return self.request("reset", game=game, seed=seed, chance=chance, ask=ask, **keys)

    def ask(self, game=0):
        """What is asked now, with the view of who is asked."""
        return self.request("ask", game=game)

    def answer(self, pick=None, option=None, game=0, ask=True):
        """Picks by place (from 0), or by the option itself; returns the next place."""
        return self.request("answer", game=game, pick=pick, option=option, ask=ask)

    def clone(self, to=None, game=0, seed=None, ask=True):
        """Copies a game; the reply has the number of the copy as `game`."""
        if to is None:
            to, self._next = self._next, self._next + 1
        return self.request("clone", game=game, to=to, seed=seed, ask=ask)

    def undo(self, n=1, game=0, ask=True):
        return self.request("undo", game=game, n=n, ask=ask)

    def view(self, player=None, game=0):
        return self.request("view", game=game, player=player)["view"]

    def picture(self, game=0):
        return self.request("picture", game=game)["picture"]

    def outcome(self, game=0):
        return self.request("outcome", game=game)["outcome"]

    def odds(self, here=False, game=0, **keys):
        return self.request("odds", game=game, here=here, **keys)["odds"]

    def drop(self, game):
        """Forgets a copy."""
        self.request("close", game=game)

    def close(self):
        """Ends the process."""
        if self._process.poll() is None:
            try:
                self._process.stdin.write('{"do":"close"}\n')
                self._process.stdin.flush()
            except (BrokenPipeError, ValueError):
                pass
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass
        self._process.wait()


def number(utility):
    """A utility as a float: a number, a fraction as a pair or as a text (`-3/2`), the mean of an estimate."""
    if isinstance(utility, dict):
        utility = utility["mean"]
    if isinstance(utility, list):
        return utility[0] / utility[1]
    return float(Fraction(utility))


def play(conflict, agents, seed=0):
    """Plays one game; `agents` maps players to functions of a place that return the place of an option.

    Players without one pick the first option. Returns the outcome.
    """
    place = conflict.reset(seed=seed)
    while place["turn"] == "decision":
        agent = agents.get(place["player"])
        place = conflict.answer(agent(place) if agent else 0)
    return place["outcome"]


def sit(decide, name="agent", pure=False, history=False):
    """Plays in a seat for as long as it is asked: `agent.py` shows how.

    `decide(question, hello)` returns the place of an option, or a list with a weight for each. A `pure` one goes by
    player, decision, options and view alone; one that asks for its `history` gets what the player saw and did before.
    """
    # What is printed meanwhile must not get among the answers.
    replies, sys.stdout = sys.stdout, sys.stderr
    hello = {}
    for line in sys.stdin:
        question = json.loads(line)
        if "bye" in question:
            return
        if "hello" in question:
            hello = question
            reply = {"hello": 1, "name": name, "pure": pure, "history": history}
        else:
            answer = decide(question, hello)
            reply = {"ask": question["ask"], "weights" if isinstance(answer, list) else "pick": answer}
        print(json.dumps(reply), file=replies, flush=True)


def _run(command, *options):
    ran = subprocess.run([_program(), command, *options, "--json"], capture_output=True, encoding="utf-8")
    found = json.loads(ran.stdout) if ran.stdout.strip() else {}
    if "error" in found:
        raise FracasError(found["error"])
    if not found:
        raise FracasError({"message": ran.stderr.strip()})
    return found


def odds(scenario, house=(), params=None, seats=None, rules=()):
    """The exact odds, as `fracas odds --json` prints them."""
    return _run("odds", *_words(scenario, house, params, seats, rules))


def estimate(scenario, n=None, seed=1, house=(), params=None, seats=None, rules=()):
    """Odds from playouts, as `fracas estimate --json` prints them."""
    count = [] if n is None else ["-n", str(n)]
    return _run("estimate", *_words(scenario, house, params, seats, rules), "--seed", str(seed), *count)
