"""Write testdata/composition/without_decay.csv: δ(ε) where nothing is known of |M| far out on a line.

Binomial and Skellam noise, samples of discrete noise, Laplace noise of different scales, alone and together, two to a million uses.
Every row is an interval that a proof gives; two proofs gave it, or two different lines, and they overlap.

- *Outcomes*: few uses of atoms. Every outcome of one half of the uses against every one of the other (`exact.halves`).
- *Residues*: Laplace, discrete Laplace and responses together (`exact.residues`).
- *Lattice*: discrete Gaussian with Laplace noise: the law of the former is a power of a polynomial, and given its loss x the latter has δ(ε − x)
  by residues.
- *Line*: anything else, in balls. The infinite trapezoidal sum on Re z = c is Σ_m e^{cBm} g(ε + Bm), B = 2π/h, of which the terms m ≠ 0 have Chernoff
  bounds. What is beyond its last point T = Jh is bounded without any knowledge of the law: let μ be its tilted law, μ = A·B (each use in one of the two),
  κ_A = (1/J) Σ_{|j|<J} (1 − |j|/J)|Â(jh)|². Then Σ_{|j|≥J} |Â(jh)|²/j² ≤ (π²/3) κ_A/J, since |Â|² has a law of its own and the majorant of
  Σ e^{ijθ}/j² by polynomials of degree below J (Vaaler 1985; Graham and Vaaler 1981) has coefficients of at most 1/j² + (π²/3)(1 − j/J)/J². By
  Cauchy and Schwarz the rest is at most M(c)e^{−εc}·(π/6T)·√(κ_A κ_B).

Each row has a random generator of its own: `without_decay.py N` uses N processes. Takes some ten minutes.
"""

import math
import sys
from multiprocessing import Pool

import flint
from flint import acb, acb_mat, arb, arb_poly, ctx

import golden
from composition import laplace
from compose import exact
from compose.transform import Failed, closed_form, power
from compose.uses import Use, expression, infinite
from golden import log_uniform, rng_for
from pairs import laws
from pairs.parts import LatticePart, ball

#: Digits of an end, rounded outward.
DIGITS = 20

#: Outcomes of a lattice whose masses are left out have less in all than this, and so have those that `laws.skellam` leaves out.
LEFT_OUT = arb(10) ** -380

#: How wide an interval may be: as a part of ε, had it been asked for. Of δ that is about εc times as much.
WIDEST = 1e-9
#: Of a line.
MOST_POINTS = 500_000

#: Values of M below this part of M(c), as a logarithm, are nothing, give or take as much.
LOG_NOTHING = -60.0

#: Of sums in floats.
SLACK = 1 + 1e-6

LN10 = math.log(10)


# --- one use as atoms -----------------------------------------------------------------------------


def atoms_of(use, sign):
    """[(L, mass)] of the finite losses, all but `LEFT_OUT` of them; `None` if there is a density."""
    pair = use.build()
    found = [(loss, top) for loss, top, _ in use.finite_atoms(sign)]
    for part in pair.parts:
        if not isinstance(part, LatticePart):
            return None
        g, rest = ball(use.gamma), ball(1 - use.gamma)
        reach = part.shift + math.ceil(float(part.sigma) * 43)  # e^(−43²/2) = 10^(−401)
        for x in range(-reach, reach + 1):
            base = ball(part.step) * (x - ball(part.shift) / 2)
            q = part.weight(x) / part.total
            if use.gamma == 1:
                loss, top = base, q * base.exp()
            else:
                loss = (rest + g * base.exp()).log()
                top = q * (rest + g * base.exp())
            found.append((loss, top) if sign > 0 else (-loss, q))
    return found


# --- rough work in floats -------------------------------------------------------------------------


class Sketch:
    """K and its derivatives on the real axis, roughly."""

    def __init__(self, uses, sign):
        self.parts = []
        ctx.prec = 200
        for use in uses:
            atoms = atoms_of(use, sign)
            if atoms is not None:
                logs = [(float(loss), float(mass.log())) for loss, mass in atoms if mass > 0]
                self.parts.append((use.count, logs, None))
            else:
                self.parts.append((use.count, None, closed_form(use, sign)))
            if self.parts[-1][1:] == (None, None):
                raise Failed("neither atoms nor a closed form")

    def cumulant(self, c):
        k = [0.0, 0.0, 0.0]
        for count, logs, closed in self.parts:
            if logs is not None:
                top = max(c * x + w for x, w in logs)
                s0 = s1 = s2 = 0.0
                for x, w in logs:
                    e = math.exp(c * x + w - top)
                    s0, s1, s2 = s0 + e, s1 + e * x, s2 + e * x * x
                here = top + math.log(s0), s1 / s0, s2 / s0 - (s1 / s0) ** 2
            else:
                ctx.prec = 100
                m = closed.real(arb(c))
                mean = m[1] / m[0]
                here = float(m[0].log()), float(mean), float(m[2] / m[0] - mean * mean)
            k = [a + count * b for a, b in zip(k, here)]
        return k

    def guess(self, c):
        """(ε, log δ) for which c is the saddle."""
        k, k1, k2 = self.cumulant(c)
        epsilon = k1 - 1 / c - 1 / (c + 1)
        spread = k2 + 1 / c**2 + 1 / (c + 1) ** 2
        return epsilon, k - epsilon * c - math.log(c * (c + 1)) - 0.5 * math.log(2 * math.pi * spread)

    def tilt(self, index, goal):
        """c at which one of the two has that value; the first grows with c, the second falls."""
        sign = 1 if index == 0 else -1
        low, high = 1e-3, 1.0
        while sign * (self.guess(high)[index] - goal) < 0:
            low, high = high, 3 * high
            if high > 3e4:
                raise Failed("no such tilt")
        for _ in range(40):
            middle = math.sqrt(low * high)
            if sign * (self.guess(middle)[index] - goal) < 0:
                low = middle
            else:
                high = middle
        return high


# --- a line ---------------------------------------------------------------------------------------


class Factor:
    """M(c + it)/M(c) of one use, its losses less `shift`."""

    def __init__(self, use, sign, c, shift):
        self.count, self.shift = use.count, shift
        atoms = atoms_of(use, sign)
        self.closed = None if atoms is not None else closed_form(use, sign)
        if atoms is None:
            self.c, self.most = c, self.closed.at(acb(c)).real
            return
        tilted = [(loss, mass * (c * loss).exp()) for loss, mass in atoms]
        self.most = sum((w for _, w in tilted), arb(0))
        tilted.sort(key=lambda entry: float(entry[1].log()) if entry[1] > 0 else -1e300)
        dropped, first, allowed = arb(0), 0, self.most * arb(2) ** -70 / use.count
        while dropped + tilted[first][1] < allowed:
            dropped += tilted[first][1]
            first += 1
        self.error = (dropped / self.most).abs_upper()
        self.atoms = [(loss - shift, w / self.most) for loss, w in tilted[first:]]

    def moment(self, atoms, order):
        """M(order)."""
        if atoms is None:
            return self.closed.at(acb(order)).real
        return sum((mass * (order * loss).exp() for loss, mass in atoms), arb(0))

    def values(self, h, points):
        if self.closed is not None:
            found = []
            for j in range(points):
                t = h * j
                found.append(self.closed.at(acb(self.c, t)) / self.most * turn(-t * self.shift))
            return found
        block = math.isqrt(points - 1) + 1
        size = len(self.atoms)
        # Not by repeated products: the balls would grow.
        left = acb_mat(block, size, [w * turn(h * j * loss) for j in range(block) for loss, w in self.atoms])
        right = acb_mat(block, size, [turn(h * (j * block) * loss) for j in range(block) for loss, _ in self.atoms])
        product = left * right.transpose()
        off = acb(arb(0, self.error), arb(0, self.error))
        table = product.table()
        return [table[j % block][j // block] + off for j in range(points)]


def line(uses, sign, epsilon, sketch, c, cut, precision):
    """δ(ε), enclosed, on Re z = c."""
    k, _, k2 = sketch.cumulant(c)
    log_delta = k - c * epsilon - math.log(c * (c + 1)) - 0.5 * math.log(2 * math.pi * (k2 + 1 / c**2 + 1 / (c + 1) ** 2))
    period, orders = period_of(sketch, epsilon, c, log_delta)
    step = 2 * math.pi / period
    points = math.ceil(1.82 * math.sqrt(c * (c + 1) / cut) / step) + 2
    if points > MOST_POINTS:
        raise Failed("too many points")
    ctx.prec = precision
    h, e, tilt = arb(step), arb(epsilon), arb(c)
    shift = e / uses[0].count
    factors = [Factor(use, sign, tilt, shift if i == 0 else arb(0)) for i, use in enumerate(uses)]
    values = [factor.values(h, points) for factor in factors]
    # Moduli from above, in floats: what they are off by is in `SLACK`.
    logs, halves, odd = [0.0] * points, ([0.0] * points, [0.0] * points), 0
    for factor, here in zip(factors, values):
        sides = [factor.count // 2 + (factor.count % 2 if side == odd else 0) for side in (0, 1)]
        odd = (odd + factor.count) % 2
        for j, value in enumerate(here):
            log = log_square(value)
            logs[j] += factor.count * log / 2
            halves[0][j] += sides[0] * log
            halves[1][j] += sides[1] * log
    total = 1 / (2 * tilt * (tilt + 1))
    small = 0
    for j in range(1, points):
        if logs[j] < LOG_NOTHING:
            small += 1
            continue
        product = acb(1)
        for factor, here in zip(factors, values):
            product *= power(here[j], factor.count)
        z = acb(tilt, h * j)
        total += (product / (z * (z + 1))).real
    total += arb(0, small * math.exp(LOG_NOTHING + 1e-6) / (c * (c + 1)))
    kappa = 1.0
    for half in halves:
        here = math.fsum(math.exp(half[j]) * (points - j) for j in range(1, points))
        kappa *= (1 + 2 * here / points) / points * SLACK
    log_scale = -e * tilt
    for factor in factors:
        log_scale += factor.count * factor.most.log()
    scale = log_scale.exp()
    value = total * h / arb.pi() * scale
    rest = scale * arb.pi() / (6 * h * points) * arb(kappa).sqrt()
    # The aliases: Chernoff at the order λ, κ(λ)M(λ)e^{−λε}/(e^{|λ−c|B} − 1), on both sides.
    aliases = arb(0)
    for order in orders:
        log = -arb(order) * e + order_factor(order)
        for use, factor in zip(uses, factors):
            log += use.count * factor.moment(atoms_of(use, sign), arb(order)).log()
        aliases += log.exp() / (abs(arb(order) - tilt) * 2 * arb.pi() / h).expm1()
    uses_in_all = sum(use.count for use in uses)
    p_infinite = infinite(uses, sign)
    low = value - rest - aliases + p_infinite
    high = value + rest + p_infinite + LEFT_OUT * uses_in_all
    return low.abs_lower() if low > 0 else arb(0), high.abs_upper()


def turn(angle):
    return acb(0, angle).exp()


def log_square(value):
    """log |v|², at most 0, from above but for roundings."""
    square = float((value.real * value.real + value.imag * value.imag).abs_upper())
    return math.log(square) if 0 < square < 1 else (0.0 if square else -1e5)


def order_factor(order):
    """log λ^λ/(1+λ)^{1+λ}."""
    x = arb(order)
    return x * x.log() - (1 + x) * (1 + x).log()


def period_of(sketch, epsilon, c, log_delta):
    """B, and the orders left and right of c whose Chernoff bounds make its aliases 10⁻¹² of δ."""
    width = 1 / math.sqrt(sketch.cumulant(c)[2])

    def needed(order):
        log = sketch.cumulant(order)[0] - order * epsilon + order * math.log(order) - (1 + order) * math.log1p(order)
        return (log - log_delta + 28) / abs(order - c)

    left = min((needed(c * f), c * f) for f in (0.01, 0.05, 0.1, 0.25, 0.5, 0.75))
    rights = [c + width * f for f in (1, 2, 4, 7, 11, 16, 25, 40)] + [1.5 * c, 2 * c, 4 * c]
    right = min((needed(order), order) for order in rights)
    return max(left[0], right[0], 1e-9), (left[1], right[1])


def by_lines(uses, sign, epsilon, sketch):
    """Two lines that must overlap; what both say."""
    c = sketch.tilt(0, epsilon)
    width = 1 / math.sqrt(sketch.cumulant(c)[2])
    cut = 0.4 * WIDEST * c * epsilon
    first = line(uses, sign, epsilon, sketch, c, cut, 110)
    second = line(uses, sign, epsilon, sketch, c + min(0.3 * c, 0.6 * width), 30 * cut, 140)
    return both(first, second)


def both(first, second):
    ctx.prec = 300
    low = first[0] if first[0] > second[0] else second[0]
    high = first[1] if first[1] < second[1] else second[1]
    if low > high:
        raise ArithmeticError(f"{first} and {second} exclude each other")
    return low, high


# --- other proofs ---------------------------------------------------------------------------------


def by_outcomes(uses, sign, epsilon):
    value = exact.halves(uses, sign, epsilon)
    return value.lower(), value.upper() + LEFT_OUT * sum(use.count for use in uses)


def by_residues(uses, sign, epsilon):
    value = exact.residues(uses, sign, epsilon)
    return value.lower(), value.upper()


def by_lattice(discrete, others, sign, epsilon):
    """Discrete Gaussian noise, given whose loss the others have δ by residues."""
    ctx.prec = 600
    part = discrete.build().parts[0]
    step, shift = ball(part.step), part.shift
    reach = math.ceil(float(part.sigma) * 43)
    masses = [part.weight(x) / part.total for x in range(-reach, reach + 1)]
    law = arb_poly([1])
    for _ in range(discrete.count):
        law = law * arb_poly(masses)
    low = high = arb(0)
    for index, mass in enumerate(law.coeffs()):
        # Under P the noise is around the shift (removing), and by symmetry the same the other way round.
        loss = step * (index - reach * discrete.count) + discrete.count * step * shift / 2
        if mass < LEFT_OUT:
            high += mass.abs_upper()
            continue
        given = residues_at(others, sign, arb(epsilon) - loss)
        ctx.prec = 600
        low, high = low + mass * given, high + mass * given
    return low.lower(), high.upper() + LEFT_OUT * discrete.count


def residues_at(uses, sign, epsilon):
    largest = sum((use.count * max(float(loss) for loss, _, _ in use.finite_atoms(sign)) for use in uses), 0.0)
    if float(epsilon) > largest + 1e-9:
        return arb(0)
    if float(epsilon) < -largest - 1e-9:
        return -epsilon.expm1()
    return exact.residues(uses, sign, epsilon)


# --- what is drawn --------------------------------------------------------------------------------


def rounded(rng, value, digits=3):
    return float(f"{value:.{digits}g}")


def binomial(n, sensitivity=1, p=0.5):
    return laws.made("binomial", laws.binomial, p == 0.5, n=n, p=p, sensitivity=sensitivity)


def some_discrete(rng, small):
    """(base, standard deviation of its loss); with few outcomes if it is to be small."""
    kind = rng.randrange(4)
    s = rng.choice([1, 1, 1, 2, 3])
    if kind == 0:
        n = int(log_uniform(rng, 12, 90 if small else 1500))
        p = 0.5 if rng.random() < 0.7 else rounded(rng, rng.uniform(0.2, 0.8), 2)
        s = min(s, n // 6)
        return binomial(n, s, p), s / math.sqrt(n * p * (1 - p))
    if kind == 1:
        variance = rounded(rng, log_uniform(rng, 0.5, 6 if small else 400))
        return laws.made("skellam", laws.skellam, True, variance=variance, sensitivity=s), s / math.sqrt(variance)
    if kind == 2:
        sigma = rounded(rng, log_uniform(rng, 0.5, 2.0 if small else 15.0))
        return laws.made("discrete_gaussian", laws.discrete_gaussian, True, sigma=sigma, sensitivity=s), s / sigma
    scale = rounded(rng, log_uniform(rng, 0.5, 20.0))
    s = rng.choice([1, 2, 3, 5])
    return laws.made("discrete_laplace", laws.discrete_laplace, True, scale=scale, sensitivity=s), s / scale


def has_equal_steps(base):
    return base[0].startswith(("discrete_gaussian", "discrete_laplace"))


def some_use(rng, count, small=False):
    """Sampled, unless its losses are not equally spaced."""
    for _ in range(100):
        base, spread = some_discrete(rng, small)
        sampled = has_equal_steps(base) or rng.random() < 0.4
        rate = rounded(rng, log_uniform(rng, 1e-3, 0.9), 2) if sampled else 1.0
        total = rate * spread * math.sqrt(count)
        if count <= 10 or 0.02 < total < 8:
            word = "subset" if base[2] and rng.random() < 0.2 else "poisson"
            return Use(base, rate, count, word)
    raise Failed("none of a usual size")


def some_epsilon(rng, sketch):
    """With δ from 0.5 to 10⁻¹⁰⁰."""
    log_delta = math.log(0.5) - (rng.uniform(0, 100) if rng.random() < 0.5 else rng.uniform(0, 12)) * LN10
    epsilon = sketch.guess(sketch.tilt(1, log_delta))[0]
    if epsilon > 0.01 and rng.random() < 0.5:
        epsilon = rounded(rng, epsilon)
    if not 1e-6 < epsilon < 600:
        raise Failed("ε")
    return epsilon


def few(rng):
    """Two to six uses of atoms, of one kind or of two."""
    count = rng.choice([2, 2, 3, 3, 4, 5, 6])
    if rng.random() < 0.5:
        return [some_use(rng, count, count > 2)]
    first = rng.randint(1, count - 1)
    return [some_use(rng, n, count > 2) for n in (first, count - first)]


def many(rng):
    """Ten to a million uses of one kind."""
    return [some_use(rng, int(log_uniform(rng, 10, 1e6)))]


def different(rng):
    """Two to four kinds of discrete noise."""
    count = log_uniform(rng, 2, 1e5)
    uses = [some_use(rng, max(1, int(count * log_uniform(rng, 0.05, 2)))) for _ in range(rng.randint(2, 4))]
    return uses


def some_response(rng, count):
    epsilon = rounded(rng, log_uniform(rng, 0.05, 2) / math.sqrt(count))
    return Use(laws.made("randomized_response", laws.response, True, epsilon=epsilon), 1.0, count)


def some_laplace(rng, count):
    return Use(laplace(rounded(rng, math.sqrt(count) * log_uniform(rng, 0.5, 15))), 1.0, count)


def some_discrete_laplace(rng, count):
    scale = rounded(rng, math.sqrt(count) * log_uniform(rng, 0.5, 15))
    return Use(laws.made("discrete_laplace", laws.discrete_laplace, True, scale=scale), 1.0, count)


def mixed_laplace(rng, most):
    """Laplace noise of several scales, or with discrete Laplace noise, or with responses."""
    kinds = [some_laplace, rng.choice([some_laplace, some_discrete_laplace, some_response])]
    if rng.random() < 0.4:
        kinds.append(rng.choice([some_laplace, some_discrete_laplace, some_response]))
    return [kind(rng, int(log_uniform(rng, 1, most))) for kind in kinds]


def discrete_gaussian_and_laplace(rng):
    sigma = rounded(rng, log_uniform(rng, 0.6, 4))
    made = laws.made("discrete_gaussian", laws.discrete_gaussian, True, sigma=sigma, sensitivity=rng.choice([1, 1, 2]))
    return [Use(made, 1.0, rng.choice([1, 2, 3, 5])), some_laplace(rng, rng.choice([1, 2, 3, 4]))]


def discrete_and_laplace(rng):
    count = int(log_uniform(rng, 1, 1e4))
    return [some_use(rng, count), some_laplace(rng, max(1, int(count * rng.random())))]


# --- rows -----------------------------------------------------------------------------------------


def outcomes_row(uses, sign, epsilon, sketch):
    return both(by_outcomes(uses, sign, epsilon), line_once(uses, sign, epsilon, sketch))


def residues_row(uses, sign, epsilon, sketch):
    return both(by_residues(uses, sign, epsilon), line_once(uses, sign, epsilon, sketch))


def lattice_row(uses, sign, epsilon, sketch):
    return both(by_lattice(uses[0], uses[1:], sign, epsilon), line_once(uses, sign, epsilon, sketch))


def line_once(uses, sign, epsilon, sketch):
    """To a few digits: what it excludes is wrong."""
    return line(uses, sign, epsilon, sketch, sketch.tilt(0, epsilon), 1e-5, 130)


#: How many rows of what, and their method.
KINDS = [
    (125, few, outcomes_row),
    (80, many, by_lines),
    (14, different, by_lines),
    (64, lambda rng: mixed_laplace(rng, 25), residues_row),
    (5, lambda rng: mixed_laplace(rng, 20_000), by_lines),
    (25, discrete_gaussian_and_laplace, lattice_row),
    (6, discrete_and_laplace, by_lines),
]


def made(kind, rng):
    _, draw, method = KINDS[kind]
    uses, sign = draw(rng), rng.choice([1, -1])
    if len({use.text().split(" * ")[0] for use in uses}) < len(uses):
        raise Failed("the same twice")
    ctx.prec = 200
    if infinite(uses, sign) > 0.3:
        raise Failed("everything is lost")
    if method is outcomes_row:
        sizes = [len(atoms_of(use, sign)) for use in uses]
        if math.prod(math.comb(size + (use.count + 1) // 2 - 1, (use.count + 1) // 2) for size, use in zip(sizes, uses)) > 40_000:
            raise Failed("too many outcomes")
    sketch = Sketch(uses, sign)
    epsilon = some_epsilon(rng, sketch)
    low, high = method(uses, sign, epsilon, sketch)
    ctx.prec = 300
    if not (low > 1e-101 and high < 0.6 and high - low < WIDEST * epsilon * sketch.tilt(0, epsilon) * low):
        raise Failed(f"wide: {low} {high}")
    quoted = '"' + expression(uses) + '"'
    return quoted, "remove" if sign > 0 else "add", repr(epsilon), outward(low, -1), outward(high, 1)


def outward(value, side):
    """An end with `DIGITS` digits, rounded down or up."""
    ctx.prec = 300
    end = value.lower() if side < 0 else value.upper()
    exponent = math.floor(float(end.log()) / LN10)
    for exponent in (exponent + 1, exponent, exponent - 1):
        scaled = end * arb(10) ** (DIGITS - 1 - exponent)
        whole = scaled.lower().floor() if side < 0 else scaled.upper().ceil()
        digits = str(int(whole.unique_fmpz()))
        if len(digits) == DIGITS:
            return f"{digits[0]}.{digits[1:]}e{exponent}"
    raise Failed("digits")


def attempt(job):
    kind, index = job
    for again in range(200):
        try:
            return made(kind, rng_for(f"without_decay/{kind}/{index}/{again}"))
        except (Failed, golden.TooInaccurate, OverflowError, ZeroDivisionError, ValueError):
            continue
    return None


def main(processes):
    jobs = [(kind, index) for kind, (count, _, _) in enumerate(KINDS) for index in range(count)]
    found = []
    with Pool(processes, maxtasksperchild=10) as pool:
        for job, row in zip(jobs, pool.imap(attempt, jobs)):
            print(job, row, file=sys.stderr, flush=True)
            if row:
                found.append(row)
    write(found)


def write(found):
    path = golden.TESTDATA / "composition" / "without_decay.csv"
    lines = [
        "# δ(ε) of compositions with atoms, of which nothing is known far out on a line: between which two numbers it is.",
        f"# Generated by testdata/generate/without_decay.py with python-flint {flint.__version__}: inputs are exact doubles or integers,"
        f" ends have {DIGITS} digits and are rounded outward.",
        "expression,direction,epsilon,lower,upper",
    ]
    lines += [",".join(row) for row in found]
    path.write_text("\n".join(lines) + "\n")
    print(f"composition/without_decay: {len(found)} rows, {path.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
