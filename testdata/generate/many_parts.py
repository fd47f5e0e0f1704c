"""Golden values of δ(ε) of many different mechanisms with atoms: testdata/composition/many_parts.csv.

With w = z + 1/2 the moment generating function of a randomised response is K(e^{aw} + e^{−aw}), K = e^{a/2}/(1 + e^a), and that of
Laplace noise, a = 1/scale, is K(e^{aw}(1 + u) + e^{−aw}(1 − u)), K = e^{−a/2}/2, u = 1/(2w). A product of n of them is a sum over
2ⁿ signs, s the sum of all ±a and j the number of minus signs of the L Laplace mechanisms,

    ΠM = ΠK · Σ e^{sw} (1 + u)^{L−j} (1 − u)^j,    δ = P(∞) + e^{ε/2} · (1/2πi)∫ ΠM e^{−εw} dw/(w² − 1/4),

and each term is the sum of its residues at ±1/2 and 0 if s > ε, and nothing else. No lattice, no quadrature: sums in ball
arithmetic. Where there are too many signs, and a Gaussian mechanism among the parts, by the contour of `compose/contour.py`.

Run without arguments; takes about two minutes.
"""

import math

from flint import arb, arb_poly, ctx, fmpz_poly

from compose.contour import Contour
from compose.transform import Failed
from compose.uses import Use
from composition import gaussian, laplace, row
from golden import TESTDATA, accurate, rng_for
from pairs import laws

PRECISION = 420
#: How many mechanisms there are where signs are listed, and where they are not.
FEW, MANY = (16, 20), (60, 200)
#: Rows of either.
SIGNS, LINES = 40, 30


class Part:
    """A randomised response that reveals everything with a chance, or Laplace noise; sampled, if signs are not listed."""

    def __init__(self, made, loss, chance=0.0, is_laplace=False):
        self.made, self.loss, self.chance, self.is_laplace = made, loss, chance, is_laplace
        self.rate = 1.0

    def use(self):
        return Use(self.made, self.rate)

    def deviation(self):
        return float(self.loss()) * self.rate


def response(epsilon, chance=0.0):
    made = laws.made("dp", laws.approximate, True, epsilon=epsilon, delta=chance)
    return Part(made, lambda: arb(epsilon), chance)


def noise(scale):
    return Part(laplace(scale), lambda: 1 / arb(scale), is_laplace=True)


def residues(laplaces, minus):
    """The polynomial in t = s − ε, and whether e^{t/2} and −e^{−t/2} are there, 2^L times."""
    powers = (fmpz_poly([1, 1]) ** (laplaces - minus)) * (fmpz_poly([1, -1]) ** minus)
    found = [arb(0)] * max(laplaces, 1)
    for k in range(1, laplaces + 1):
        for m in range((k - 1) // 2 + 1):
            degree = k - 1 - 2 * m
            found[degree] -= arb(powers[k]) * arb(4) ** (m + 1) / (arb(2) ** k * arb(math.factorial(degree)))
    return arb_poly(found), minus == 0, minus == laplaces


def signs_delta(parts, epsilon):
    laplaces = sum(part.is_laplace for part in parts)
    kinds = [residues(laplaces, minus) for minus in range(laplaces + 1)]
    factor, finite = (arb(epsilon) / 2).exp(), arb(1)
    sums = [(arb(-epsilon), 0)]
    for part in parts:
        a = part.loss()
        half = (a / 2).exp()
        factor *= 1 / (2 * half) if part.is_laplace else half / (1 + a.exp())
        finite *= 1 - arb(part.chance)
        step = int(part.is_laplace)
        sums = [(s + a, j) for s, j in sums] + [(s - a, j + step) for s, j in sums]
    total = arb(0)
    for t, j in sums:
        if t <= 0:
            continue
        if not t > 0:
            raise Failed("a loss that may be ε")
        polynomial, rises, falls = kinds[j]
        total += polynomial(t)
        if rises or falls:
            half = (t / 2).exp()
            total += 2**laplaces * (int(rises) * half - int(falls) / half)
    return 1 - finite + finite * factor * total


def check():
    """One Laplace mechanism and one randomised response, in closed form."""
    epsilon, a = arb(0.25), arb(1) / 2
    assert abs(signs_delta([noise(2.0)], 0.25) - (1 - ((epsilon - a) / 2).exp())) < arb(2) ** -300
    exact = (a.exp() - epsilon.exp()) / (1 + a.exp())
    assert abs(signs_delta([response(0.5)], 0.25) - exact) < arb(2) ** -300


def some_parts(rng, count):
    """Of losses of similar sizes, of one kind or of both."""
    size = 10 ** rng.uniform(-2.2, -0.2)
    laplaces = rng.choice([0.0, 1.0, 0.5])
    chance = rng.choice([0.0, 1e-9])
    for _ in range(count):
        a = size * rng.uniform(0.4, 1.6)
        if rng.random() < laplaces:
            yield noise(float(f"{1 / a:.6g}"))
        else:
            yield response(float(f"{a:.6g}"), float(f"{chance * rng.random():.3g}"))


def some_epsilon(rng, parts, variance=0.0):
    """A loss that is some standard deviations above the mean, as if all were normal."""
    variance += sum(part.deviation() ** 2 for part in parts)
    return float(f"{variance / 2 + rng.uniform(0.2, 4.0) * math.sqrt(variance):.6g}")


def signs_row(rng):
    parts = list(some_parts(rng, rng.randint(*FEW)))
    epsilon = some_epsilon(rng, parts)
    ctx.prec = PRECISION
    delta = signs_delta(parts, epsilon)
    if not (accurate(delta) and delta > 1e-60):
        return None
    return row([part.use() for part in parts], 1, epsilon, delta)


def line_row(rng):
    parts = list(some_parts(rng, rng.randint(*MANY)))
    if rng.random() < 0.5:
        for part in parts:
            part.rate = round(rng.uniform(0.05, 0.6), 4)
    variance = sum(part.deviation() ** 2 for part in parts)
    sigma = float(f"{1 / math.sqrt(variance * rng.uniform(0.1, 0.4)):.6g}")
    uses = [part.use() for part in parts] + [Use(gaussian(sigma))]
    epsilon, sign = some_epsilon(rng, parts, sigma**-2), rng.choice([1, -1])
    try:
        return row(uses, sign, epsilon, Contour(uses, sign).delta(epsilon))
    except Failed:
        return None


def rows(make, name, wanted):
    rng = rng_for(name)
    found = 0
    while found < wanted:
        made = make(rng)
        if made:
            found += 1
            print(name, found, made[2], made[3], len(made[0]), flush=True)
            yield ",".join(str(field) if not isinstance(field, float) else repr(field) for field in made)


def main():
    ctx.prec = PRECISION
    check()
    lines = [
        "# δ(ε) of many different mechanisms with atoms.",
        "# Generated by testdata/generate/many_parts.py: inputs are exact doubles, references have 36 digits.",
        "expression,direction,epsilon,delta",
        *rows(signs_row, "many_parts by signs", SIGNS),
        *rows(line_row, "many_parts by lines", LINES),
    ]
    (TESTDATA / "composition" / "many_parts.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
