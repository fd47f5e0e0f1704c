"""Golden values of ε where δ is below the total variation δ(0) by a part of 10⁻¹³ to 10⁻⁸: testdata/composition/last_digits.csv.

Poisson-sampled Gaussian mechanisms, a record added or removed; δ is a double, and ε has as many digits as one. Nine digits
of ε take up to twenty-two of δ, of up to 10⁸ uses.

- Many uses: the inverse of a Laplace transform along a vertical line, E[e^{zL}]^k/(z(z + 1)), with a trapezoidal rule over the
  outcomes for the moment.
- Rare losses: `rare_next_to_zero.py`, with more digits.

Two computations, with other lines and steps, agree to `AGREEMENT` at 0 and at ε.
"""

import math
import sys

from flint import acb, arb, ctx

import rare_next_to_zero
from golden import TESTDATA, log_uniform, rng_for
from next_to_largest import Added

PRECISION = 420
DIGITS = 17
#: Two computations agree to this part of δ.
AGREEMENT = arb(10) ** -33
LOG_NEGLIGIBLE = 90.0
ROWS = 40
RARE_ROWS = 24
#: (tilt and period in deviations of all losses, nodes for a deviation of the outcome)
LINES = [(5.0, 22.0, 26), (6.0, 24.0, 31)]
#: As in `rare_next_to_zero.py`.
RULES = [(14.0, 0.021, 1.05, 62), (17.0, 0.0187, 1.0, 73)]


class OnLine:
    """δ(ε) from one vertical line."""

    def __init__(self, sigma, rate, uses, relation, rule):
        tilts, periods, density = rule
        sigma, rate = arb(sigma), arb(rate)
        reach = int(density * (math.sqrt(2 * (LOG_NEGLIGIBLE + math.log(uses) + 10)) + 1 / float(sigma) + 1))
        self.nodes = []
        for i in range(-reach, reach + 1):
            x = arb(i) / density
            log = ((x / sigma - 1 / (2 * sigma**2)).exp() * rate + (1 - rate)).log()
            q = (-x * x / 2).exp() / ((2 * arb.pi()).sqrt() * density)
            self.nodes.append((-log, q) if relation == "add" else (log, q * log.exp()))
        variance = sum((p * loss * loss for loss, p in self.nodes), arb(0)) * uses
        deviation = variance.sqrt()
        self.tilt = arb(float(tilts / deviation))
        self.step = arb(float(2 * math.pi / (periods * deviation)))
        # Equally many nodes either way: then `Σ p = 1` to all digits.
        if not abs(sum((p for _, p in self.nodes), arb(0)) - 1) < arb(-LOG_NEGLIGIBLE).exp() / uses:
            raise ArithmeticError("nodes leave too much")
        self.terms, total, n = [], arb(0), 0
        while True:
            z = acb(self.tilt, self.step * n)
            moment = sum((p * (z * loss).exp() for loss, p in self.nodes), acb(0))
            term = moment**uses / (z * (z + 1))
            self.terms.append(term / 2 if n == 0 else term)
            total += abs(term)
            if n > 10 and abs(term) < total * arb(-LOG_NEGLIGIBLE).exp():
                break
            if n > 400:
                raise ArithmeticError("the line is too long")
            n += 1

    def delta(self, epsilon):
        epsilon = arb(epsilon)
        turn = acb(0, -self.step * epsilon)
        total = sum((term * (turn * n).exp() for n, term in enumerate(self.terms)), acb(0))
        return total.real * (-self.tilt * epsilon).exp() * self.step / arb.pi()


class OnParabola:
    """The same of rare losses."""

    def __init__(self, sigma, rate, uses, relation, rule):
        self.one, self.uses, self.relation, self.rule = Added(sigma, rate), uses, relation, rule
        self.taken = uses * self.one.largest

    def delta(self, epsilon):
        gap = self.taken - epsilon if self.relation == "add" else self.taken + epsilon
        excess = rare_next_to_zero.inverted(self.one, self.uses, gap, self.rule)
        return excess if self.relation == "add" else arb(epsilon).exp() * excess - arb(epsilon).expm1()


def root(one, delta, guess):
    """ε with δ(ε) = delta: δ is all but a straight line there."""
    at_zero = one.delta(arb(0))
    epsilon = guess(at_zero)
    for _ in range(4):
        slope = (at_zero - one.delta(epsilon)) / epsilon
        epsilon = ((at_zero - delta) / slope).mid()
    return at_zero, epsilon


def row(sigma, rate, uses, relation, part, kind, rules):
    one, other = (kind(sigma, rate, uses, relation, rule) for rule in rules)
    variation = one.delta(arb(0))
    if not arb(1e-12) < variation < arb(0.1):
        return None
    delta = float((variation * (1 - arb(part))).mid())
    at_zero, epsilon = root(one, arb(delta), lambda at_zero: (at_zero * part).mid())
    for place in (arb(0), epsilon):
        first, second = one.delta(place), other.delta(place)
        if not abs(first - second) <= at_zero * AGREEMENT:
            raise ArithmeticError(f"no agreement: {first} {second}")
    text = f'"poisson(gaussian(sigma={sigma!r}), rate={rate!r}) * {uses}"'
    return f"{text},{relation},{delta!r},{epsilon.str(DIGITS, radius=False)}"


def many(rng):
    sigma, uses = log_uniform(rng, 0.9, 60), int(log_uniform(rng, 100, 1e8))
    # Where the loss is all but normal, the total variation is 0.4 times its deviation.
    rate = log_uniform(rng, 1e-4, 0.24) * sigma / math.sqrt(uses)
    # Losses that are rare make lines long.
    is_usual = 1e-6 <= rate < 0.9 and rate * uses > 30 * math.exp(4 / sigma**2)
    return (sigma, rate, uses) if is_usual else None


def rare(rng):
    uses, sigma = int(log_uniform(rng, 2, 1e4)), log_uniform(rng, 0.3, 3.0)
    taken = log_uniform(rng, max(1e-5, 1e-6 * uses), 0.2)
    return (sigma, taken / uses, uses) if taken / uses < 0.4 else None


def rows(name, draw, count, kind, rules):
    rng, found = rng_for(f"last_digits/{name}"), 0
    while found < count:
        drawn, part, relation = draw(rng), log_uniform(rng, 1e-13, 1e-8), rng.choice(["add", "remove"])
        if not drawn:
            continue
        try:
            line = row(*drawn, relation, part, kind, rules)
        except ArithmeticError as error:
            print("left out:", drawn, str(error)[:200], file=sys.stderr, flush=True)
            continue
        if line:
            found += 1
            print(found, line, flush=True)
            yield line


def main():
    ctx.prec = PRECISION
    rare_next_to_zero.LOG_NEGLIGIBLE = LOG_NEGLIGIBLE
    lines = [
        "# ε of Poisson-sampled Gaussian mechanisms at a δ next to the total variation.",
        "# Generated by testdata/generate/last_digits.py: inputs are exact doubles, references have"
        f" {DIGITS} digits.",
        "expression,direction,delta,epsilon",
    ]
    lines += rows("many", many, ROWS, OnLine, LINES)
    lines += rows("rare", rare, RARE_ROWS, OnParabola, RULES)
    (TESTDATA / "composition" / "last_digits.csv").write_text("\n".join(lines) + "\n")
    print(len(lines) - 3, "rows")


if __name__ == "__main__":
    main()
