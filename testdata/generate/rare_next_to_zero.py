"""Golden values of δ(ε) next to ε = 0 where losses are rare: testdata/composition/rare_next_to_zero.csv.

Poisson-sampled Gaussian mechanisms, a record added or removed. With the rise W = log(1 + q/(1 − q) e^{(2x−1)/(2σ²)}) of a
loss above the smallest, x ~ N(0, σ²), and T = −k log(1 − q), where a record is added δ(ε) = G(T − ε) with
G(g) = E[(1 − e^{ΣW−g})₊]; where it is removed, δ(ε) = 1 − e^ε + e^ε G(T + ε).

- Two, three, four and six uses: convolutions over w, by `next_to_largest.py`. No transform.
- Up to 10⁵ uses: the inverse of the Laplace transform E[e^{−sW}]^k/(s(s + 1)) along parabolas s = m(1 + it)², with
  nodes on a ray of complex w that is turned so far that e^{−sw} falls along it. Two computations, with other parabolas,
  rays, steps and ends, agree to `AGREEMENT`.
"""

import math
import sys

from flint import acb, arb, ctx

import next_to_largest
from golden import TESTDATA, log_uniform, rng_for
from next_to_largest import Added

PRECISION = 300
DIGITS = 24
#: Two computations agree to this part.
AGREEMENT = arb(10) ** -25
#: Terms below this part of all are left out.
LOG_NEGLIGIBLE = 66.0
#: How many rows there are of each number of uses, and of others.
ROWS = {2: 14, 3: 14, 4: 10, 6: 6}
MORE_ROWS = 60
#: What all uses together can take away, at most.
LARGEST = 0.44
#: (crossing of the parabola, step along it, angle of the ray, nodes for a unit of log w)
RULES = [(12.0, 0.03, 1.05, 42), (15.0, 0.0263, 1.0, 51)]


class Ray:
    """Nodes of E[e^{−sW}] on a ray of w."""

    def __init__(self, one, end, angle, density):
        step = arb(1) / density
        # Against s, which is above the real line.
        turn = acb(0, -angle)
        odds = one.log_odds
        # Below the first one there is less than what is negligible.
        low = float((one.odds * (-(2 * LOG_NEGLIGIBLE + 30) ** 0.5 / one.sigma - 0.5 / one.sigma**2).exp()).log().mid())
        self.nodes = []
        log_w = arb(end).log() - step / 2
        while log_w > low:
            place = acb(log_w) + turn
            w = place.exp()
            half = w / 2
            # log(e^w − 1), continued from small w.
            log_growth = place + half + (half.sinh() / half).log()
            x = acb(0.5) / one.sigma + one.sigma * (log_growth - odds)
            slope = one.sigma * w / (1 - (-w).exp())
            self.nodes.append((w, (-x * x / 2).exp() * slope * (one.scale * step)))
            log_w -= step

    def transform(self, s):
        return sum((weight * (-s * w).exp() for w, weight in self.nodes), acb(0))


def inverted(one, uses, gap, rule):
    """G(g)."""
    crossing, step, angle, density = rule
    m = crossing / gap
    # At the crossing, which is where e^{−sw} falls most slowly on the ray, nothing is left at its end.
    end = float((LOG_NEGLIGIBLE + math.log(uses) + crossing) / (m * arb(angle).cos()))
    if end > 5.5 or end < 2 * float(gap):
        raise ArithmeticError(f"rays end at {end}")
    ray = Ray(one, end, angle, density)
    total, i = acb(0), 0
    while True:
        t = arb(step) * i
        root = acb(1, t)
        s, slope = m * root * root, 2 * m * acb(0, 1) * root
        term = slope * ray.transform(s) ** uses * (s * gap).exp() / (s * (s + 1))
        total += term / 2 if i == 0 else term
        # Beyond, s is turned too far for the ray.
        turned = math.atan2(float(s.imag), float(s.real))
        if turned - angle > 0.5 * math.pi:
            raise ArithmeticError("turned too far")
        if i > 10 and abs(term) < abs(total) * arb(-LOG_NEGLIGIBLE).exp():
            break
        i += 1
    return total.imag * step / arb.pi()


def reference(one, uses, gap):
    if uses in ROWS:
        return next_to_largest.reference(one, uses, gap)
    first, second = (inverted(one, uses, gap, rule) for rule in RULES)
    if not abs(first - second) <= abs(first) * AGREEMENT:
        raise ArithmeticError(f"no agreement: {first} {second}")
    return first


def cases(name, uses_of):
    rng = rng_for(f"rare_next_to_zero/{name}")
    while True:
        uses = uses_of(rng)
        sigma = log_uniform(rng, 0.3, 3.0)
        taken = log_uniform(rng, max(1e-5, 1e-6 * uses), LARGEST)
        rate = taken / uses
        part = log_uniform(rng, 1e-9, 0.1)
        if rate < 0.4:
            yield uses, sigma, rate, part, rng.choice(["add", "remove"])


def row(uses, sigma, rate, part, relation):
    one = Added(sigma, rate)
    taken = uses * one.largest
    epsilon = float((part * taken).mid())
    gap = taken - epsilon if relation == "add" else taken + epsilon
    excess = reference(one, uses, gap)
    delta = excess if relation == "add" else arb(epsilon).exp() * excess - arb(epsilon).expm1()
    if not arb(1e-12) < delta < arb(0.1):
        return None
    text = f'"poisson(gaussian(sigma={sigma!r}), rate={rate!r}) * {uses}"'
    return f"{text},{relation},{epsilon!r},{delta.str(DIGITS, radius=False)}"


def rows(name, uses_of, count):
    found = 0
    for case in cases(name, uses_of):
        if found == count:
            return
        try:
            line = row(*case)
        except ArithmeticError as error:
            print("left out:", case, error, file=sys.stderr, flush=True)
            continue
        if line:
            found += 1
            yield line


def main():
    ctx.prec = PRECISION
    lines = [
        "# δ(ε) of Poisson-sampled Gaussian mechanisms with rare losses, next to ε = 0.",
        "# Generated by testdata/generate/rare_next_to_zero.py: inputs are exact doubles, references have"
        f" {DIGITS} digits.",
        "expression,direction,epsilon,delta",
    ]
    for uses, count in ROWS.items():
        lines += rows(uses, lambda _, uses=uses: uses, count)
        print(len(lines) - 3, flush=True)
    lines += rows("more", lambda rng: int(log_uniform(rng, 5, 1e5)), MORE_ROWS)
    (TESTDATA / "composition" / "rare_next_to_zero.csv").write_text("\n".join(lines) + "\n")
    print(len(lines) - 3, "rows")


if __name__ == "__main__":
    main()
