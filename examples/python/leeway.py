"""Asks the program leeway from Python: each command is a function of its flags, and returns what the program prints.

    import leeway
    from fractions import Fraction
    record = leeway.search(torus="8x8", size=16, routing="udr:tie=both", seed=1, evaluations=100000)
    print(Fraction(record["max_load"]), record["nodes"])
"""

import json
import os
import subprocess


class Error(Exception):
    """What the program says where it has no answer; status is 1 (failed) or 2 (bad question)."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def ask(command, **flags):
    """Returns the answer of a command; _ in a flag stands for -. The program is $LEEWAY, or leeway on the path."""
    question = {name.replace("_", "-"): value for name, value in flags.items() if value is not None}
    run = subprocess.run([os.environ.get("LEEWAY", "leeway"), command, "--question", "-"],
                         input=json.dumps(question), capture_output=True, text=True)
    if run.returncode not in (0, 3):  # 3: done, and nothing was decided
        raise Error(run.stderr.strip(), run.returncode)
    return json.loads(run.stdout)


def matrix(demands, tasks=None):
    """Returns a traffic matrix of {(from, to): amount}; amounts are whole numbers, Fractions, or texts."""
    if tasks is None:
        tasks = 1 + max(max(pair) for pair in demands)
    return {"schema": "leeway/matrix/1", "tasks": tasks,
            "demands": [[a, b, str(amount)] for (a, b), amount in sorted(demands.items())]}


def __getattr__(command):
    """Makes eval, bound, search, prove and the other commands functions of this module."""
    if command.startswith("_"):
        raise AttributeError(command)
    return lambda **flags: ask(command, **flags)
