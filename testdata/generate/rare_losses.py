"""Golden values of δ(ε) where a few rare losses decide: testdata/composition/rare_losses.csv.

Two uses of a Poisson-sampled Gaussian mechanism. Given the outcome x of the first, the second has
the threshold ε − L(x), and the δ of a single use is a difference of normal tails:

    δ₂(ε) = ∫ δ₁(ε − L(x)) dP(x).

One integral, in pieces by the tanh-sinh rule, whose step is halved until two sums agree to 34
digits; no transform, no lattice.

Run without arguments.
"""

import math

from flint import acb, arb, ctx

from golden import TESTDATA, log_uniform, rng_for

PRECISION = 200
ROWS = 100
#: Outcomes farther out than this many deviations have less than 10^-240 of P.
REACH = 34
DIGITS = 28
#: Points at which an integrand is looked at first.
GRID = 200


def normal_tail(x):
    """1 − Φ(x)."""
    return (x / acb(2).sqrt()).erfc() / 2


class Remove:
    """P = (1 − q)N(0, σ²) + qN(1, σ²) against Q = N(0, σ²)."""

    def __init__(self, sigma, rate):
        self.sigma, self.rate = acb(sigma), acb(rate)

    def ratio(self, x):
        return 1 - self.rate + self.rate * ((2 * x - 1) / (2 * self.sigma**2)).exp()

    def outcome(self, ratio):
        """Where the ratio dP/dQ is this."""
        return acb(1) / 2 + self.sigma**2 * ((ratio - 1 + self.rate) / self.rate).log()

    def density(self, x):
        normal = (-(x**2) / (2 * self.sigma**2)).exp() / (self.sigma * (2 * acb.pi()).sqrt())
        return normal * self.ratio(x)

    def single(self, threshold):
        """δ₁ at ε = log(threshold) ≥ log(1 − q)."""
        at = self.outcome(threshold)
        without = normal_tail(at / self.sigma)
        with_it = (1 - self.rate) * without + self.rate * normal_tail((at - 1) / self.sigma)
        return with_it - threshold * without

    def delta(self, epsilon):
        growth = acb(epsilon).exp()
        # Beyond this outcome every second outcome is above the threshold.
        full = self.outcome(growth / (1 - self.rate)).real
        low, high = -REACH * self.sigma.real, 1 + REACH * self.sigma.real
        middle = min(max(full, low), high)
        both = integral(lambda x: self.density(x) * self.single(growth / self.ratio(x)), low, middle)
        first = integral(lambda x: self.density(x) * (1 - growth / self.ratio(x)), middle, high)
        return both + first


class Add(Remove):
    """The same with P and Q exchanged."""

    def density(self, x):
        return (-(x**2) / (2 * self.sigma**2)).exp() / (self.sigma * (2 * acb.pi()).sqrt())

    def single(self, threshold):
        at = self.outcome(1 / threshold)
        with_it = normal_tail(-at / self.sigma)
        mixed = (1 - self.rate) * with_it + self.rate * normal_tail((1 - at) / self.sigma)
        return with_it - threshold * mixed

    def delta(self, epsilon):
        growth = acb(epsilon).exp()
        # No loss is above −log(1 − q).
        if (growth * (1 - self.rate) ** 2).real >= 1:
            return arb(0)
        # Beyond this outcome no second outcome is above the threshold e^ε r(x) ≤ 1/(1 − q).
        last = self.outcome(1 / (growth * (1 - self.rate))).real
        low, high = -REACH * self.sigma.real, REACH * self.sigma.real
        return integral(
            lambda x: self.density(x) * self.single(growth * self.ratio(x)), low, min(last, high)
        )


def integral(function, low, high):
    """Over pieces: the integrand is largest somewhere inside, and not analytic at the ends."""
    low, high = low.mid(), high.mid()
    if not low < high:
        return arb(0)
    points = [low + (high - low) * i / GRID for i in range(1, GRID)]
    sizes = [abs(function(acb(x)).real.mid()) for x in points]
    peak = points[max(range(len(sizes)), key=lambda i: sizes[i])]
    return tanh_sinh(function, low, peak) + tanh_sinh(function, peak, high)


def tanh_sinh(function, low, high):
    half = (high - low) / 2
    half_pi = arb.pi() / 2

    def term(t):
        # The distance from the nearer end, which must not cancel.
        u = half_pi * t.sinh()
        near = 2 / (1 + (2 * abs(u)).exp())
        x = high - half * near if t > 0 else low + half * near
        value = function(acb(x.mid())).real
        weight = half_pi * t.cosh() / u.cosh() ** 2
        return value.mid() * weight.mid() if value.is_finite() else arb(0)

    step = arb(1) / 4
    reach = 20
    total = sum((term(step * i) for i in range(-reach, reach + 1)), arb(0))
    previous = None
    for _ in range(9):
        value = (total * step * half).mid()
        if previous is not None and abs(value - previous) <= abs(value) * arb(10) ** -34:
            return value
        previous, step = value, step / 2
        reach *= 2
        total += sum((term(step * i) for i in range(-reach + 1, reach, 2)), arb(0))
    raise ArithmeticError("no convergence")


def cases():
    rng = rng_for("rare_losses")
    while True:
        sigma, rate = log_uniform(rng, 0.3, 40.0), log_uniform(rng, 1e-6, 0.3)
        mechanism = rng.choice([Remove, Add])(sigma, rate)
        # ε is the loss of some outcome of the first use, far out or near, and some more.
        outcome = rng.uniform(0.0, 18.0) * sigma if isinstance(mechanism, Remove) and not isinstance(
            mechanism, Add
        ) else -rng.uniform(0.0, 6.0) * sigma
        loss = math.log1p(rate * math.expm1((2 * outcome - 1) / (2 * sigma**2)))
        epsilon = rng.uniform(0.5, 2.2) * abs(loss)
        if 1e-9 < epsilon < 60.0:
            yield sigma, rate, "add" if isinstance(mechanism, Add) else "remove", mechanism, epsilon


def main():
    ctx.prec = PRECISION
    lines = [
        "# δ(ε) of two uses of a sampled Gaussian mechanism, where one or two rare losses decide.",
        "# Generated by testdata/generate/rare_losses.py: inputs are exact doubles, references have"
        f" {DIGITS} digits.",
        "expression,direction,epsilon,delta",
    ]
    count = 0
    for sigma, rate, direction, mechanism, epsilon in cases():
        try:
            delta = mechanism.delta(epsilon)
        except ArithmeticError:
            continue
        if not (delta.is_finite() and delta > 1e-290):
            continue
        text = delta.str(DIGITS, radius=False)
        expression = f'"poisson(gaussian(sigma={sigma!r}), rate={rate!r}) * 2"'
        lines.append(f"{expression},{direction},{epsilon!r},{text}")
        count += 1
        print(count, expression, direction, epsilon, text, flush=True)
        if count == ROWS:
            break
    (TESTDATA / "composition" / "rare_losses.csv").write_text("\n".join(lines) + "\n")
    print(count, "rows")


if __name__ == "__main__":
    main()
