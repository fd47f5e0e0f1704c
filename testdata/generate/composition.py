"""Write testdata/composition/: δ(ε) of composed mechanisms.

Run without arguments for every file, or with the names of some.
"""

import math
import sys
import time

from flint import arb, ctx

import golden
from closed_form import gaussian_delta
from compose.contour import Contour, Failed
from compose.uses import Use, expression, infinite
from golden import log_uniform, rng_for
from pairs import laws
from pairs.evaluate import divergence
from pairs.evaluate import proven as proven_parts
from pairs.parts import Infeasible, Undecided, ball

#: Printed digits: two routes agree to more.
DIGITS = 36

#: Nonzero references smaller than this are left out.
SMALLEST = arb("1e-304")

HEADER = ["expression", "direction", "epsilon", "delta"]

LN10 = math.log(10)


def decimal(value):
    """A ball or a mid-point as `d.ddd…e±N` with `DIGITS` digits."""
    if value.is_zero():
        return "0"
    ctx.prec = 400
    old, golden.DIGITS = golden.DIGITS, DIGITS
    try:
        return golden.decimal(value.mid())
    finally:
        golden.DIGITS = old


def row(uses, sign, epsilon, delta):
    quoted = '"' + expression(uses).replace('"', '""') + '"'
    return quoted, "remove" if sign > 0 else "add", epsilon, decimal(delta)


def in_range(delta):
    return delta.is_zero() or delta.mid() > SMALLEST


# --- sampled Gaussians ---------------------------------------------------------------------------


def gaussian(sigma, sensitivity=1.0):
    return laws.made("gaussian", laws.gaussian, True, sigma=sigma, sensitivity=sensitivity)


def one_use(use, sign, epsilon):
    """δ of a single use, from the definition (57 proven digits)."""
    return proven_parts(lambda: divergence(use.build, use.gamma, sign, epsilon)[:1])[0]


def all_gaussian(uses, epsilon):
    """δ of unsampled Gaussians: one Gaussian (57 proven digits)."""

    def value():
        mu_squared = arb(0)
        for use in uses:
            mu_squared += use.count * use.build().parts[0].shifts[0] ** 2
        return gaussian_delta(mu_squared, arb(epsilon))[0]

    return golden.proven(value)


def some_target(rng, largest):
    """log δ: half log-uniform down to 10⁻³⁰⁰, half in the range that is used in practice."""
    lowest = -300 * LN10 if rng.random() < 0.5 else max(-16 * LN10, largest - 37)
    return rng.uniform(lowest, largest - 0.05)


def some_epsilon(rng, contour):
    """(ε, c) with ε > 0 for a random δ."""
    largest = contour.guess(contour.saddle(0.0))[1]
    epsilon, c = contour.epsilon_for(some_target(rng, min(largest, math.log(0.9))))
    if rng.random() < 0.3 and epsilon > 0.02:
        rounded = float(f"{epsilon:.2g}")
        epsilon, c = rounded, contour.saddle(rounded)
    return epsilon, c


COUNTS = [1, 2, 5, 10, 100, 10**3, 10**4, 10**5, 10**6, 10**8]


def some_count(rng, counts=COUNTS):
    if rng.random() < 0.7:
        return rng.choice(counts)
    return int(log_uniform(rng, 1, max(counts)))


def some_sampled_gaussian(rng):
    sigma = log_uniform(rng, 0.3, 100) if rng.random() < 0.5 else log_uniform(rng, 0.4, 5)
    count = some_count(rng)
    rate = log_uniform(rng, 1e-6, 1)
    if rng.random() < 0.6:  # a total that is neither nothing nor everything
        total = log_uniform(rng, 0.05, 20)
        rate = min(1.0, total * max(sigma, 0.6) / math.sqrt(count))
    if rng.random() < 0.25:
        sigma = rng.choice([0.5, 0.7, 0.8, 1.0, 1.1, 1.5, 2.0, 4.0, 10.0])
        rate = min(1.0, max(1e-6, float(f"{rate:.1g}")))
    rate = max(rate, 1e-6)
    return Use(gaussian(sigma), rate, count)


def sampled_gaussian_row(rng):
    use = some_sampled_gaussian(rng)
    sign = rng.choice([1, -1])
    contour = Contour([use], sign)
    epsilon, c = some_epsilon(rng, contour)
    if use.gamma == 1:
        return row([use], sign, epsilon, all_gaussian([use], epsilon))
    if use.count == 1:
        return row([use], sign, epsilon, one_use(use, sign, epsilon))
    return row([use], sign, epsilon, contour.delta(epsilon, c))


# --- files ---------------------------------------------------------------------------------------

FILES = {
    "sampled_gaussian": (
        420,
        sampled_gaussian_row,
        "δ(ε) of `count` uses of a Poisson-sampled Gaussian mechanism.",
    ),
}


def rows(name, count, make):
    rng = rng_for(f"composition/{name}")
    found, reasons, started = [], {}, time.time()
    while len(found) < count:
        begun = time.time()
        try:
            made = make(rng)
        except (Failed, Infeasible, Undecided, OverflowError) as error:
            reason = f"{type(error).__name__}: {str(error)[:20]}"
            reasons[reason] = reasons.get(reason, 0) + 1
            made = None
        if time.time() - begun > 15:
            print(f"  {time.time() - begun:.0f} s: {made and made[:3]}", file=sys.stderr)
        if made is None:
            continue
        if not (made[3] == "0" or int(made[3].split("e")[1]) > -305):
            continue
        found.append(made)
        if len(found) % 25 == 0:
            print(f"  {name}: {len(found)}, {time.time() - started:.0f} s", file=sys.stderr)
    print(f"{name}: {time.time() - started:.0f} s, dropped {reasons}", flush=True)
    return found


def write(name, what, found):
    path = golden.TESTDATA / "composition" / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"# {line}" for line in what.strip().splitlines()]
    lines.append(
        "# Generated by testdata/generate/composition.py: inputs are exact doubles or integers,"
        f" references have {DIGITS} digits."
    )
    lines.append(",".join(HEADER))
    for entry in found:
        lines.append(",".join(golden.field(value) for value in entry))
    path.write_text("\n".join(lines) + "\n")
    print(f"composition/{name}: {len(found)} rows, {path.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or FILES:
        count, make, what = FILES[name]
        write(name, what, rows(name, count, make))
