"""Golden values of δ(ε) where losses are summed exactly: testdata/composition/{equal_laplace,progressions}.csv.

Laplace. With d = s/b, close the contour of δ's integral around the poles of

    (½(1 + w)e^{dz} + ½(1 − w)e^{−dz})^k / (z² − ¼),  w = 1/2z,

the transform of the law of k losses over e^{s/2}: the term with e^{d(k−2j)z} counts if d(k − 2j) > ε, and is a
polynomial in x = d(k − 2j) − ε, with e^{x/2} for j = 0. The terms alternate, and the precision is raised until the
digits are proven. No spline, no convolution.

Progressions. The law of k losses is the k-th power of a polynomial, by Arb's multiplication; different parts with a
common step multiply. Outcomes of discrete Gaussian noise beyond 40 standard deviations are left out: less than 10^-340.

Run without arguments; takes some minutes.
"""

import math

from flint import arb, arb_poly, ctx

from golden import accurate, log_uniform, proven, rng_for, write

LAPLACE_ROWS = 160
PROGRESSION_ROWS = 160


# ---------------------------------------------------------------------------------------- Laplace


def laplace_delta(scale, count, epsilon):
    distance = 1 / arb(scale)
    total = arb(0)
    for j in range(count):
        x = distance * (count - 2 * j) - arb(epsilon)
        if x < 0:
            break
        if not x > 0:
            raise ArithmeticError("an atom at ε")
        total += arb(math.comb(count, j)) * (first_term(count, x) if j == 0 else other_term(count, j, x))
    return total / arb(2) ** count * ((arb(epsilon) - distance * count) / 2).exp()


def first_term(k, x):
    """The inverse transform of z⁻²(1 + w)^{k−1}/(1 − w) at x."""
    total = 2 ** (k - 1) * 2 * ((x / 2).exp() - 1)
    partial, power = 0, x
    for m in range(k - 1):
        partial += math.comb(k - 1, m)
        total -= (2 ** (k - 1) - partial) * power
        power = power * x / (2 * (m + 2))
    return total


def other_term(k, j, x):
    """The inverse transform of z⁻²(1 + w)^{k−j−1}(1 − w)^{j−1} at x, 0 < j < k."""
    coefficients = product_of_binomials(k - j - 1, j - 1)
    total, power = arb(0), x
    for m, coefficient in enumerate(coefficients):
        total += coefficient * power
        power = power * x / (2 * (m + 2))
    return total


def product_of_binomials(a, b):
    """The coefficients of (1 + w)^a(1 − w)^b, by its differential equation."""
    # (1 − w²)f′ = ((a − b) − (a + b)w)f.
    coefficients = [1]
    for m in range(a + b):
        before = coefficients[m - 1] if m > 0 else 0
        top = (a - b) * coefficients[m] + (m - 1 - (a + b)) * before
        assert top % (m + 1) == 0
        coefficients.append(top // (m + 1))
    return coefficients


def laplace_cumulant(distance, count, tilt):
    """Roughly K(θ) − θK′(θ), and K′(θ)."""

    def value(t):
        rho = distance * (t + 0.5)
        log_cosh = rho + math.log1p(math.exp(-2 * rho)) - math.log(2)
        return count * (log_cosh + math.log1p(distance * math.tanh(rho) / (2 * rho)) - distance / 2)

    step = 1e-5 * (1 + tilt)
    slope = (value(tilt + step) - value(tilt - step)) / (2 * step)
    return value(tilt) - tilt * slope, slope


def laplace_rows():
    rng = rng_for("equal_laplace")
    rows = 0
    while rows < LAPLACE_ROWS:
        count = 1 if rows % 20 == 0 else int(log_uniform(rng, 2, 1001 if rows % 4 == 0 else 150))
        scale = log_uniform(rng, 0.08 if count < 30 else 0.5, 300.0)
        exponent, epsilon = laplace_cumulant(1 / scale, count, log_uniform(rng, 1e-3, 100 * scale))
        epsilon *= rng.uniform(0.7, 1.0)
        if exponent < -680 or not 1e-6 < epsilon < count / scale:
            continue
        try:
            delta = proven(laplace_delta, scale, count, epsilon, precision=512)
        except ArithmeticError:
            continue
        if not (accurate(delta) and 1e-300 < delta < 0.9):
            continue
        rows += 1
        print(rows, count, scale, epsilon, float(delta), flush=True)
        yield f'"laplace(scale={scale!r}) * {count}"', "remove", epsilon, delta


# ----------------------------------------------------------------------------------- progressions


class DiscreteGaussian:
    def __init__(self, rng, count):
        self.sigma = log_uniform(rng, 0.2, 4.0 if count < 20 else 0.8)
        self.shift = rng.choice([1, 1, 1, 2, 5])
        self.text = f"discrete_gaussian(sigma={self.sigma!r}, sensitivity={self.shift})"

    def step(self):
        return arb(self.shift) / arb(self.sigma) ** 2

    def law(self):
        """The smallest loss, and the masses of the losses from there on, a step apart."""
        reach = math.ceil(40 * self.sigma) + 1
        outcomes = range(self.shift - reach, self.shift + reach + 1)
        weights = [(-arb((x - self.shift) ** 2) / (2 * arb(self.sigma) ** 2)).exp() for x in outcomes]
        total = sum(weights, arb(0))
        smallest = self.step() * (outcomes[0] - arb(self.shift) / 2)
        return smallest, [weight / total for weight in weights]


class DiscreteLaplace:
    def __init__(self, rng, _count):
        self.scale, self.shift = log_uniform(rng, 0.2, 50.0), rng.choice([1, 2, 3, 7])
        self.text = f"discrete_laplace(scale={self.scale!r}, sensitivity={self.shift})"

    def step(self):
        return 2 / arb(self.scale)

    def law(self):
        r = (-1 / arb(self.scale)).exp()
        inner = [(1 - r) / (1 + r) * r ** (self.shift - x) for x in range(1, self.shift)]
        masses = [r**self.shift / (1 + r), *inner, 1 / (1 + r)]
        return -arb(self.shift) / arb(self.scale), masses


class KRandomizedResponse:
    def __init__(self, rng, _count, epsilon=None):
        self.epsilon, self.categories = epsilon or log_uniform(rng, 0.01, 6.0), rng.choice([3, 4, 10, 1000])
        self.text = f"k_randomized_response(categories={self.categories}, epsilon={self.epsilon!r})"

    def step(self):
        return arb(self.epsilon)

    def law(self):
        t = (-arb(self.epsilon)).exp()
        total = 1 + (self.categories - 1) * t
        return -arb(self.epsilon), [t / total, (self.categories - 2) * t / total, 1 / total]


def progression_delta(parts, epsilon):
    offset, law = arb(0), arb_poly([1])
    for mechanism, count in parts:
        smallest, masses = mechanism.law()
        offset += smallest * count
        law = law * power(arb_poly(masses), count)
    step = parts[0][0].step()
    total = arb(0)
    for index, mass in enumerate(law.coeffs()):
        gap = arb(epsilon) - (offset + step * index)
        if gap < 0:
            total += mass * -gap.expm1()
        elif not gap >= 0:
            raise ArithmeticError("an atom at ε")
    return total


def power(law, count):
    result = arb_poly([1])
    for bit in bin(count)[2:]:
        result = result * result
        if bit == "1":
            result = result * law
    return result


def rough_cumulant(parts, tilt):
    """Roughly K(θ) − θK′(θ) and K′(θ)."""
    value = slope = 0.0
    for mechanism, count in parts:
        smallest, masses = mechanism.law()
        losses = [float(smallest) + float(mechanism.step()) * i for i in range(len(masses))]
        logs = [float(mass.log()) + tilt * loss for mass, loss in zip(masses, losses)]
        top = max(logs)
        weights = [math.exp(log - top) for log in logs]
        value += count * (top + math.log(sum(weights)))
        slope += count * sum(w * loss for w, loss in zip(weights, losses)) / sum(weights)
    return value - tilt * slope, slope


def progression_rows():
    rng = rng_for("progressions")
    rows = 0
    while rows < PROGRESSION_ROWS:
        ctx.prec = 128
        kind = rng.choice([DiscreteGaussian, DiscreteGaussian, DiscreteLaplace, KRandomizedResponse])
        count = 1 if rows % 20 == 0 else int(log_uniform(rng, 2, 120 if kind is DiscreteGaussian else 1001))
        parts = [(kind(rng, count), count)]
        if kind is KRandomizedResponse and rng.random() < 0.5:
            parts.append((KRandomizedResponse(rng, 1, parts[0][0].epsilon), rng.randrange(1, 50)))
        step = float(parts[0][0].step())
        exponent, epsilon = rough_cumulant(parts, log_uniform(rng, 1e-2, 60.0) / step)
        epsilon *= rng.uniform(0.7, 1.0)
        if exponent < -680 or not 1e-6 < epsilon < 1e4:
            continue
        try:
            delta = proven(progression_delta, parts, epsilon, precision=1500)
        except ArithmeticError:
            continue
        if not (accurate(delta) and 1e-300 < delta < 0.9):
            continue
        rows += 1
        text = " + ".join(f"{part.text} * {count}" for part, count in parts)
        print(rows, text, epsilon, float(delta), flush=True)
        yield f'"{text}"', "remove", epsilon, delta


def main():
    header = ["expression", "direction", "epsilon", "delta"]
    script = "exact_sums.py"
    what = "δ(ε) of up to 1000 equal Laplace mechanisms."
    write("composition/equal_laplace", what, header, laplace_rows(), script)
    what = "δ(ε) of up to 1000 mechanisms whose losses are equally spaced."
    write("composition/progressions", what, header, progression_rows(), script)


if __name__ == "__main__":
    main()
