"""Writes truth.json: between which two doubles the true ε of every workload lies.

δ(ε) is computed by the arbitrary-precision generators of the reference data (`testdata/generate`), which share no code with the
crates. The root of δ(ε) = δ is searched for by secants, then δ is computed at two doubles around it: above the target at `lower`,
not above it at `upper`. A workload under add/remove is asked in both directions; the larger ε is the truth.

Needs what `testdata/generate/requirements.txt` lists. Takes minutes; names of workloads as arguments make only those.
`--guesses FILE` names a JSON file {workload: ε} where to begin: a good guess saves most of the time and cannot change the answer,
since what is written is only what the references enclose.
"""

import json
import math
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "testdata" / "generate"))

import contour as references  # noqa: E402
from composition import delta_of as delta_of_one  # noqa: E402
from composition import gaussian, laplace  # noqa: E402
from compose.contour import Contour  # noqa: E402
from compose.joined import JoinedUse  # noqa: E402
from compose.transform import Failed  # noqa: E402
from compose.uses import Use, expression  # noqa: E402
from flint import arb, ctx  # noqa: E402
from pairs import laws  # noqa: E402

#: Relative distance from the root to either of the two doubles that enclose it.
MARGIN = 4e-15
WIDEST_MARGIN = 1e-9
MOST_STEPS = 80
#: How many times the work that the reference data allow for a row. They end in different plans: where one fails, the next may not.
PATIENCE = (4, 1, 20)


def use(part):
    bases = {
        "gaussian": lambda: gaussian(part["sigma"]),
        "laplace": lambda: laplace(part["scale"]),
        "randomized_response": lambda: laws.made(
            "randomized_response", laws.response, True, epsilon=part["epsilon"]
        ),
    }
    base, rate = bases[part["mechanism"]](), part.get("rate", 1.0)
    if part.get("sampler") == "subset":
        return JoinedUse(base, rate, part["count"])
    return Use(base, rate, part["count"])


def reference(uses, sign, epsilon, lines):
    """δ(ε) by the first method that settles it."""
    reasons = []
    for line in list(lines):
        try:
            return references.delta_of(uses, sign, epsilon, line)
        except Failed as reason:
            reasons.append(reason)
            if len(lines) > 1:
                lines.remove(line)
    if len(uses) > 1 or isinstance(uses[0], JoinedUse):
        raise reasons[-1]
    return delta_of_one(uses[0], sign, epsilon)


def enclosed(workload, sign, guess=None):
    """Doubles (lower, upper) with δ(lower) > δ ≥ δ(upper); None if δ at the guess is far below the target."""
    uses = [use(part) for part in workload["parts"]]
    lines = [Contour(uses, sign, patience=patience) for patience in PATIENCE]
    target = arb(workload["delta"])

    def excess(epsilon):
        """log δ(ε) − log δ, as a double with the right sign."""
        value = reference(uses, sign, epsilon, lines)
        ctx.prec = 400
        if not value > 0:
            return -math.inf
        difference = (value / target).log()
        return float(difference.mid())

    def around(x, margin):
        lower, upper = x * (1 - margin), x * (1 + margin)
        return (lower, upper) if excess(lower) > 0 >= excess(upper) else None

    x = guess or max(lines[0].epsilon_for(math.log(workload["delta"]))[0], 1e-3)
    y = excess(x)
    if guess and y < -1e-3:
        return None
    low, high = (x, math.inf) if y > 0 else (0.0, x)
    slope = -max(lines[0].saddle(x), 1.0)
    for _ in range(MOST_STEPS):
        following = x - y / slope if math.isfinite(y) else (low + high) / 2
        if not low < following < high:
            following = (low + high) / 2 if math.isfinite(high) else 2 * x
        if abs(following - x) <= 1e-15 * abs(x):
            break
        value = excess(following)
        if math.isfinite(value) and math.isfinite(y) and value != y:
            slope = min((value - y) / (following - x), -1e-6)
        x, y = following, value
        low, high = (max(low, x), high) if y > 0 else (low, min(high, x))
    margin = MARGIN
    while margin < WIDEST_MARGIN:
        if found := around(x, margin):
            return found
        margin *= 8
    raise ArithmeticError(f"no enclosure of the root of {workload['name']}")


def main(wanted, guesses):
    path = HERE / "truth.json"
    load = lambda: json.loads(path.read_text())["epsilon"] if path.exists() else {}
    known = load()
    for workload in json.loads((HERE / "workloads.json").read_text()):
        name = workload["name"]
        if wanted and name not in wanted or not wanted and name in known:
            continue
        began = time.time()
        directions = {"remove": 1, "add": -1} if workload["relation"] == "add-remove" else {"replace": 1}
        try:
            found = {key: enclosed(workload, sign, guesses.get(name)) for key, sign in directions.items()}
        except Exception as error:  # one workload without a reference must not cost the others theirs
            print(f"{name}: no reference: {type(error).__name__}: {error}", flush=True)
            continue
        found = {key: ends for key, ends in found.items() if ends}
        if not found:
            print(f"{name}: the guess is too large", flush=True)
            continue
        direction = max(found, key=lambda key: found[key][0])
        known = load()
        known[name] = {
            "expression": expression([use(part) for part in workload["parts"]]),
            "direction": direction,
            "lower": found[direction][0],
            "upper": found[direction][1],
        }
        made = "bench/field/make_truth.py: arbitrary-precision δ(ε), above δ at `lower`, at most δ at `upper`"
        path.write_text(json.dumps({"made": made, "epsilon": known}, indent=1) + "\n")
        print(f"{name}: {found[direction]} ({direction}), {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    names = sys.argv[1:]
    begin = {}
    if names[:1] == ["--guesses"]:
        begin, names = json.loads(Path(names[1]).read_text()), names[2:]
    main(names, begin)
