"""Golden values of δ(ε) next to the largest loss: testdata/composition/next_to_largest.csv.

A few uses of a Poisson-sampled Gaussian mechanism to which a record is added: P = N(0, σ²) against
Q = (1 − q)N(0, σ²) + qN(1, σ²). No loss is above l = −log(1 − q); what is missing to it is

    W = log(1 + q/(1 − q) e^{(2x−1)/(2σ²)}) > 0,    x ~ P,

and with g = kl − ε, δ_k(ε) = G_k(g) = E[(1 − e^{ΣW−g})₊]. One use has closed forms: the density f₁ of
W, and G₁ by normal tails. More uses are convolutions,

    f_{i+j}(g) = ∫ f_i(w) f_j(g − w) dw,    G_{i+j}(g) = ∫ f_i(w) G_j(g − w) dw,

of which G₂ = f₁*G₁, G₃ = f₁*G₂, G₄ = f₂*G₂, G₆ = f₂*G₄, G₈ = f₄*G₄. With w = g/(1 + e^{−s}) an integrand
is analytic around the real line and falls at both ends as a normal density, so the trapezoidal rule
in s converges geometrically. Nothing is subtracted but kl − ε and two normal tails; balls keep the
rounding. Every row is computed with two steps, of which neither divides the other, and they agree to
26 digits. For six and eight uses f₂ and G₂ are polynomials in log w, piece by piece, whose degree and
pieces differ between the two computations as well. No transform, no lattice.

Run without arguments; with `check`, compare with `rare_losses.csv`, with integrals over the outcomes of three
uses, with plain draws, and with other orders of convolution.
"""

import csv
import math
import sys

from flint import acb, arb, arb_mat, arb_poly, ctx

import rare_losses
from golden import TESTDATA, log_uniform, rng_for

PRECISION = 256
DIGITS = 24
#: Two computations agree to this part.
AGREEMENT = arb(10) ** -26
#: Terms that fall below this part of the largest one end a sum.
NEGLIGIBLE = arb(10) ** -38
#: Length, where σ is at most 2 and W small, and degree of the pieces, in turns.
PIECES = [(1.0, 32), (0.8, 36)]
#: How many uses enter by their density.
DENSITY_OF = {2: 1, 3: 1, 4: 2, 6: 2, 8: 4}
#: How many rows there are of each number of uses.
ROWS = {2: 40, 3: 40, 4: 30, 6: 10, 8: 6}


class Added:
    """One use: what is missing to the largest loss."""

    def __init__(self, sigma, rate):
        self.sigma, self.rate = arb(sigma), arb(rate)
        self.largest = -(-self.rate).log1p()
        self.odds = self.rate / (1 - self.rate)
        self.log_odds = self.odds.log()
        self.scale = 1 / (2 * arb.pi()).sqrt()

    def outcome(self, w):
        """The x/σ at which W is this."""
        return (arb(0.5) + self.sigma**2 * (w.expm1().log() - self.log_odds)) / self.sigma

    def density(self, w):
        """f₁(w) = φ(x/σ)/σ · dx/dw."""
        x = self.outcome(w)
        return (-x * x / 2).exp() * self.scale * self.sigma / -(-w).expm1()

    def excess(self, v):
        """G₁(v) = Φ(x/σ)(1 − e^{−v}) − e^{−v} q/(1 − q) Φ((x − 1)/σ)."""
        x = self.outcome(v)
        without, with_it = (((by - x) / arb(2).sqrt()).erfc() / 2 for by in (arb(0), 1 / self.sigma))
        return -(-v).expm1() * without - (-v).exp() * self.odds * with_it


def convolution(first, second, at, step):
    """∫ first(w) second(at − w) dw, by the trapezoidal rule in s with w = at/(1 + e^{−s})."""

    def term(s):
        up, down = (1 + (-s).exp()), (1 + s.exp())
        w, v = at / up, at / down
        return first(w) * second(v) / (up * down)

    total = largest = previous = term(arb(0))
    for sign in (1, -1):
        last, i = previous, 1
        while True:
            value = term(step * (sign * i))
            total += value
            if value.mid() > largest.mid():
                largest = value
            # Behind the last of one or two humps.
            if value.mid() < last.mid() and value.mid() < NEGLIGIBLE * largest.mid():
                break
            last, i = value, i + 1
    return total * step * at


class Pieces:
    """The logarithm of a function as polynomials in log w, one for each piece that is asked for."""

    def __init__(self, function, length, degree):
        self.function, self.length, self.degree = function, length, degree
        self.nodes = [(arb.pi() * (2 * i + 1) / (2 * degree + 2)).cos().mid() for i in range(degree + 1)]
        self.pieces = {}
        ctx.prec *= 2
        self.inverse = arb_mat([[node**j for j in range(degree + 1)] for node in self.nodes]).inv()
        ctx.prec //= 2

    def __call__(self, w):
        y = w.log() / self.length
        index = math.floor(float(y.mid()))
        if index not in self.pieces:
            middle = index + arb(0.5)
            values = [
                self.function(((middle + node / 2) * self.length).exp()).log() for node in self.nodes
            ]
            column = self.inverse * arb_mat([[value] for value in values])
            self.pieces[index] = arb_poly([column[i, 0] for i in range(self.degree + 1)])
        return self.pieces[index](2 * (y - index) - 1).exp()


class Uses:
    """The convolutions of one mechanism, with one choice of steps."""

    def __init__(self, one, step, length=None, degree=None):
        self.step = arb(step)
        self.pieces = (lambda f: Pieces(f, arb(length), degree)) if length else (lambda f: f)
        self.densities = {1: one.density}
        self.excesses = {1: one.excess}

    def density(self, uses):
        if uses not in self.densities:
            half = self.density(uses // 2)
            self.densities[uses] = self.pieces(lambda w: convolution(half, half, w, self.step))
        return self.densities[uses]

    def excess(self, uses):
        if uses not in self.excesses:
            self.excesses[uses] = self.pieces(lambda v: self.delta(uses, v))
        return self.excesses[uses]

    def delta(self, uses, gap, first=None):
        """G of so many uses, of which `first` enter by their density."""
        first = first or DENSITY_OF[uses]
        return convolution(self.density(first), self.excess(uses - first), gap, self.step)


def reference(one, uses, gap):
    """δ, once two steps agree on it."""
    previous, step, finer = None, 0.26, False
    while step > 0.01:
        # Without interpolation as long as there is but one integral inside another.
        length, degree = (None, None) if uses <= 4 else PIECES[finer]
        # W has singularities at 2πi and its multiples.
        length = length and length * min(1.0, 2.0 / float(one.sigma), 1.0 if gap < 0.5 else 0.4)
        value = Uses(one, step, length, degree).delta(uses, gap)
        if not value.rel_accuracy_bits() > 100:
            raise ArithmeticError(f"rounding: {value}")
        if previous is not None and abs(value - previous) <= abs(value) * AGREEMENT:
            return value
        previous, step, finer = value, step * 0.77, not finer
    raise ArithmeticError("no convergence")


def cases(uses):
    """The k outcomes are some deviations out, and the gap is that of as many equal ones, more or less."""
    rng = rng_for(f"next_to_largest/{uses}")
    while True:
        sigma = log_uniform(rng, 0.3, 1.0) if rng.random() < 0.5 else log_uniform(rng, 0.3, 5.0)
        rate = log_uniform(rng, 1e-6, 0.95)
        deviations, factor = rng.uniform(0.0, 20.0 / math.sqrt(uses)), rng.uniform(0.5, 3.0)
        one = Added(sigma, rate)
        x = -deviations * one.sigma
        w = (one.odds * ((2 * x - 1) / (2 * one.sigma**2)).exp()).log1p()
        epsilon = float((uses * (one.largest - w * factor)).mid())
        gap = uses * one.largest - arb(epsilon)
        if 0.0 < epsilon and gap > 1e-14 * epsilon:
            yield sigma, rate, one, epsilon, gap


def rows(uses):
    count = 0
    for sigma, rate, one, epsilon, gap in cases(uses):
        if count == ROWS[uses]:
            return
        # A rough value first, which costs little.
        rough = Uses(one, 0.5, 1.0 if uses > 4 else None, 10).delta(uses, gap)
        if not 1e-110 < rough.mid() < 0.09:
            continue
        text = reference(one, uses, gap).str(DIGITS, radius=False)
        count += 1
        yield f'"poisson(gaussian(sigma={sigma!r}), rate={rate!r}) * {uses}",add,{epsilon!r},{text}'


def check():
    """Against the references of two uses, where a record is added; then other orders of convolution."""
    with (TESTDATA / "composition" / "rare_losses.csv").open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["direction"] == "add" and row["delta"] != "0":
                inner = row["expression"].replace("=", ",").replace(")", ",").split(",")
                one, epsilon = Added(float(inner[1]), float(inner[4])), float(row["epsilon"])
                ours = reference(one, 2, 2 * one.largest - arb(epsilon))
                apart = abs(ours / arb(row["delta"]) - 1)
                print(2, row["expression"], epsilon, row["delta"], apart.str(3, radius=False), flush=True)
                assert apart < arb(10) ** -27
    for sigma, rate, epsilon in [(0.7, 0.3, 0.4), (1.5, 0.02, 0.05), (0.45, 0.8, 4.5), (3.0, 1e-4, 2.5e-4)]:
        one = Added(sigma, rate)
        ours = reference(one, 3, 3 * one.largest - arb(epsilon))
        apart = abs(over_outcomes(sigma, rate, epsilon) / ours - 1)
        print(3, sigma, rate, epsilon, ours.str(24, radius=False), apart.str(3, radius=False), flush=True)
        assert apart < arb(10) ** -24
    for uses, sigma, rate, epsilon in [(3, 0.7, 0.3, 0.4), (4, 0.5, 0.1, 0.2), (8, 1.0, 0.2, 0.3)]:
        one = Added(sigma, rate)
        ours = float(reference(one, uses, uses * one.largest - arb(epsilon)).mid())
        mean, deviation = by_chance(sigma, rate, uses, epsilon)
        print(uses, sigma, rate, epsilon, ours, mean, deviation, flush=True)
        assert abs(mean - ours) < 4 * deviation
    for uses, first in {3: 2, 4: 1, 6: 4, 8: 2}.items():
        wanted = (case for case in cases(uses) if 0.6 < case[0] < 2.0)
        for (sigma, rate, one, epsilon, gap), _ in zip(wanted, range(2)):
            length = None if uses == 3 else 0.7 * min(1.0, 2.0 / sigma, 1.0 if gap < 0.5 else 0.4)
            other = Uses(one, 0.1, length, 34).delta(uses, gap, first)
            ours = reference(one, uses, gap)
            apart = abs(other / ours - 1)
            print(uses, sigma, rate, epsilon, ours.str(24, radius=False), apart.str(3, radius=False), flush=True)
            assert apart < arb(10) ** -24


def over_outcomes(sigma, rate, epsilon):
    """δ of three uses as an integral over the first outcome of that of two, which is one over the second."""
    pair = rare_losses.Add(sigma, rate)

    def of_two(threshold):
        if not (threshold * (1 - pair.rate) ** 2).real < 1:
            return acb(0)
        return acb(pair.delta(threshold.log()))

    growth, reach = acb(epsilon).exp(), rare_losses.REACH * pair.sigma.real
    last = pair.outcome(1 / (growth * (1 - pair.rate) ** 2)).real
    return rare_losses.integral(
        lambda x: pair.density(x) * of_two(growth * pair.ratio(x)), -reach, min(last, reach)
    )


def by_chance(sigma, rate, uses, epsilon, draws=400_000):
    """δ and its deviation from plain draws of the outcomes."""
    rng, total, squares = rng_for("next_to_largest/chance"), 0.0, 0.0
    for _ in range(draws):
        ratios = (
            1 - rate + rate * math.exp((2 * rng.gauss(0.0, sigma) - 1) / (2 * sigma**2)) for _ in range(uses)
        )
        value = max(0.0, 1 - math.exp(epsilon) * math.prod(ratios))
        total, squares = total + value, squares + value**2
    mean = total / draws
    return mean, math.sqrt((squares / draws - mean**2) / draws)


def main():
    ctx.prec = PRECISION
    if sys.argv[1:] == ["check"]:
        check()
        return
    lines = [
        "# δ(ε) of a few uses of a sampled Gaussian mechanism, a record added, next to the largest loss and below.",
        "# Generated by testdata/generate/next_to_largest.py: inputs are exact doubles, references have"
        f" {DIGITS} digits.",
        "expression,direction,epsilon,delta",
    ]
    for uses in ROWS:
        for line in rows(uses):
            lines.append(line)
            print(line, flush=True)
    (TESTDATA / "composition" / "next_to_largest.csv").write_text("\n".join(lines) + "\n")
    print(len(lines) - 3, "rows")


if __name__ == "__main__":
    main()
