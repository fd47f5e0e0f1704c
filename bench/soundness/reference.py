"""δ(ε) of the cases of a campaign in arbitrary precision: reference.py CASES RESULTS [--seconds S] [--processes N].

Reads the columns `expression,direction,epsilon` and writes them with `delta`: 28 digits and more on which two computations agree, or
which one has proven, by the generators of `testdata` (which share no code with the crates); or `unsettled` where none of their methods
does so within S seconds of processor time.  Goes on where RESULTS ends.
"""

import argparse
import ast
import csv
import signal
import sys
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testdata" / "generate"))

from flint import ctx  # noqa: E402

import contour  # noqa: E402  (sets the precision of the methods)
import golden  # noqa: E402
from compose.contour import Contour, Failed, JoinedUse  # noqa: E402
from compose.uses import Use  # noqa: E402
from pairs import laws  # noqa: E402
from pairs.parts import Infeasible, LatticePart, Undecided  # noqa: E402

UNSETTLED = "unsettled"

#: The build of a mechanism, by its name and the names of what it is given.
BUILDS = {
    "gaussian": laws.gaussian,
    "laplace": laws.laplace,
    "discrete_gaussian": laws.discrete_gaussian,
    "discrete_laplace": laws.discrete_laplace,
    "k_randomized_response": laws.k_response,
    "truncated_gaussian": laws.truncated_gaussian,
    "truncated_laplace": laws.truncated_laplace,
    "uniform": laws.uniform,
    "gaussian_variance": laws.gaussian_variance,
    "stability": laws.stability,
    "skellam": laws.skellam,
    "staircase": laws.staircase,
}
#: Parameters that are whole numbers.
WHOLE = {"n", "m", "categories"}


class Slow(Exception):
    """The time of a row is over."""


def given(call):
    return {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}


def numbers(text):
    return [float(cell) for cell in text.split(",")]


def base(call):
    """(expression, build, symmetric) of a call without samplers."""
    name, values = call.func.id, given(call)
    is_discrete = name.startswith("discrete_") or name == "skellam"
    for key, value in values.items():
        if isinstance(value, int) and key not in WHOLE and not (is_discrete and key == "sensitivity"):
            values[key] = float(value)
    shown = ast.unparse(call)
    if name in ("report_noisy_max", "permute_and_flip", "sparse_vector"):  # known to be ε-DP, and no more
        return shown, (lambda: laws.response(**values)), True
    if name == "randomized_response":
        function = laws.response_by_chance if "p" in values else laws.response
        return shown, (lambda: function(**values)), True
    if name == "dp":
        return shown, (lambda: laws.approximate(values["epsilon"], values.get("delta", 0.0))), True
    if name == "exponential":
        function = laws.exponential if "epsilon" in values else laws.exponential_count
        return shown, (lambda: function(**values)), "epsilon" in values
    if name == "gdp":
        return shown, (lambda: laws.gaussian(1.0, values["mu"])), True
    if name == "binomial":
        return shown, (lambda: laws.binomial(values["n"], values.get("p", 0.5))), False
    if name == "gaussian_mixture":
        shifts, weights = numbers(values["shifts"]), numbers(values["weights"])
        return shown, (lambda: laws.gaussian_mixture(values["sigma"], shifts, weights)), False
    return shown, (lambda: BUILDS[name](**values)), name not in ("gaussian_variance", "stability")


def use(node, relation):
    count = 1
    if isinstance(node, ast.BinOp):
        node, count = node.left, ast.literal_eval(node.right)
    if node.func.id in ("poisson", "subset"):
        rate = float(given(node)["rate"])
        if relation == "replace" and rate != 1.0:
            return JoinedUse(base(node.args[0]), rate, count)
        return Use(base(node.args[0]), rate, count, node.func.id)
    return Use(base(node), 1.0, count)


def uses(expression, relation):
    """The parts of `m * k + …`, m a mechanism or a sample of one."""
    node, found = ast.parse(expression, mode="eval").body, []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        found.append(node.right)
        node = node.left
    return [use(part, relation) for part in [node, *reversed(found)]]


def delta(row):
    relation, epsilon = row["direction"], float(row["epsilon"])
    sign = -1 if relation == "add" else 1
    ctx.prec = 200
    parts = uses(row["expression"], relation)
    if len(parts) > 1 and any(isinstance(part, LatticePart) for use in parts for part in use.build().parts):
        raise Failed("along the line |M| comes back")
    line = Contour(parts, sign, contour.PATIENCE)
    found = contour.delta_of(parts, sign, epsilon, line)
    ctx.prec = 200
    if not 1e-305 < found < 1:
        raise Failed("not a normal double")
    return contour.decimal(found)


SETTLES = (
    Failed,
    Infeasible,
    Undecided,
    Slow,
    golden.TooInaccurate,
    OverflowError,
    ZeroDivisionError,
    ValueError,
    AssertionError,
    IndexError,
    MemoryError,
)


def settled(task):
    row, seconds = task

    def stop(*_):
        raise Slow

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return delta(row)
    except SETTLES:
        return UNSETTLED
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--enough", type=int, default=10**9, help="stop after so many settled cases")
    asked = parser.parse_args()
    cases = rows(asked.cases)
    done = rows(asked.results) if asked.results.exists() else []
    good = sum(row["delta"] != UNSETTLED for row in done)
    with open(asked.results, "a", newline="") as file, Pool(asked.processes) as pool:
        writer = csv.DictWriter(file, ["expression", "direction", "epsilon", "delta"], lineterminator="\n")
        if not done:
            writer.writeheader()
        tasks = [(row, asked.seconds) for row in cases[len(done) :]]
        for number, (found, (row, _)) in enumerate(zip(pool.imap(settled, tasks), tasks), len(done) + 1):
            writer.writerow({**row, "delta": found})
            file.flush()
            good += found != UNSETTLED
            if number % 50 == 0:
                print(f"{number} of {len(cases)}: {good} settled", file=sys.stderr, flush=True)
            if good >= asked.enough:
                pool.terminate()
                break


if __name__ == "__main__":
    main()
