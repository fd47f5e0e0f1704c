"""δ(ε) of discrete noise that is too wide to be listed: testdata/composition/large_noise.csv.

One use, and any number of uses of a discrete Gaussian, are sums f(x − s) − e^ε f(x) over the whole
numbers from a threshold on.  They come from Euler and Maclaurin's formula for the analytic
extension of f: the integral by Gauss–Legendre panels, derivatives by Cauchy's formula on a circle.
Two orders of the formula have to agree.  By Poisson's summation formula k discrete Gaussians add
up to one with σ√k, but for a factor of 1 ± 2k·e^{−π²σ²}, which is no digit here.

Two uses, sampled or not, equal or not, are added up outcome by outcome.
"""

import functools
import math
import random
import sys
from decimal import Decimal

from flint import acb, arb, ctx

from golden import TESTDATA, log_uniform

ctx.prec = 300
DIGITS = 25
#: Panels of this many σ, and so many of them: beyond is less than 10⁻³⁰⁰ of the rest.
PANEL, PANELS = arb(1), 30
BERNOULLI = [arb.bernoulli(j) for j in range(0, 34)]


@functools.cache
def rule(n=36):
    return [arb.legendre_p_root(n, i, weight=True) for i in range(n)]


class Noise:
    """The analytic extension of a law on the integers, its mean and deviation."""

    def __init__(self, text, density, mean, deviation, reflect):
        self.text, self.density, self.mean, self.deviation = text, density, mean, deviation
        self.reflect = reflect

    def tail(self, first, value):
        """Σ value(x) over the integers from `first` on, for an analytic function that falls."""
        width = PANEL * self.deviation
        total = arb(0)
        for panel in range(PANELS):
            middle = first + width * (arb(panel) + arb(1) / 2)
            for node, weight in rule():
                total += weight * value(acb(middle + width / 2 * node)).real * width / 2
        # (Far out a density falls as e^{−20t/σ}: its Taylor series has to have ended at the radius.)
        count, radius = 64, self.deviation / 16
        turns = [acb(arb(2 * j) / count).exp_pi_i() for j in range(count)]
        around = [value(acb(first) + radius * turn) for turn in turns]
        sums = []
        for terms in (9, 11):
            sum = total + value(acb(first)).real / 2
            for j in range(1, terms + 1):
                n = 2 * j - 1
                derivative = sum_of(v * t**-n for v, t in zip(around, turns)).real / count / radius**n
                # (The coefficient, not the derivative: n! cancels all but 2j of (2j)!.)
                sum -= BERNOULLI[2 * j] / (2 * j) * derivative
            sums.append(sum)
        assert abs((sums[0] - sums[1]) / sums[1]) < arb(10) ** -30, (self.text, sums)
        return sums[1]

    def delta(self, shift, epsilon):
        """Σ (f(x − s) − e^ε f(x))₊."""
        odds = arb(epsilon).exp() if isinstance(epsilon, (int, float)) else epsilon.exp()
        f = self.density

        def gap(x):
            return f(x - shift) - odds * f(x)

        def is_above(x):
            return gap(acb(x)).real > 0

        reach = int(float(self.deviation) * 45)
        low, high = int(self.mean) - reach, int(self.mean) + reach
        assert not is_above(low) and is_above(high), (self.text, epsilon)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if is_above(middle) else (middle, high)
        return self.tail(arb(high), gap)


def sum_of(values):
    total = acb(0)
    for value in values:
        total += value
    return total


def discrete_gaussian(sigma, uses=1):
    variance = arb(sigma) ** 2 * uses

    def density(x):
        return (-(x * x) / (2 * variance)).exp() / (2 * arb.pi() * variance).sqrt()

    return Noise(f"discrete_gaussian(sigma={sigma!r}", density, 0, variance.sqrt(), True)


def skellam(variance):
    """e^{−μ}I_x(μ) = (1/2π) ∫ e^{μ(cos t − 1) + ixt} dt, moved to its saddle point: asinh(x/μ) up."""
    mu = arb(variance)
    steps, reach = 100, 18

    def density(x):
        # The trapezoidal rule of an analytic function that has died at both ends.
        saddle = (x / mu).asinh()
        deviation = 1 / mu.sqrt()
        step = 2 * reach * deviation / steps
        total = acb(0)
        for j in range(-steps // 2, steps // 2 + 1):
            t = acb(0, 1) * (step * j) + saddle
            total += (mu * (t.cosh() - 1) - x * t).exp()
        return total * step / (2 * arb.pi())

    return Noise(f"skellam(variance={variance!r}", density, 0, mu.sqrt(), True)


def binomial(n, p=0.5):
    chance = arb(p)

    def density(x):
        ways = acb(n + 1).lgamma() - (x + 1).lgamma() - (n - x + 1).lgamma()
        return (ways + x * chance.log() + (n - x) * (1 - chance).log()).exp()

    mean = int(n * p)
    deviation = (arb(n) * chance * (1 - chance)).sqrt()
    return Noise(f"binomial(n={n}, p={p!r}", density, mean, deviation, p == 0.5)


def expression(noise, shift, rate=1, uses=1):
    text = noise.text + (f", sensitivity={shift})" if shift > 1 else ")")
    if rate != 1:
        text = f"poisson({text}, rate={rate!r})"
    return text + (f" * {uses}" if uses > 1 else "")


def sampled(noise, shift, rate, direction, epsilon):
    """(W, Q) or (Q, W), W = (1 − γ)Q + γP, for a base that is its own dual."""
    gamma, odds = arb(rate), arb(epsilon).exp()
    if direction == "remove":
        return gamma * noise.delta(shift, ((odds - 1 + gamma) / gamma).log())
    factor = 1 - odds * (1 - gamma)
    if not factor > 0:
        return None
    return factor * noise.delta(shift, (gamma * odds / factor).log())


def epsilon_at(mu, depth):
    """An ε at which a Gaussian has a δ of about e^{−depth²/2}."""
    return max(float(f"{mu * depth - mu * mu / 2:.6g}"), 0.0)


def once(rng, count):
    for number in range(count):
        kind = number % 4
        depth = rng.choice([0.0, 1.0, 3.0, 5.0, 9.0, 14.0, 20.5])
        shift = 1 if rng.random() < 0.4 else round(log_uniform(rng, 1, 1000))
        if kind < 2:
            sigma = float(f"{log_uniform(rng, 1e3, 1e9):.6g}")
            shift = 1 if rng.random() < 0.3 else round(log_uniform(rng, 1, 3 * sigma))
            uses = 1 if kind == 0 else round(log_uniform(rng, 2, 1e6))
            noise = discrete_gaussian(sigma, uses)
            mu = shift / sigma * math.sqrt(uses)
            if mu > 20:
                continue
            epsilon = epsilon_at(mu, depth)
            value = noise.delta(shift * uses, epsilon)
            yield expression(noise, shift, uses=uses), rng.choice(["remove", "add"]), epsilon, value
            continue
        if kind == 2:
            noise = skellam(float(f"{log_uniform(rng, 1.01e7, 1e15):.6g}"))
        else:
            n = round(log_uniform(rng, 4.1e7, 1e15))
            p = 0.5 if rng.random() < 0.6 or n < 4e12 else rng.choice([0.3, 0.9])
            noise = binomial(n, p)
        mu = shift / float(noise.deviation)
        if noise.reflect and rng.random() < 0.5:
            rate = rng.choice([0.5, 0.01])
            direction = rng.choice(["remove", "add"])
            # The sampled loss at a loss of μ·depth of the base.
            loss = max(mu * min(depth, 12) - mu * mu / 2, 0.0)
            side = 1 if direction == "remove" else -1
            epsilon = side * math.log1p(rate * math.expm1(side * loss))
            epsilon = float(f"{epsilon:.4g}")
            value = sampled(noise, shift, rate, direction, epsilon)
            if value is not None:
                yield expression(noise, shift, rate), direction, epsilon, value
            continue
        epsilon = epsilon_at(mu, depth)
        yield expression(noise, shift), "remove", epsilon, noise.delta(shift, epsilon)


class Listed:
    """Outcomes of noise around s and 0 to 25 deviations, sampled, in order of their losses."""

    def __init__(self, noise, masses, shift, rate, direction):
        self.text = expression(noise, shift, rate)
        p = [arb(0)] * shift + masses
        q = masses + [arb(0)] * shift
        p, q = p[shift:-shift], q[shift:-shift]
        w = [(1 - arb(rate)) * b + arb(rate) * a for a, b in zip(p, q)]
        p, q = (w, q) if direction == "remove" else (q[::-1], w[::-1])
        self.p, self.q = p, q
        self.p_tail, self.q_tail = tails(p), tails(q)

    def ratio(self, i):
        return self.p[i] / self.q[i]


def tails(masses):
    sums, total = [arb(0)], arb(0)
    for mass in reversed(masses):
        total += mass
        sums.append(total)
    return sums[::-1]


def twice(a, b, epsilon):
    """δ(ε) of the product: losses grow with the index, so that thresholds only fall."""
    odds, total = arb(epsilon).exp(), arb(0)
    place = len(b.p)
    for i in range(len(a.p)):
        needed = odds / a.ratio(i)
        while place > 0 and b.ratio(place - 1) > needed:
            place -= 1
        total += a.p[i] * b.p_tail[place] - odds * a.q[i] * b.q_tail[place]
    return total


def masses_of(kind, parameter):
    """Masses from −R to R by products of ratios, normalised."""
    if kind == "discrete_gaussian":
        noise = discrete_gaussian(parameter)
        reach = int(parameter * 25)
        half = [(-(arb(k) ** 2) / (2 * arb(parameter) ** 2)).exp() for k in range(reach + 1)]
    elif kind == "skellam":
        noise = skellam(parameter)
        reach = int(math.sqrt(parameter) * 25)
        half = [arb(0), arb(1)]
        # From far out inwards I_{k−1} = I_{k+1} + (2k/μ)I_k forgets where it started.
        start = reach + int(math.sqrt(parameter) * 8)
        for k in range(start, 0, -1):
            half.append(half[-2] + 2 * k / arb(parameter) * half[-1])
        half = half[:1:-1][: reach + 1]
    else:
        noise = binomial(parameter)
        reach = int(math.sqrt(parameter) / 2 * 25)
        half, mass = [], arb(1)
        for k in range(reach + 1):
            half.append(mass)
            mass = mass * (parameter // 2 - k) / (parameter // 2 + k + 1)
    total = half[0] + 2 * sum(half[1:], arb(0))
    half = [mass / total for mass in half]
    return noise, half[:0:-1] + half


def two_uses(rng):
    known = {}
    kinds = [
        ("discrete_gaussian", 1000.0),
        ("skellam", 1e7),
        ("binomial", 40_000_002),
        ("discrete_gaussian", 1234.5),
    ]
    for direction in ("remove", "add"):
        for a in range(len(kinds)):
            for b in (a, (a + 1) % len(kinds)):
                rate = rng.choice([1, 0.5, 0.1, 0.01])
                pair = []
                for which in (a, b):
                    if which not in known:
                        known[which] = masses_of(*kinds[which])
                    shift = 1 if a == b else rng.choice([1, 20])
                    pair.append(Listed(*known[which], shift, rate, direction))
                typical = rate / 1000
                for depth in (0.0, 2.0, 8.0):
                    epsilon = float(f"{typical * depth:.4g}")
                    value = twice(*pair, epsilon)
                    if value > arb(10) ** -100:
                        first, second = pair[0].text, pair[1].text
                        text = f"{first} * 2" if first == second else f"{first} + {second}"
                        yield text, direction, epsilon, value


def printed(value):
    """As d.ddd…e±N."""
    number = Decimal(value.mid().str(DIGITS, radius=False))
    return f"{number:.{DIGITS - 1}e}".replace("e+", "e")


def main():
    rng = random.Random("large noise")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    path = TESTDATA / "composition" / "large_noise.csv"
    with path.open("w") as file:
        file.write("# δ(ε) of discrete noise that is too wide to be listed.\n")
        file.write(
            "# Generated by testdata/generate/large_noise.py: inputs are exact doubles or integers,"
            f" references have {DIGITS} digits.\nexpression,direction,epsilon,delta\n"
        )
        written = 0
        for text, direction, epsilon, value in [*once(rng, count), *two_uses(rng)]:
            if not arb(1e-300) < value:
                continue
            file.write(f'"{text}",{direction},{epsilon!r},{printed(value)}\n')
            written += 1
    print(written, "rows")


if __name__ == "__main__":
    main()
