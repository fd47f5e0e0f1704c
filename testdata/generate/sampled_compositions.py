"""δ(ε) of samples of compositions: testdata/composition/sampled_compositions.csv.

The loss of a Gaussian, N(μ²/2, μ²) under P, and that of a Laplace mechanism at distance d, with atoms
±d of ½ and ½e^{−d} and the density ¼e^{(ℓ−d)/2} between them, are added by quadrature.  The sample
has δ in closed form: γ·H at log(1 + (e^ε − 1)/γ) for removing a record, f·H at log(γe^ε/f) with
f = 1 − e^ε(1 − γ) for adding one.  Two uses of the sample are one more quadrature, over the loss of
the first; a sample of two samples is the closed form again.

Quadrature is by Gauss–Legendre panels, ever smaller towards points where an integrand is not
analytic.  Two orders of the rule have to agree in all digits.
"""

import functools
from decimal import Decimal
from itertools import chain

from flint import arb, ctx

from golden import TESTDATA

ctx.prec = 220
DIGITS = 20
#: The normal law is followed up to so many standard deviations: beyond is e^{−128}.
REACH = 16
#: The Laplace part is followed by one panel, which takes more points the wider it is.
ORDERS = {1: (100, 140), 2: (28, 40)}
ZERO, ONE, HALF = arb(0), arb(1), arb(1) / 2


@functools.cache
def rule(order):
    return [arb.legendre_p_root(order, i, weight=True) for i in range(order)]


def integral(f, ends, order):
    """Over panels between neighbouring ends."""
    total = ZERO
    for a, b in zip(ends, ends[1:]):
        middle, half = (a + b) / 2, (b - a) / 2
        for node, weight in rule(order):
            total += weight * half * f(middle + half * node)
    return total


def panels(low, high, width, kinks):
    """Ends of panels, graded towards each kink."""
    steps = int(float((high - low) / width)) + 1
    ends = [low + (high - low) * arb(i) / steps for i in range(1, steps)]
    for kink in kinks:
        ends.append(kink)
        for sign in (-1, 1):
            ends += [kink + sign * width * arb(2) ** -j for j in range(1, 20)]
    return [low, *sorted((end for end in ends if low < end < high), key=float), high]


def normal_cdf(x):
    return (-x / arb(2).sqrt()).erfc() / 2


class Normal:
    """The loss of Gaussians."""

    def __init__(self, mu):
        self.mu = mu

    def delta(self, epsilon):
        mu = self.mu
        return normal_cdf(mu / 2 - epsilon / mu) - epsilon.exp() * normal_cdf(-mu / 2 - epsilon / mu)

    def density(self, loss):
        mu = self.mu
        return (-((loss - mu**2 / 2) ** 2) / (2 * mu**2)).exp() / (mu * (2 * arb.pi()).sqrt())


class WithLaplace:
    """A loss and that of a Laplace mechanism."""

    def __init__(self, base, distance, order):
        self.base, self.d, self.order = base, distance, order
        d = distance
        # Known by its atoms and by points of its density.
        self.points = [(d, HALF), (-d, (-d).exp() / 2)]
        for node, weight in rule(order):
            loss = d * node
            self.points.append((loss, weight * d * ((loss - d) / 2).exp() / 4))

    def delta(self, epsilon):
        return sum((p * self.base.delta(epsilon - loss) for loss, p in self.points), ZERO)

    def density(self, loss):
        return sum((p * self.base.density(loss - other) for other, p in self.points), ZERO)


class TwoLaplace:
    """Two equal Laplace mechanisms, whose curve has kinks."""

    def __init__(self, distance, order):
        self.d, self.order = distance, order

    def one(self, epsilon):
        d = self.d
        if epsilon > d:
            return ZERO
        return 1 - ((epsilon - d) / 2).exp() if epsilon > -d else 1 - epsilon.exp()

    def delta(self, epsilon):
        d = self.d
        kinks = [kink for kink in (epsilon - d, epsilon + d) if -d < kink < d]
        ends = [-d, *sorted(kinks, key=float), d]
        between = integral(
            lambda loss: ((loss - d) / 2).exp() / 4 * self.one(epsilon - loss), ends, self.order
        )
        return self.one(epsilon - d) / 2 + (-d).exp() / 2 * self.one(epsilon + d) + between


class Sample:
    """A Poisson sample of a pair that is its own dual, or of one with a dual."""

    def __init__(self, base, rate, direction, dual=None):
        self.base, self.rate, self.direction = base, rate, direction
        self.dual = dual or base

    def delta(self, epsilon):
        rate, alpha = self.rate, epsilon.exp()
        if self.direction == "remove":
            if not alpha > 1 - rate:
                return 1 - alpha
            return rate * self.base.delta((1 + (alpha - 1) / rate).log())
        factor = 1 - alpha * (1 - rate)
        if not factor > 0:
            return ZERO
        return factor * self.dual.delta((rate * alpha / factor).log())


class Twice:
    """Two uses of a sample of a self-dual pair with a density."""

    def __init__(self, sample, low, high, width, order):
        self.sample, self.low, self.high = sample, low, high
        self.width, self.order = width, order

    def delta(self, epsilon):
        sample, rate = self.sample, self.sample.rate
        # The loss at which the other use meets the end of its losses.
        edge = (epsilon.exp() / (1 - rate) - 1 + rate) / rate
        back = ((-epsilon).exp() / (1 - rate) - 1 + rate) / rate
        kink = edge if sample.direction == "remove" else back
        kinks = [kink.log()] if kink > 0 else []

        def at(loss):
            law = self.sample.base.density(loss)
            mixed = 1 - rate + rate * loss.exp()
            if sample.direction == "remove":
                return law * (-loss).exp() * mixed * sample.delta(epsilon - mixed.log())
            return law * (-loss).exp() * sample.delta(epsilon + mixed.log())

        return integral(at, panels(self.low, self.high, self.width, kinks), self.order)


def once():
    for sigma, scale in [(1.0, 2.0), (2.0, 1.0), (0.75, 4.0), (4.0, 0.5)]:
        text = f"gaussian(sigma={sigma:g}) + laplace(scale={scale:g})"
        for rate in (0.0078125, 0.25):
            for direction in ("remove", "add"):
                for epsilon in (0.0, 0.125, 1.0, 3.0):
                    def value(order):
                        base = WithLaplace(Normal(1 / arb(sigma)), 1 / arb(scale), order)
                        return Sample(base, arb(rate), direction).delta(arb(epsilon))

                    yield f"poisson({text}, rate={rate})", direction, epsilon, value
    for scale in (2.0, 0.5):
        for rate in (0.03125, 0.5):
            for direction in ("remove", "add"):
                for epsilon in (0.0078125, 0.25):
                    def value(order):
                        base = TwoLaplace(1 / arb(scale), order)
                        return Sample(base, arb(rate), direction).delta(arb(epsilon))

                    yield f"poisson(laplace(scale={scale:g}) * 2, rate={rate})", direction, epsilon, value


def twice():
    for sigma, scale in [(1.0, 2.0), (2.0, 1.0)]:
        inner = f"gaussian(sigma={sigma:g}) + laplace(scale={scale:g})"
        for rate in (0.0625, 0.25):
            for direction in ("remove", "add"):
                for epsilon in (0.0625, 0.5, 2.0):
                    def value(order):
                        return two(sigma, scale, rate, direction, order).delta(arb(epsilon))

                    yield f"poisson({inner}, rate={rate}) * 2", direction, epsilon, value
            for direction in ("remove", "add"):
                def value(order):
                    both = [two(sigma, scale, rate, which, order) for which in ("remove", "add")]
                    return Sample(both[0], arb(0.5), direction, both[1]).delta(arb(0.25))

                yield f"poisson(poisson({inner}, rate={rate}) * 2, rate=0.5)", direction, 0.25, value


def two(sigma, scale, rate, direction, order):
    mu, distance = 1 / arb(sigma), 1 / arb(scale)
    base = WithLaplace(Normal(mu), distance, order)
    sample = Sample(base, arb(rate), direction)
    low, high = -distance - mu**2 / 2 - REACH * mu, distance + mu**2 / 2 + REACH * mu
    return Twice(sample, low, high, mu, order)


def printed(value):
    """As d.ddd…e±N."""
    number = Decimal(value.mid().str(DIGITS, radius=False))
    return f"{number:.{DIGITS - 1}e}".replace("e+", "e")


def main():
    path = TESTDATA / "composition" / "sampled_compositions.csv"
    written = 0
    with path.open("w") as file:
        file.write("# δ(ε) of samples of compositions.\n")
        file.write(
            "# Generated by testdata/generate/sampled_compositions.py: inputs are exact doubles,"
            f" references have {DIGITS} digits.\nexpression,direction,epsilon,delta\n"
        )
        for text, direction, epsilon, value in chain(once(), twice()):
            first, second = (value(order) for order in ORDERS[2 if ") * 2" in text and "gaussian" in text else 1])
            if not second > arb(1e-290):
                continue
            apart = abs(float((first - second) / second))
            assert apart < 10.0**-DIGITS, (text, direction, epsilon, apart)
            file.write(f'"{text}",{direction},{epsilon!r},{printed(second)}\n')
            written += 1
    print(written, "rows")


if __name__ == "__main__":
    main()
