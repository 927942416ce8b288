"""An agent: it likes the options that are listed last, the more the later they are.

    fracas play war_die/ford --seat 'red=command(python3 scripts/python/agent.py)'
"""

from fracas import sit


def decide(question, hello):
    return [weight for weight, _ in enumerate(question["options"], start=1)]


sit(decide, name="later", pure=True)
