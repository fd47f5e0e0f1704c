"""A pair (P, Q) of distributions as atoms and parts, and sums or integrals over it.

The finite base loss l = log dP/dQ lives on *atoms* (outcomes, or sets of outcomes, with one loss)
and on *parts* (a continuum, or an infinite lattice).  Everything is a ball at the current working
precision; a pair must be built anew when the precision changes.
"""

import copy
import math
from fractions import Fraction

from flint import acb, arb, ctx

#: Evaluations of an integrand after which an integral is given up.
EVALUATIONS = 120_000


class Infeasible(ArithmeticError):
    """Not accurate at the last precision, or given up."""


class Undecided(ArithmeticError):
    """A comparison of balls that more precision may settle."""


def ball(value):
    """The exact value of a float, an integer or a fraction, as a ball."""
    if isinstance(value, Fraction):
        return arb(value.numerator) / arb(value.denominator)
    return arb(value)


def positive(difference):
    """Whether a ball is positive."""
    if difference > 0:
        return True
    if difference < 0:
        return False
    if difference.is_zero():
        return False
    raise Undecided(difference)


def exceeds(a, a_exact, b, b_exact):
    """Whether a > b, by exact values where both are known."""
    if a_exact is not None and b_exact is not None:
        return a_exact > b_exact
    return positive(a - b)


def upper_tail(x):
    """1 − Φ(x)."""
    return (x / arb(2).sqrt()).erfc() / 2


def normal_mass(low, high):
    """Φ(high) − Φ(low) without cancellation in the tails; `None` is infinite."""
    if low is None and high is None:
        return arb(1)
    if low is None:
        return upper_tail(-high)
    if high is None:
        return upper_tail(low)
    if low > 0:
        return upper_tail(low) - upper_tail(high)
    return upper_tail(-high) - upper_tail(-low)


class Atom:
    """Outcomes that share the finite loss l; `exact` is l as a fraction where it is rational."""

    def __init__(self, loss, exact, p, q):
        self.loss, self.exact, self.p, self.q = loss, exact, p, q

    def times(self, other):
        exact = None
        if self.exact is not None and other.exact is not None:
            exact = self.exact + other.exact
        return Atom(self.loss + other.loss, exact, self.p * other.p, self.q * other.q)


def rational_atom(loss, q):
    """An atom with a rational loss, from its Q-mass."""
    value = ball(loss)
    return Atom(value, Fraction(loss), q * value.exp(), q)


class Integrand:
    """base^power · (sign·g − centre)^degree with base = 1 − γ + γe^l and g = log base."""

    def __init__(self, gamma, power, degree=0, centre=None, sign=1):
        self.plain = gamma == 1
        self.gamma, self.rest = ball(gamma), ball(1 - gamma)
        self.power, self.degree, self.sign = power, degree, sign
        self.centre = arb(0) if centre is None else centre
        self.real_power = power.real if isinstance(power, acb) else power

    def flat(self):
        """Without the power."""
        other = copy.copy(self)
        other.power = arb(0)
        return other

    def at(self, loss, ratio, analytic):
        """From l (or, where that is `None`, from e^l); not a number where it is not analytic."""
        if self.plain and loss is not None:
            base, g = None, loss
        else:
            if ratio is None:
                ratio = loss.exp()
            base = self.rest + self.gamma * ratio
            g = None
            whole = self.degree == 0 and (self.power == 0 or self.power == 1)
            if not whole:
                if analytic and base.imag.contains(0) and not base.real > 0:
                    return acb("nan")
                g = base.log()
        if self.power == 0:
            value = 1
        elif self.power == 1 and base is not None:
            value = base
        else:
            value = (self.power * g).exp()
        if self.degree:
            distance = self.sign * g - self.centre
            for _ in range(self.degree):
                value = value * distance
        return value

    def growth(self, unit):
        """(K, a, b): |value| ≤ K·e^{a·l} where l > 0 and ≤ K·e^{b·|l|} where l < 0.

        |g| ≤ |l| with the same sign, and x^k ≤ k!·u^k·e^{x/u} for any unit u.
        """
        right = self.real_power if self.real_power > 0 else arb(0)
        left = -self.real_power if self.real_power < 0 else arb(0)
        if self.degree == 0:
            return arb(1), right, left
        factor = math.factorial(self.degree) * unit**self.degree
        return factor * (abs(self.centre) / unit).exp(), right + 1 / unit, left + 1 / unit


def integrate(function, low, high):
    """∫ function over [low, high], a ball that proves itself."""
    used = 0

    def counted(x, analytic):
        nonlocal used
        used += 1
        return function(x, analytic)

    value = acb.integral(counted, low, high, eval_limit=EVALUATIONS)
    if used >= EVALUATIONS:
        raise Infeasible(used)
    return value


def reach(log_bound):
    """R with e^{log_bound − R²/2} below the working precision."""
    return math.sqrt(2 * max(1.0, (ctx.prec + 12) * math.log(2) + float(log_bound)))


class GaussianPart:
    """Q = N(0, 1), P = Σ wᵢN(aᵢ, 1) with aᵢ ≥ 0, seen between `low` and `high`, over `norm`."""

    def __init__(self, shifts, weights=None, low=None, high=None, norm=None):
        self.shifts = [ball(a) for a in shifts]
        self.weights = [ball(w) for w in weights] if weights else [arb(1)]
        self.low, self.high = low, high
        self.norm = arb(1) if norm is None else norm
        self.linear = len(self.shifts) == 1
        self.largest = max(self.shifts, key=float)

    def loss(self, x):
        """l(x) where it is linear."""
        return self.shifts[0] * (x - self.shifts[0] / 2)

    def ratio(self, x):
        """e^l."""
        return sum(w * (a * (x - a / 2)).exp() for w, a in zip(self.weights, self.shifts))

    def real_loss(self, x):
        return self.loss(x) if self.linear else self.ratio(x).log()

    def solve(self, target):
        """x with l(x) = target; `None` if l is larger everywhere."""
        if self.linear:
            return target / self.shifts[0] + self.shifts[0] / 2
        least = sum((w for w, a in zip(self.weights, self.shifts) if a.is_zero()), arb(0))
        if not least.is_zero() and not positive(target.exp() - least):
            return None
        # Newton on log(e^l − least), convex and increasing, then a proof by signs on both sides.
        moving = [(w, a) for w, a in zip(self.weights, self.shifts) if not a.is_zero()]
        goal = (target.exp() - least).log().mid()
        x = goal / self.largest.mid() + self.largest.mid()
        for _ in range(400):
            terms = [w * (a * (x - a / 2)).exp() for w, a in moving]
            total = sum(terms)
            slope = sum(a * term for (_, a), term in zip(moving, terms)) / total
            step = ((total.log() - goal) / slope).mid()
            x = (x - step).mid()
            if abs(step) < arb(2) ** (12 - ctx.prec) * (1 + abs(x)):
                break
        width = (arb(2) ** (24 - ctx.prec) * (1 + abs(x))).mid()
        for _ in range(60):
            below, above = self.real_loss(x - width), self.real_loss(x + width)
            if below < target and above > target:
                return arb(x, width)
            width *= 4
        raise Undecided(target)

    def clip(self, x):
        """x moved into the support."""
        if self.low is not None and not positive(x - self.low):
            return self.low
        if self.high is not None and not positive(self.high - x):
            return self.high
        return x

    def masses(self, low, high):
        """(P, Q) of [low, high]."""
        p = arb(0)
        for w, a in zip(self.weights, self.shifts):
            here = [None if end is None else end - a for end in (low, high)]
            p += w * normal_mass(*here)
        return p / self.norm, normal_mass(low, high) / self.norm

    def above(self, target, exact=None):
        """(P, Q) of l > target; `None` is −∞."""
        x = None if target is None else self.solve(target)
        if x is None:
            return self.masses(self.low, self.high)
        x = self.clip(x)
        if x is self.high:
            return arb(0), arb(0)
        return self.masses(x, self.high)

    def below(self, target, exact=None):
        x = self.solve(target)
        if x is None:
            return arb(0), arb(0)
        x = self.clip(x)
        if x is self.low:
            return arb(0), arb(0)
        return self.masses(self.low, x)

    def window(self, integrand):
        """Ends of the integral, and a bound of what is outside.

        Right of 0, l ≤ largest·x; left, |l| ≤ a₁|x| + a₂/2 (Jensen) with the moments of the shifts.
        """
        first = sum(w * a for w, a in zip(self.weights, self.shifts))
        second = sum(w * a * a for w, a in zip(self.weights, self.shifts))
        factor, right, left = integrand.growth(self.largest)
        low, high, outside = self.low, self.high, arb(0)
        shift = right * self.largest
        bound = factor * (shift * shift / 2).exp() / self.norm
        end = arb(float(shift) + reach(bound.log().mid()) + float(self.largest))
        while not self.real_loss(end) > 0:
            end *= 2
        if high is None or high > end:
            high = end
            outside += bound * upper_tail(end - shift)
        shift = left * first
        bound = factor * (left * second / 2 + shift * shift / 2).exp() / self.norm
        end = arb(float(shift) + reach(bound.log().mid()))
        if low is None or low < -end:
            low = -end
            outside += bound * upper_tail(end - shift)
        return low, high, outside

    def integral(self, integrand, split=None):
        """∫ q·integrand; with `split`, of its absolute value, which vanishes there."""
        low, high, outside = self.window(integrand)
        norm = 1 / ((2 * arb.pi()).sqrt() * self.norm)

        def function(x, analytic):
            density = norm * (-x * x / 2).exp()
            if self.linear:
                return density * integrand.at(self.loss(x), None, analytic)
            return density * integrand.at(None, self.ratio(x), analytic)

        def value(x):
            if self.linear:
                return integrand.flat().at(self.loss(x), None, False)
            return integrand.flat().at(None, self.ratio(x), False)

        return split_integral(self, function, value, low, high, outside, integrand, split)

    def sample(self, rng, tail):
        shift = float(rng.choice(self.shifts)) if rng.random() < 0.6 else 0.0
        if tail:
            x = math.sqrt(2 * math.log(10) * rng.uniform(0, 105))
            x = shift + (x if rng.random() < 0.7 else -x)
        else:
            x = rng.gauss(shift, 1.0)
        if self.low is not None:
            x = max(x, float(self.low) * (1 + 1e-9) if rng.random() < 0.5 else float(self.low))
        if self.high is not None and x > float(self.high):
            inner = 0.0 if self.low is None else float(self.low)
            x = inner + (float(self.high) - inner) * (1 - 10 ** rng.uniform(-9, 0))
        return float(self.real_loss(arb(x)).mid())


def split_integral(part, function, value, low, high, outside, integrand, split):
    """∫ function; with a split (a ball of losses l) ∫ |function|, which changes sign there.

    The split is made at a mid-point.  Between it and the true one the distance to the centre is at
    most what it is there, and there is at most one unit of mass: that bounds the mistake.
    """
    if split is None:
        return pad(integrate(function, low, high), outside)
    increasing = not getattr(part, "decreasing", False)
    if integrand.sign < 0:
        increasing = not increasing
    x = part.solve(split)
    if x is None:  # every l is above
        return pad(integrand.sign * integrate(function, low, high), outside)
    middle = x.mid()
    if not middle > low:
        middle = low
        mistake = arb(0) if x < low else 2 * abs(real(value(low)))
    elif not middle < high:
        middle = high
        mistake = arb(0) if x > high else 2 * abs(real(value(high)))
    else:
        mistake = 2 * abs(real(value(middle)))
    total = acb(0)
    if middle is not low:
        lower = integrate(function, low, middle)
        total += -lower if increasing else lower
    if middle is not high:
        upper = integrate(function, middle, high)
        total += upper if increasing else -upper
    return pad(total, outside + mistake)


def real(value):
    return value.real if isinstance(value, acb) else ball(value)


def pad(value, radius):
    """A complex ball widened by a bound."""
    if radius.is_zero():
        return value
    error = arb(0, radius.abs_upper())
    return value + acb(error, error)


class ExponentialPart:
    """The loss itself has Q-density c·e^{−l/2} (so P-density c·e^{l/2}) on [low, high]."""

    def __init__(self, scale, low, high, low_exact=None, high_exact=None):
        self.scale, self.low, self.high = scale, low, high
        self.low_exact, self.high_exact = low_exact, high_exact

    def masses(self, low, high):
        q = 2 * self.scale * (-low / 2).exp() * -((low - high) / 2).expm1()
        p = 2 * self.scale * (high / 2).exp() * -((low - high) / 2).expm1()
        return p, q

    def clip(self, target, exact):
        if target is None or not exceeds(target, exact, self.low, self.low_exact):
            return self.low
        if not exceeds(self.high, self.high_exact, target, exact):
            return self.high
        return target

    def above(self, target, exact=None):
        x = self.clip(target, exact)
        return (arb(0), arb(0)) if x is self.high else self.masses(x, self.high)

    def below(self, target, exact=None):
        x = self.clip(target, exact)
        return (arb(0), arb(0)) if x is self.low else self.masses(self.low, x)

    def solve(self, target):
        return target

    def integral(self, integrand, split=None):
        def function(x, analytic):
            return self.scale * (-x / 2).exp() * integrand.at(x, None, analytic)

        def value(x):
            return integrand.flat().at(x, None, False)

        return split_integral(self, function, value, self.low, self.high, arb(0), integrand, split)

    def sample(self, rng, tail):
        low, high = float(self.low), float(self.high)
        if tail:
            near = (high - low) * 10 ** rng.uniform(-12, 0)
            return high - near if rng.random() < 0.7 else low + near
        return rng.uniform(low, high)


class VariancePart:
    """|y| of Q = N(0, 1), P = N(0, r²): l = −log r + (1 − r⁻²)y²/2."""

    def __init__(self, r):
        self.r = ball(r)
        self.slope = 1 - 1 / self.r**2
        self.decreasing = r < 1

    def loss(self, y):
        return self.slope * y * y / 2 - self.r.log()

    def square(self, target):
        return 2 * (target + self.r.log()) / self.slope

    def masses(self, far, target):
        """(P, Q) of |y| beyond (or within) the point where l = target."""
        square = arb(0) if target is None else self.square(target)
        if target is None and self.decreasing:
            return (arb(0), arb(0)) if far else (arb(1), arb(1))
        if target is None or not positive(square):
            return (arb(1), arb(1)) if far else (arb(0), arb(0))
        y = (square / 2).sqrt()
        if far:
            return (y / self.r).erfc(), y.erfc()
        return (y / self.r).erf(), y.erf()

    def above(self, target, exact=None):
        return self.masses(not self.decreasing, target)

    def below(self, target, exact=None):
        return self.masses(self.decreasing, target)

    def solve(self, target):
        square = self.square(target)
        if not positive(square):
            return arb(-1)
        return square.sqrt()

    def integral(self, integrand, split=None):
        # Far out l has the sign of the slope and |l| ≤ |slope|·y²/2 + |log r|.
        steep = abs(self.slope)
        factor, right, left = integrand.growth(4 * steep)
        rate = left if self.decreasing else right
        if self.decreasing and integrand.degree == 0 and not integrand.plain:
            # 1 − γ ≤ base ≤ 1 where l < 0
            rate = arb(0)
            if integrand.real_power < 0:
                factor = integrand.rest**integrand.real_power
        decay = 1 - rate * steep
        if not decay > 0:
            raise Undecided("outside the strip")
        factor *= (rate * abs(self.r.log())).exp()
        root = decay.sqrt()
        end = arb((reach(factor.log().mid()) + 1) / float(root))
        while not (self.loss(end) < 0 if self.decreasing else self.loss(end) > 0):
            end *= 2
        outside = 2 * factor * upper_tail(end * root) / root
        norm = (arb(2) / arb.pi()).sqrt()

        def function(y, analytic):
            return norm * (-y * y / 2).exp() * integrand.at(self.loss(y), None, analytic)

        def value(y):
            return integrand.flat().at(self.loss(y), None, False)

        return split_integral(self, function, value, arb(0), end, outside, integrand, split)

    def sample(self, rng, tail):
        scale = float(self.r) if rng.random() < 0.6 else 1.0
        y = math.sqrt(2 * math.log(10) * rng.uniform(0, 105)) if tail else rng.gauss(0, 1)
        if tail and rng.random() < 0.4:
            y = 10 ** rng.uniform(-4, 0)
        return float(self.loss(arb(y * scale)).mid())


class LatticePart:
    """Discrete Gaussians on the integers: Q ∝ e^{−x²/2σ²}, P = Q shifted by s; l = s(x − s/2)/σ²."""

    def __init__(self, sigma, shift):
        self.sigma, self.shift = Fraction(sigma), shift
        self.step = Fraction(shift) / self.sigma**2
        self.total = 1 + 2 * self.tail(1)

    def weight(self, x):
        return (-(ball(x) ** 2) / ball(2 * self.sigma**2)).exp()

    def tail(self, start):
        """Σ e^{−x²/2σ²} over x ≥ start, for start ≥ 1."""
        term, ratio = self.weight(start), (-ball((2 * start + 1) / (2 * self.sigma**2))).exp()
        shrink = (-ball(1 / self.sigma**2)).exp()
        small = term * arb(2) ** (-ctx.prec)
        total, count = arb(0), 0
        while True:
            total += term
            term *= ratio
            ratio *= shrink
            count += 1
            # the rest is at most a geometric series
            if count % 16 == 0 and term / (1 - ratio) < small:
                rest = (term / (1 - ratio)).abs_upper()
                return total + arb(rest / 2, rest / 2)

    def at_least(self, start):
        """Q(x ≥ start)."""
        if start >= 1:
            return self.tail(start) / self.total
        return 1 - self.tail(1 - start) / self.total

    def first_above(self, target, exact):
        """The least integer x with l(x) > target, and the least with l(x) ≥ target."""
        if exact is not None:
            x = exact / self.step + Fraction(self.shift, 2)
            return math.floor(x) + 1, math.ceil(x)
        x = target / ball(self.step) + arb(self.shift) / 2
        floor = x.floor().unique_fmpz()
        if floor is None:
            raise Undecided(x)
        return int(floor) + 1, int(floor) + 1

    def above(self, target, exact=None):
        if target is None:
            return arb(1), arb(1)
        start, _ = self.first_above(target, exact)
        return self.at_least(start - self.shift), self.at_least(start)

    def below(self, target, exact=None):
        _, end = self.first_above(target, exact)
        # x ≤ end − 1, reflected
        return self.at_least(1 - end + self.shift), self.at_least(1 - end)

    def integral(self, integrand, split=None):
        sigma, mu = ball(self.sigma), ball(self.shift / self.sigma)
        factor, right, left = integrand.growth(mu)
        ends, outside = [], arb(0)
        for side, rate in ((1, right), (-1, left)):
            shift = rate * mu
            log_bound = factor.log() + shift * shift / 2 + left * mu * mu / 2
            end = math.ceil(
                float(sigma) * (float(shift) + reach(log_bound.mid())) + self.shift / 2
            )
            first = ball(end + 1)
            height = side * ball(self.step) * (side * first - ball(self.shift) / 2)
            if not height > 0:
                raise Undecided("window")
            term = factor * self.weight(end + 1) * (rate * height).exp()
            ratio = (-(2 * first + 1) / (2 * sigma**2) + rate * ball(self.step)).exp()
            if not ratio < 1:
                raise Undecided("window")
            outside += term / (1 - ratio)
            ends.append(side * end)
        total = acb(0)
        for x in range(ends[1], ends[0] + 1):
            loss = ball(self.step * (x - Fraction(self.shift, 2)))
            value = integrand.at(loss, None, False)
            if split is not None:
                value = abs(real(value))
            total += self.weight(x) * value
        return pad(total, outside) / self.total

    def cost(self):
        return float(self.sigma)

    def sample(self, rng, tail):
        shift = self.shift if rng.random() < 0.6 else 0
        x = math.sqrt(2 * math.log(10) * rng.uniform(0, 105)) if tail else abs(rng.gauss(0, 1))
        x = round(shift + float(self.sigma) * (x if rng.random() < 0.7 else -x))
        loss = self.step * (x - Fraction(self.shift, 2))
        return float(loss)


class ShiftedPart:
    """A part beside an atom of an independent pair."""

    def __init__(self, part, atom):
        self.part, self.atom = part, atom

    def masses(self, method, target, exact):
        if target is not None:
            target = target - self.atom.loss
            if exact is not None and self.atom.exact is not None:
                exact -= self.atom.exact
            else:
                exact = None
        p, q = method(target, exact)
        return p * self.atom.p, q * self.atom.q

    def above(self, target, exact=None):
        return self.masses(self.part.above, target, exact)

    def below(self, target, exact=None):
        return self.masses(self.part.below, target, exact)

    def integral(self, integrand, split=None):
        shifted = ShiftedIntegrand(integrand, self.atom.loss)
        if split is not None:
            split = split - self.atom.loss
        return self.atom.q * self.part.integral(shifted, split)

    def sample(self, rng, tail):
        return self.part.sample(rng, tail) + float(self.atom.loss)


class ShiftedIntegrand:
    """The integrand at l + shift."""

    def __init__(self, integrand, shift):
        self.integrand, self.shift, self.sign = integrand, shift, integrand.sign

    def flat(self):
        return ShiftedIntegrand(self.integrand.flat(), self.shift)

    def at(self, loss, ratio, analytic):
        if loss is not None:
            return self.integrand.at(loss + self.shift, None, analytic)
        return self.integrand.at(None, ratio * self.shift.exp(), analytic)

    def growth(self, unit):
        """The bounds at l + shift in terms of l: |l + shift| ≤ |l| + |shift|."""
        factor, right, left = self.integrand.growth(unit)
        larger = right if right > left else left
        return factor * (larger * abs(self.shift)).exp(), right, left
