"""An agent that lets a language model play, from the rulebook, what the player sees and the question in words.

    fracas play skirmish/ambush --rules scripts/rules --seat \\
        'red=command(ms=120000 python3 scripts/python/language_model.py --recorded scripts/python/ambush_answers.jsonl)'

`--recorded FILE` takes the answers of a file in place of a model's. Without it, `MODEL_URL` names a service that takes
chats as that of OpenAI does (`https://…/v1/chat/completions`), `MODEL` the model, `MODEL_KEY` the key. `--record FILE`
writes what the model answers as such a file, one answer a line.
"""

import argparse
import json
import os
import re
import sys
import urllib.request

from fracas import sit

ASKED = 3


def prompt(question, hello):
    """All that a player knows, and how to answer."""
    wording = question.get("wording") or {}
    texts = wording.get("options") or [[None, None]] * len(question["options"])
    options = []
    for place, (option, (text, help)) in enumerate(zip(question["options"], texts)):
        line = f"{place}: {text or (option if isinstance(option, str) else json.dumps(option))}"
        options.append(f"{line} ({help})" if help else line)
    asked = wording.get("text") or f"You decide: {question['decision']}."
    return "\n".join(
        [
            f"You play {question['player']} in this game. Its rules:",
            hello["rulebook"],
            f"Parameters: {json.dumps(hello['params'])}",
            f"What you see: {json.dumps(question['view'])}",
            asked,
            wording.get("help") or "",
            "Your options:",
            *options,
            "Think, then end with a line `ANSWER: ` and the number of an option.",
        ]
    )


def is_part(part, whole):
    """Whether a question has all that a recorded answer names."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_part(value, whole[key]) for key, value in part.items())
    return part == whole


class Recorded:
    """Answers from a file: lines of `{"when": part of a question, "answer": text}`; the first that fits is taken."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.answers = [json.loads(line) for line in file if line.strip()]

    def __call__(self, text, question):
        for recorded in self.answers:
            if is_part(recorded["when"], question):
                return recorded["answer"]
        sys.exit("no recorded answer fits " + json.dumps(question))


def model(text, question):
    """What a service answers."""
    message = {"role": "user", "content": text}
    body = {"model": os.environ.get("MODEL", ""), "temperature": 0, "messages": [message]}
    request = urllib.request.Request(
        os.environ["MODEL_URL"],
        data=json.dumps(body).encode(),
        headers={
            "Content-Type": "application/json",
            "Authorization": "Bearer " + os.environ.get("MODEL_KEY", ""),
        },
    )
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)["choices"][0]["message"]["content"]


def main():
    arguments = argparse.ArgumentParser(description="A language model in a seat.")
    arguments.add_argument("--recorded", metavar="FILE")
    arguments.add_argument("--record", metavar="FILE")
    given = arguments.parse_args()
    if not given.recorded and not os.environ.get("MODEL_URL"):
        sys.exit("no model to ask: set MODEL_URL to its address, or give recorded answers with --recorded FILE")
    answer_of = Recorded(given.recorded) if given.recorded else model

    def decide(question, hello):
        text = prompt(question, hello)
        for _ in range(ASKED):
            answer = answer_of(text, question)
            found = re.findall(r"ANSWER:\s*(\d+)", answer)
            if found and int(found[-1]) < len(question["options"]):
                if given.record:
                    when = {key: question[key] for key in ("player", "decision", "view")}
                    with open(given.record, "a", encoding="utf-8") as file:
                        file.write(json.dumps({"when": when, "answer": answer}) + "\n")
                return int(found[-1])
        sys.exit(f"asked {ASKED} times, the model named no option: {answer}")

    # A recorded model is asked the same and answers the same; a real one may not.
    sit(decide, name="language model", pure=bool(given.recorded))


main()
