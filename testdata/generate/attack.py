"""Write testdata/attack.csv: questions where an accountant is most likely to be wrong, with their true answers.

Without arguments it writes the file of the repository; `attack.py SEED COUNT FILE` writes COUNT fresh questions.

A mechanism here is a *law*: finitely many outcomes (p, q), outcomes that only P or only Q can have, and at most
one continuous part beside them.  Samples and compositions of finite laws are formed outcome by outcome, from the
definition: W = (1 − γ)Q + γP, and products.  δ(ε) = Σ (p − e^ε q)₊ + P(L = ∞) is summed in balls; with a continuous
part it is Σ p_b·δ(ε − l_b) over the finite outcomes b, plus P(b = ∞).  ε(δ) is solved for: exactly on a segment
between two losses, by Newton's iteration from the left otherwise (δ is convex in e^ε), and signs prove it.

`kind` says where a case came from: `file`, `sums`, `nested`, `density`, `gaussians`; but `columns` if those of a `pair` do not add up to
1 exactly, and `flat` if δ is next to the total variation.  The question is `delta` at an ε or `epsilon` at a δ, both exact doubles.  `truth` has 34 digits, `inf` if no finite ε will
do.  `moves` is by how much the truth itself changes if δ, or the probabilities of a `pair`, move by some units of roundoff, which is
all that their digits say: no answer can be narrower than that.
"""

import math
import sys
from fractions import Fraction

from flint import acb, arb, ctx, fmpz

import golden
from golden import log_uniform, rng_for
from pairs import laws
from pairs.evaluate import Pair
from pairs.parts import GaussianPart, Infeasible, Undecided, ball, positive

DIGITS = 34
#: A truth is known when its ball has so many bits.
ENOUGH = 122
PRECISIONS = (300, 600, 1300, 2600)
#: Outcomes of a product.
MOST = 1500
#: By how much δ may move: some units of roundoff of it.
UNITS = Fraction(1, 1 << 48)
SMALLEST = Fraction(1, 10**320)


class Unsettled(ArithmeticError):
    """This question has no answer here."""


# --- laws ------------------------------------------------------------------------------------


class Law:
    """Outcomes (p, q) with p, q > 0 as balls, P(L = ∞), Q(L = −∞), and perhaps a continuous part."""

    def __init__(self, outcomes, p_only=None, q_only=None, core=None):
        self.outcomes = [(p, q) for p, q in outcomes]
        self.p_only = arb(0) if p_only is None else p_only
        self.q_only = arb(0) if q_only is None else q_only
        self.core = core

    def swapped(self):
        if self.core is not None:
            raise Unsettled("a continuous part knows its direction")
        return Law([(q, p) for p, q in self.outcomes], self.q_only, self.p_only)

    def sampled(self, rate):
        """(W, Q)."""
        if self.core is not None:
            raise Unsettled("a continuous part is sampled by itself")
        g, rest = ball(Fraction(rate)), ball(1 - Fraction(rate))
        mixed = [(rest * q + g * p, q) for p, q in self.outcomes]
        if not self.q_only.is_zero() and not rest.is_zero():
            mixed.append((rest * self.q_only, self.q_only))
            return Law(mixed, g * self.p_only)
        return Law(mixed, g * self.p_only, self.q_only)

    def joined(self, rate):
        """The curve of (W, Q) above 1 and of (Q, W) below it: losses above 0 of one, below 0 of the other, and the rest."""
        above, below = self.sampled(rate), self.sampled(rate).swapped()
        kept = [(p, q) for p, q in above.outcomes if positive(p - q)]
        kept += [(p, q) for p, q in below.outcomes if positive(q - p)]
        rest = 1 - above.p_only - sum((p for p, _ in kept), arb(0))
        if not rest.contains(0):
            kept.append((rest, rest))
        return Law(kept, above.p_only, below.q_only)

    def times(self, other):
        if self.core is not None and other.core is not None:
            raise Unsettled("two continuous parts")
        if len(self.outcomes) * len(other.outcomes) > MOST:
            raise Unsettled("too many outcomes")
        products = [(a * c, b * d) for a, b in self.outcomes for c, d in other.outcomes]
        both = lambda a, b: a + b - a * b
        return Law(
            products, both(self.p_only, other.p_only), both(self.q_only, other.q_only), self.core or other.core
        )

    def power(self, count):
        if count == 1:
            return self
        if self.core is not None:
            raise Unsettled("a continuous part is used once")
        size = len(self.outcomes)
        if size == 0 or math.comb(count + size - 1, size - 1) > MOST:
            raise Unsettled("too many outcomes")
        found = [(arb(1), arb(1), count)]
        for index, (p, q) in enumerate(self.outcomes):
            last, following = index == size - 1, []
            for x, y, left in found:
                for i in [left] if last else range(left + 1):
                    ways = arb(fmpz(math.comb(left, i)))
                    following.append((x * ways * p**i, y * ways * q**i, left - i))
            found = following
        at_infinity = lambda chance: -(count * (-chance).log1p()).expm1() if chance != 1 else arb(1)
        return Law([(x, y) for x, y, _ in found], at_infinity(self.p_only), at_infinity(self.q_only))

    def delta(self, epsilon):
        """(δ, Q(L > ε) of what is finite) at a fraction or a ball."""
        e = ball(epsilon) if isinstance(epsilon, Fraction) else epsilon
        grown = e.exp()
        total, above = self.p_only, arb(0)
        if self.core is None:
            for p, q in self.outcomes:
                gain = p - grown * q
                if gain > 0:
                    total, above = total + gain, above + q
                elif not gain < 0:  # a tie, as far as balls tell: δ does not mind
                    total = total + arb(0, abs(gain).upper())
            return total, above
        for p, q in self.outcomes:
            inner, tail = self.core(e + (q / p).log())
            total, above = total + p * inner, above + q * tail
        return total, above

    def losses(self):
        """Floats, largest first."""
        return sorted((float((p / q).log()) for p, q in self.outcomes), reverse=True)

    def wobble(self, epsilon):
        """P(L > ε) + e^ε Q(L > ε): what a relative change of all probabilities does to δ."""
        delta, above = self.delta(epsilon)
        return abs(delta) + 2 * ball(epsilon).exp() * above


def finite(pair):
    """A law of a pair without a density."""
    if pair.parts:
        raise Unsettled("a density")
    return Law([(atom.p, atom.q) for atom in pair.atoms], pair.p_infinite, pair.q_only)


def density(pair, rate, sign):
    """A law with one outcome beside its continuous part: the pair, sampled, in a direction."""
    g, rest = ball(Fraction(rate)), ball(1 - Fraction(rate))

    def core(epsilon):
        odds = ((sign * epsilon).expm1() + g) / g
        whole = (sum((a.p for a in pair.atoms), arb(0)), sum((a.q for a in pair.atoms), arb(0)))
        t = odds.log() if positive(odds) else None
        p = q = arb(0)
        for part in pair.parts:
            if t is None:
                more = part.above(None) if sign > 0 else (arb(0), arb(0))
            else:
                more = part.above(t) if sign > 0 else part.below(t)
            p, q = p + more[0], q + more[1]
        if t is None:
            p, q = (p + whole[0], q + whole[1]) if sign > 0 else (p, q)
        else:
            for atom in pair.atoms:
                if positive(sign * (atom.loss - t)):
                    p, q = p + atom.p, q + atom.q
        if sign > 0:
            if t is None:
                q = q + pair.q_only
            top, bottom = rest * q + g * (p + pair.p_infinite), q
        else:
            if rest.is_zero() or positive(-rest.log() - epsilon):
                q = q + pair.q_only
            top, bottom = q, rest * q + g * p
        return top - epsilon.exp() * bottom, bottom

    return Law([(arb(1), arb(1))], core=core)


# --- mechanisms: (expression, symmetric, law of a direction) -------------------------------------


class Mechanism:
    """An expression and, at the current precision, its law for removing (1) or adding (−1) a record."""

    def __init__(self, text, symmetric, law, files=0, uneven=False):
        self.text, self.symmetric, self.law = text, symmetric, law
        #: How often columns of probabilities are used, whose digits are all that is known of them.
        self.files = files
        #: Do some columns not add up to 1 exactly?
        self.uneven = uneven

    def used(self, count):
        if count == 1:
            return self
        text = f"({self.text})" if " + " in self.text else self.text
        law = lambda sign: self.law(sign).power(count)
        return Mechanism(f"{text} * {count}", self.symmetric, law, self.files * count, self.uneven)

    def beside(self, other):
        law = lambda sign: self.law(sign).times(other.law(sign))
        return Mechanism(
            f"{self.text} + {other.text}",
            self.symmetric and other.symmetric,
            law,
            self.files + other.files,
            self.uneven or other.uneven,
        )

    def sampled(self, word, rate):
        def law(sign):
            base = self.law(1).sampled(rate)
            return base if sign > 0 else base.swapped()

        return Mechanism(f"{word}({self.text}, rate={rate!r})", False, law, self.files, self.uneven)

    def replaced(self, rate):
        law = lambda sign: self.law(1).joined(rate)
        return Mechanism(f"subset({self.text}, rate={rate!r})", True, law, self.files, self.uneven)


def of_pair(made):
    """From (expression, build, symmetric) of a pair without a density."""
    text, build, symmetric = made
    law = lambda sign: finite(build()) if sign > 0 else finite(build()).swapped()
    return Mechanism(text, symmetric, law)


def continuous(made, word=None, rate=1.0):
    text, build, symmetric = made
    shown = text if word is None else f"{word}({text}, rate={rate!r})"
    return Mechanism(shown, symmetric and word is None, lambda sign: density(build(), rate, sign))


FINITE = [
    laws.draw_response,
    laws.draw_k_response,
    laws.draw_dp,
    laws.draw_staircase,
    laws.draw_uniform,
]


def draw_small_lattice(rng):
    s = rng.randint(1, 3)
    return laws.made("discrete_laplace", laws.discrete_laplace, True, scale=log_uniform(rng, 0.2, 30), sensitivity=s)


def draw_small_binomial(rng):
    n = rng.randint(1, 6)
    return laws.made("binomial", laws.binomial, False, n=n, p=rng.choice([0.5, 0.25, rng.uniform(0.1, 0.9)]), sensitivity=1)


def draw_count(rng):
    n = rng.randint(1, 9)
    return laws.made("exponential", laws.exponential_count, False, epsilon_tilde=log_uniform(rng, 1e-4, 5), n=n, m=rng.randint(1, n))


def some_finite(rng):
    kind = rng.random()
    if kind < 0.3:
        return some_file(rng)
    if kind < 0.38:
        return some_profile(rng)
    draw = rng.choice([*FINITE, draw_small_lattice, draw_small_binomial, draw_count])
    made = draw(rng)
    if "delta=0.0)" in made[0] and "stability" in made[0]:
        raise Unsettled("refused")
    return of_pair(made)


# --- files ------------------------------------------------------------------------------------


def some_entries(rng, size):
    """Probabilities with zeros, ties, denormals and 1e-300 among them."""
    entries = []
    for _ in range(size):
        kind = rng.random()
        if kind < 0.12:
            entries.append(0.0)
        elif kind < 0.125:  # to be refused: below 1e-300
            entries.append(rng.choice([5e-324, 1e-323, 3e-320, 2.2250738585072014e-308, 1e-310]))
        elif kind < 0.3:
            entries.append(rng.choice([1e-300, 1e-299, 1e-200, 1e-100, 3e-17, 1e-16, 1e-14]))
        elif kind < 0.5:
            entries.append(rng.choice([0.5, 0.25, 0.125, 0.1, 0.2]))
        elif kind < 0.6:
            entries.append(log_uniform(rng, 1e-12, 1e-3))
        else:
            entries.append(log_uniform(rng, 1e-3, 1))
    return entries


def filled(rng, entries):
    """The entries with one of them moved so that all add up to 1, perhaps but for less than 10⁻¹³."""
    exact = lambda value: Fraction(repr(value))
    total = sum(map(exact, entries))
    if not 0 < total:
        return None
    entries = [value / float(total) if value > 1e-12 else value for value in entries]
    largest = max(range(len(entries)), key=lambda i: entries[i])
    is_even = rng.random() < 0.75
    if is_even:  # as many places as the largest entry has digits: then all of them add up to 1
        entries = [round(value, 15) for value in entries]
    rest = 1 - sum(exact(value) for i, value in enumerate(entries) if i != largest)
    if rest <= 0:
        return None
    entries[largest] = float(rest)
    if not is_even and rng.random() < 0.3:
        entries[rng.randrange(len(entries))] += rng.choice([1, 1, 2, 5, 9]) * 10.0 ** rng.randint(-16, -14)
    off = abs(sum(map(exact, entries)) - 1)
    if off > Fraction(95, 10**15) or max(entries) > 1:
        return None
    return entries


def some_file(rng):
    """A pair of columns; truth is that of the decimals as they are written, each column divided by its sum."""
    for _ in range(50):
        size = rng.choice([2, 2, 2, 3, 3, 4, 5])
        q = some_entries(rng, size)
        kind = rng.random()
        if kind < 0.3:
            p = [value * math.exp(rng.uniform(-2, 2)) for value in q]
        elif kind < 0.6:
            p = some_entries(rng, size)
        else:  # ties, and entries that are next to each other
            p = [rng.choice([value, value, math.nextafter(value, 1), value * 2, 0.0]) for value in q]
        if rng.random() < 0.1:
            p, q = [1.0, 0.0], [1.0, rng.choice([1e-14, 9e-14, 1e-300, 3e-17])]
            break
        p, q = filled(rng, p), filled(rng, q)
        if p is not None and q is not None:
            break
    else:
        raise Unsettled("no columns")
    columns = [[Fraction(repr(value)) for value in column] for column in (p, q)]
    uneven = any(sum(column) != 1 for column in columns)
    columns = [[value / sum(column) for value in column] for column in columns]

    def law(sign):
        both = [(a, b) for a, b in zip(*columns)]
        found = Law(
            [(ball(a), ball(b)) for a, b in both if a and b],
            ball(sum((a for a, b in both if not b), Fraction(0))),
            ball(sum((b for a, b in both if not a), Fraction(0))),
        )
        return found if sign > 0 else found.swapped()

    shown = [",".join(map(repr, column)) for column in (p, q)]
    return Mechanism(f'pair(p="{shown[0]}", q="{shown[1]}")', False, law, 1, uneven)


def some_profile(rng):
    """The largest curve below points: corners of a convex hull."""
    first = log_uniform(rng, 1e-9, 0.5)
    count = rng.randint(1, 4)
    epsilons = sorted(rng.choice([0.0, 0.5, 1.0, 2.0, 3.5, rng.uniform(0.01, 4)]) for _ in range(count))
    deltas = sorted((first * rng.uniform(0.001, 1) for _ in range(count)), reverse=True)
    if rng.random() < 0.3:
        deltas[-1] = rng.choice([0.0, 1e-300, 1e-12])
    if len(set(epsilons)) < count:
        raise Unsettled("twice the same")

    def law(sign):
        points = [(ball(Fraction(e)).exp(), ball(Fraction(d))) for e, d in zip(epsilons, deltas)]
        points += [(1 / a, 1 - (1 - d) / a) for a, d in points if not (a - 1).is_zero()]
        points = sorted(points + [(arb(0), arb(1))], key=lambda point: float(point[0]))
        lowest = min(points, key=lambda point: float(point[1]))
        hull = []
        for point in points:
            while len(hull) > 1 and not positive(
                (point[1] - hull[-1][1]) * (hull[-1][0] - hull[-2][0])
                - (hull[-1][1] - hull[-2][1]) * (point[0] - hull[-1][0])
            ):
                hull.pop()
            hull.append(point)
        # The curve does not rise: from its lowest point on it is level.
        hull = [point for point in hull if float(point[0]) <= float(lowest[0])]
        slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(hull, hull[1:])] + [arb(0)]
        outcomes = [(a * (high - low), high - low) for (a, _), low, high in zip(hull[1:], slopes, slopes[1:])]
        outcomes = [(p, q) for p, q in outcomes if positive(q)]
        return Law(outcomes, lowest[1], 1 + slopes[0])

    lists = ",".join(map(repr, epsilons)), ",".join(map(repr, deltas))
    return Mechanism(f'profile(epsilons="{lists[0]}", deltas="{lists[1]}")', True, law)


# --- cases ------------------------------------------------------------------------------------


def some_rate(rng):
    kind = rng.random()
    if kind < 0.1:
        return rng.choice([2.3e-308, 1e-300, 1e-100, 1e-16])
    if kind < 0.25:
        return 1 - log_uniform(rng, 1e-12, 0.5)
    return log_uniform(rng, 1e-6, 1) if kind < 0.7 else rng.choice([0.5, 0.25, 0.1, 0.01, 0.001])


def some_relation(rng, symmetric):
    return rng.choice(["remove", "add", "replace"] if symmetric else ["remove", "add"])


def one_file(rng):
    mechanism = some_file(rng)
    kind = rng.random()
    if kind < 0.3:
        mechanism = mechanism.used(rng.choice([2, 3, 5, 10**3, 10**6]))
    elif kind < 0.5:
        mechanism = mechanism.sampled("poisson", some_rate(rng)).used(rng.choice([1, 1, 2, 7]))
    if rng.random() < 0.3:
        mechanism = mechanism.beside(some_finite(rng))
    return "file", mechanism, some_relation(rng, mechanism.symmetric)


def few_finite(rng):
    """Sums of few uses of different kinds, sampled in all ways."""
    relation = rng.choice(["remove", "add", "replace"])
    mechanism = None
    for _ in range(rng.choice([1, 2, 2, 3, 4])):
        part = some_finite(rng)
        kind = rng.random()
        if relation == "replace":
            if not part.symmetric:
                continue
            if kind < 0.6:
                part = part.replaced(some_rate(rng))
        elif kind < 0.35:
            part = part.sampled("poisson", some_rate(rng))
        elif kind < 0.5 and part.symmetric:
            part = part.sampled("subset", some_rate(rng))
        part = part.used(rng.choice([1, 1, 1, 2, 3, 5, 20]))
        mechanism = part if mechanism is None else mechanism.beside(part)
    if mechanism is None:
        raise Unsettled("nothing is symmetric")
    return "sums", mechanism, relation


def nested(rng):
    """Samples of compositions and of samples, used a few times."""
    inner = some_finite(rng)
    if "profile" in inner.text:
        raise Unsettled("a composition of profiles is not sampled")
    inner = inner.used(rng.choice([1, 2, 3]))
    if rng.random() < 0.5:
        other = some_finite(rng)
        if "profile" in other.text:
            raise Unsettled("a composition of profiles is not sampled")
        inner = inner.beside(other)
    if rng.random() < 0.4:
        inner = inner.sampled("poisson", some_rate(rng))
    mechanism = inner.sampled("poisson", some_rate(rng)).used(rng.choice([1, 1, 2, 3]))
    if rng.random() < 0.4:
        mechanism = mechanism.beside(some_finite(rng))
    return "nested", mechanism, rng.choice(["remove", "add"])


CONTINUOUS = [
    laws.draw_gaussian,
    laws.draw_gaussian,
    laws.draw_gdp,
    laws.draw_laplace,
    laws.draw_mixture,
    laws.draw_exponential,
    laws.draw_truncated_laplace,
    laws.draw_variance,
]


def with_a_density(rng):
    """A mechanism with a density, alone or beside few finite ones."""
    made = rng.choice(CONTINUOUS)(rng)
    kind = rng.random()
    if "exponential(" in made[0] and "_tilde" in made[0] or "truncated" in made[0]:
        kind = 1.0
    word = "poisson" if kind < 0.4 else "subset" if kind < 0.5 and made[2] else None
    mechanism = continuous(made, word, some_rate(rng)) if word else continuous(made)
    relation = some_relation(rng, mechanism.symmetric)
    for _ in range(rng.choice([0, 0, 1, 2])):
        part = some_finite(rng)
        if relation == "replace" and not part.symmetric:
            continue
        if relation != "replace" and rng.random() < 0.3:
            part = part.sampled("poisson", some_rate(rng))
        mechanism = part.used(rng.choice([1, 1, 2, 3])).beside(mechanism)
    return "density", mechanism, relation


def normal(mu):
    """The pair of N(μ, 1) and N(0, 1), for a ball μ."""
    part = GaussianPart([Fraction(1)])
    part.shifts = [mu]
    part.largest = mu
    return Pair(parts=[part])


def gaussians(rng):
    """Gaussians of different noise, which compose in closed form, and a Laplace mechanism or finite ones beside them."""
    parts = [(log_uniform(rng, 0.3, 60), rng.choice([1, 1, 2, 7, 1000])) for _ in range(rng.randint(1, 3))]

    def mu():
        return sum((count / ball(Fraction(sigma)) ** 2 for sigma, count in parts), arb(0)).sqrt()

    shown = [f"gaussian(sigma={sigma!r})" + (f" * {count}" if count > 1 else "") for sigma, count in parts]
    text = " + ".join(shown)
    mechanism = Mechanism(text, True, lambda sign: density(normal(mu()), 1.0, sign))
    if rng.random() < 0.04:
        scale = log_uniform(rng, 0.2, 30)
        mechanism = Mechanism(f"laplace(scale={scale!r}) + {text}", True, lambda _: beside_laplace(mu(), scale))
    relation = some_relation(rng, True)
    if rng.random() < 0.4:
        part = some_finite(rng)
        if relation != "replace" or part.symmetric:
            mechanism = part.used(rng.choice([1, 1, 2])).beside(mechanism)
    return "gaussians", mechanism, relation


def beside_laplace(mu, scale):
    """A Laplace mechanism, whose loss has the density e^{(l − d)/2}/4 between two atoms at ∓d, beside a Gaussian."""
    d = ball(1 / Fraction(scale))

    def alone(epsilon):
        """(δ, Q(L > ε)) of the Gaussian; `epsilon` may be complex."""
        root = acb(2).sqrt()
        tail = lambda x: (x / root).erfc() / 2
        p, q = tail(epsilon / mu - mu / 2), tail(epsilon / mu + mu / 2)
        return p - epsilon.exp() * q, q

    def core(epsilon):
        found = []
        for which in (0, 1):
            at = lambda loss: alone(acb(epsilon) - loss)[which]
            # δ goes with the masses under P, the tail with those under Q.
            high, low, middle = [(arb(1) / 2, (-d).exp() / 2, 1), ((-d).exp() / 2, arb(1) / 2, -1)][which]
            tolerance = arb(2) ** (20 - ctx.prec)
            density = lambda loss, _: ((middle * loss - d) / 2).exp() / 4 * at(loss)
            cuts = [-d + 2 * d * i / 8 for i in range(9)]
            inside = sum(
                (acb.integral(density, a, b, rel_tol=tolerance, abs_tol=tolerance * arb("1e-200")) for a, b in zip(cuts, cuts[1:])),
                acb(0),
            )
            found.append((high * at(acb(d)) + low * at(acb(-d)) + inside).real)
        return tuple(found)

    return Law([(arb(1), arb(1))], core=core)


KINDS = [one_file, one_file, few_finite, few_finite, nested, with_a_density, with_a_density, gaussians]


# --- questions --------------------------------------------------------------------------------


def accurate(value):
    return value.is_zero() or (value.is_finite() and not value.contains(0) and value.rel_accuracy_bits() > ENOUGH)


def settled(function):
    for precision in PRECISIONS:
        ctx.prec = precision
        try:
            value = function()
        except (Undecided, ZeroDivisionError):
            continue
        if value is None or value == math.inf or accurate(value):
            return value
    raise Unsettled("not accurate")


def solved(law, delta):
    """ε(δ) ≥ 0 at this precision; ∞ if there is none."""
    goal = ball(delta)
    if not positive(law.delta(Fraction(0))[0] - goal):
        return arb(0)
    if law.core is None:
        ordered = sorted(law.outcomes, key=lambda outcome: -float((outcome[0] / outcome[1]).log()))
        if not positive(goal - law.p_only):
            is_same = (goal - law.p_only).is_zero() or abs(goal - law.p_only) < arb(2) ** (-ctx.prec // 2)
            if not is_same or law.p_only.is_zero():
                return math.inf
            raise Unsettled("all that is finite, or nothing")
        p, q = law.p_only, arb(0)
        for index, (a, b) in enumerate(ordered):
            p, q = p + a, q + b
            following = ordered[index + 1] if index + 1 < len(ordered) else None
            grown = (p - goal) / q
            if following is None or not positive(following[0] / following[1] - grown):
                return grown.log()
        raise Unsettled("no segment")
    # Newton from the left on a convex function of e^ε; the last step is proven by signs.
    if not positive(goal - law.p_only):
        raise Unsettled("at or below the mass at infinity")
    grown = arb(1)
    for _ in range(400):
        value, slope = law.delta(grown.log())
        step = ((value - goal) / slope).mid() if not slope.is_zero() else arb(0)
        grown = (grown + step).mid()
        if abs(step) < arb(2) ** (-ctx.prec // 2) * grown:
            break
    epsilon = grown.log().mid()
    width = abs(epsilon) * arb(2) ** -(ENOUGH + 4)
    below, above = law.delta(epsilon - width)[0], law.delta(epsilon + width)[0]
    if positive(below - goal) and positive(goal - above):
        return arb(epsilon, width)
    raise Unsettled("signs")


def epsilons(rng, law):
    """At, beside and between losses; 0; next to nothing."""
    kind = rng.random()
    losses = [loss for loss in law.losses() if math.isfinite(loss) and 0 < loss < 700]
    if kind < 0.1:
        return 0.0
    if kind < 0.25:
        return rng.choice([5e-324, 1e-322, 1e-310, 1e-300, 1e-100, 1e-17, 1e-9])
    if losses and law.core is None:
        loss = losses[0] if rng.random() < 0.4 else rng.choice(losses)
        how = rng.random()
        if how < 0.2:
            return loss
        if how < 0.4:
            return max(0.0, math.nextafter(loss, rng.choice([0.0, math.inf])))
        if how < 0.6:
            return loss * (1 - log_uniform(rng, 1e-15, 0.1))
        return loss * rng.uniform(0, 1)
    return log_uniform(rng, 1e-6, 30)


def deltas(rng, law):
    """At and beside the total variation, at and beside corners, above what is infinite, and of any size."""
    kind = rng.random()
    total = float(law.delta(Fraction(0))[0])
    if not total > 0:
        raise Unsettled("nothing is spent")
    if kind < 0.3:
        how = rng.random()
        if how < 0.5:
            return rng.choice([total, math.nextafter(total, 0), math.nextafter(total, 1)])
        return total * (1 - log_uniform(rng, 1e-16, 1e-3))
    losses = [loss for loss in law.losses() if 0 < loss < 700]
    if kind < 0.5 and losses and law.core is None:
        corner = float(law.delta(Fraction(rng.choice(losses)))[0])
        return rng.choice([corner, math.nextafter(corner, 0), math.nextafter(corner, 1)])
    least = float(law.p_only)
    if kind < 0.65 and least > 0:
        return rng.choice([least * (1 + log_uniform(rng, 1e-12, 1)), math.nextafter(least, 0), least * 0.5])
    return max(least, total * log_uniform(rng, 1e-300 if rng.random() < 0.3 else 1e-15, 1))


def decimal(value):
    old, golden.DIGITS, golden.ACCURACY_BITS = golden.DIGITS, DIGITS, ENOUGH
    try:
        return golden.decimal(value)
    finally:
        golden.DIGITS, golden.ACCURACY_BITS = old, 190


def question(rng, mechanism, relation):
    """(question, at, truth, moves) of one of the two questions."""
    sign = -1 if relation == "add" else 1
    ctx.prec = PRECISIONS[0]
    law = lambda: mechanism.law(sign)
    if rng.random() < 0.5:
        at = epsilons(rng, law())
        truth = settled(lambda: law().delta(Fraction(at))[0])
        if positive(truth - 1):
            raise Unsettled("above 1")
        moves = float(law().wobble(Fraction(at)) * ball(UNITS * mechanism.files))
        moves += slipped(law, Fraction(at), mechanism.files)
        return "delta", at, truth, moves
    at = deltas(rng, law())
    if not 1e-305 < at < 1:
        raise Unsettled("no δ")
    truth = settled(lambda: solved(law(), Fraction(at)))
    return "epsilon", at, truth, moved(mechanism, law, Fraction(at), truth)


def slipped(law, epsilon, files):
    """By how much δ differs between two neighbours of ε: next to the largest loss it is 0 on one side only."""
    change = (epsilon + files) * UNITS
    before, after = (law().delta(ball(epsilon + by))[0] for by in (-change, change))
    return max(0.0, float(before - after))


def moved(mechanism, law, at, truth):
    """By how much ε differs between two neighbours of δ, as a law whose digits are all that is known may have them."""
    if truth == math.inf:
        return 0.0
    change = at * min(UNITS * (1 + mechanism.files), Fraction(1, 2))
    ends = []
    for moved in (at + change, at - change):
        if moved <= 0:
            return math.inf
        if moved >= 1:
            ends.append(0.0)
            continue
        try:
            end = settled(lambda: solved(law(), moved))
        except Unsettled:
            return math.inf
        ends.append(math.inf if end == math.inf else float(end))
    # Besides, each loss is off by what the digits of a column are.
    return ends[1] - ends[0] + float(UNITS * mechanism.files) if math.isfinite(ends[1]) else math.inf


def is_flat(mechanism, relation, at):
    """Is δ the total variation, or next to it?"""
    ctx.prec = PRECISIONS[0]
    total = mechanism.law(-1 if relation == "add" else 1).delta(Fraction(0))[0]
    return ball(Fraction(at)) > total * (1 - arb("1e-6"))


def row(rng):
    kind, mechanism, relation = rng.choice(KINDS)(rng)
    asked, at, truth, moves = question(rng, mechanism, relation)
    if asked == "epsilon" and is_flat(mechanism, relation, at):
        kind = "flat"
    if mechanism.uneven:
        kind = "columns"
    if truth != math.inf:
        if not (truth.is_zero() or ball(SMALLEST) < truth < ball(700)):
            raise Unsettled("out of range")
        truth = decimal(truth)
    quoted = '"' + mechanism.text.replace('"', '""') + '"'
    return f"{kind},{quoted},{relation},{asked},{at!r},{truth},{moves:.2e}"


SKIP = (Unsettled, Undecided, Infeasible, ZeroDivisionError, OverflowError, ValueError, golden.TooInaccurate)


def rows(seed, count):
    rng = rng_for(f"attack/{seed}")
    found = 0
    while found < count:
        try:
            line = row(rng)
        except SKIP:
            continue
        found += 1
        yield line


def main():
    seed, count, path = "committed", 900, golden.TESTDATA / "attack.csv"
    if len(sys.argv) > 1:
        seed, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with open(path, "w") as file:
        print("# Questions where an accountant is most likely to be wrong, with their true answers.", file=file)
        print(f"# Generated by testdata/generate/attack.py: inputs are exact doubles, references have {DIGITS} digits.", file=file)
        print("kind,expression,relation,question,at,truth,moves", file=file)
        for number, line in enumerate(rows(seed, count)):
            print(line, file=file)
            if number % 500 == 499:
                print(number + 1, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
