"""A second opinion on a sample of testdata/pair/, in mpmath, by routes that avoid the generator.

Each expression is read again into outcomes and densities (p, q).  The sampled pair is formed point
by point, and δ = ∫(p − e^ε q)₊, the tails, M and the moments are sums and composite Gauss–Legendre
integrals over them: no error functions, no inversion of the loss, no identities.  The two
mechanisms that are defined by their profile are checked through it: tails as numerical derivatives,
the rest as ∫ F″(α)·H_α dα.
"""

import ast
import csv
import math
import sys
from collections import Counter

from mpmath import mp, mpc, mpf

from golden import TESTDATA

mp.dps = 70

#: Relative agreement demanded, and (for M and moments only, which may cancel) an absolute one.
RELATIVE = mpf(10) ** -25
ABSOLUTE = mpf(10) ** -36

#: More panels than this for one integral: the row's M is not checked.
PANELS = 1500

compared = Counter()


def gauss_legendre(n):
    nodes = []
    for i in range(1, n + 1):
        x = mp.cos(mp.pi * (i - mpf(1) / 4) / (n + mpf(1) / 2))
        for _ in range(8):
            low, here = mpf(1), x
            for k in range(2, n + 1):
                low, here = here, ((2 * k - 1) * x * here - (k - 1) * low) / k
            slope = n * (x * here - low) / (x * x - 1)
            x -= here / slope
        nodes.append((x, 2 / ((1 - x * x) * slope**2)))
    return nodes


RULE = gauss_legendre(44)


def integral(function, low, high, step):
    if high <= low:
        return mpf(0)
    panels = int(mp.ceil((high - low) / step))
    half = (high - low) / panels / 2
    total = mpf(0)
    for i in range(panels):
        centre = low + (2 * i + 1) * half
        total += sum(w * function(centre + half * x) for x, w in RULE)
    return total * half


class Piece:
    """Densities with a monotone ratio on [low, high]; `step` resolves them, |dl/dx| ≤ `speed`."""

    def __init__(self, low, high, step, speed, p, q):
        self.low, self.high, self.step, self.speed, self.p, self.q = low, high, step, speed, p, q


class Law:
    def __init__(self, outcomes=(), pieces=()):
        self.outcomes, self.pieces = list(outcomes), list(pieces)

    def sampled(self, rate):
        rate = mpf(rate)

        def mix(p, q):
            return (1 - rate) * q + rate * p

        pieces = [
            Piece(
                piece.low,
                piece.high,
                piece.step,
                piece.speed,
                (lambda x, piece=piece: mix(piece.p(x), piece.q(x))),
                piece.q,
            )
            for piece in self.pieces
        ]
        return Law([(mix(p, q), q) for p, q in self.outcomes], pieces)

    def swapped(self):
        pieces = [Piece(c.low, c.high, c.step, c.speed, c.q, c.p) for c in self.pieces]
        return Law([(q, p) for p, q in self.outcomes], pieces)

    def times(self, other):
        assert not other.pieces
        outcomes = [(a * c, b * d) for a, b in self.outcomes for c, d in other.outcomes]
        pieces = [
            Piece(
                piece.low,
                piece.high,
                piece.step,
                piece.speed,
                (lambda x, piece=piece, c=c: c * piece.p(x)),
                (lambda x, piece=piece, d=d: d * piece.q(x)),
            )
            for piece in self.pieces
            for c, d in other.outcomes
        ]
        return Law(outcomes, pieces)


class Skip(Exception):
    """Too slow by this route."""


def bell(x, centre, sigma):
    return mp.exp(-(((x - centre) / sigma) ** 2) / 2) / (sigma * mp.sqrt(2 * mp.pi))


def gaussian_law(mu, power):
    """In units of σ; `power` is the largest |1 + z| or |z| in use."""
    if mu > 8:
        raise Skip
    low, high = min(mpf(-27), -power * mu - 17), max(mu + 27, power * mu + 17)
    step = min(mpf(1) / 2, 1 / mu)
    return Law([], [Piece(low, high, step, mu, lambda x: bell(x, mu, 1), lambda x: bell(x, 0, 1))])


def mixture_law(sigma, shifts, weights, power):
    shifts = [a / sigma for a in shifts]
    top = max(shifts)
    if top > 8:
        raise Skip
    low, high = min(mpf(-27), -power * top - 17), max(top + 27, power * top + 17)

    def p(x):
        return sum(w * bell(x, a, 1) for w, a in zip(weights, shifts)) / sum(weights)

    step = min(mpf(1) / 2, mpf(1) / 2 / top)
    return Law([], [Piece(low, high, step, top, p, lambda x: bell(x, 0, 1))])


def laplace_density(x, centre):
    return mp.exp(-abs(x - centre)) / 2


def laplace_law(d, bound=None):
    """In units of the scale; both truncated at `bound` from their centres."""
    norm = 1 if bound is None else 1 - mp.exp(-bound)
    reach = 80 + d if bound is None else bound

    def p(x):
        return laplace_density(x, d) / norm if abs(x - d) <= reach + d else mpf(0)

    def q(x):
        return laplace_density(x, 0) / norm

    if d > 60:
        raise Skip
    if bound is None:
        # flat ends, where the ratio is constant, as outcomes by integration
        left = [integral(f, -reach, mpf(0), mpf(2)) for f in (p, q)]
        right = [integral(f, d, d + reach, mpf(2)) for f in (p, q)]
        return Law([tuple(left), tuple(right)], [Piece(mpf(0), d, mpf(1), 2, p, q)])
    if d >= 2 * bound:
        return Law([(1, 0), (0, 1)])
    if bound > 200:
        raise Skip
    low, high = d - bound, bound
    outcomes = []
    zero = mpf(0)

    def mass(f, a, b):
        points = sorted({a, b} | {c for c in (zero, d) if a < c < b})
        return sum(integral(f, u, v, mpf(2)) for u, v in zip(points, points[1:]))

    if low < 0:
        outcomes.append((mass(p, low, zero), mass(q, low, zero)))
        outcomes.append((mass(p, d, high), mass(q, d, high)))
    outcomes.append((mass(p, bound, bound + d), zero))
    outcomes.append((zero, mass(q, -bound, d - bound)))
    return Law(outcomes, [Piece(max(low, zero), min(high, d), mpf(1), 2, p, q)])


def truncated_gaussian_law(mu, bound):
    if mu >= 2 * bound:
        return Law([(1, 0), (0, 1)])
    if mu > 8:
        raise Skip
    reach = min(bound, mpf(40))
    step = min(mpf(1) / 2, 1 / mu)
    norm = integral(lambda x: bell(x, 0, 1), -reach, reach, mpf(1) / 2)
    if bound > 40 and bound - mu < 40:
        raise Skip
    lost = integral(lambda x: bell(x, 0, 1), max(bound - mu, -reach), bound, mpf(1) / 2) / norm
    piece = Piece(
        max(mu - bound, -reach),
        min(bound, reach),
        step,
        mu,
        lambda x: bell(x, mu, 1) / norm,
        lambda x: bell(x, 0, 1) / norm,
    )
    return Law([(lost, mpf(0)), (mpf(0), lost)], [piece])


def variance_law(sigma1, sigma2, z):
    r = sigma1 / sigma2
    slope = abs(1 - 1 / r**2)
    decay = min(1, 1 / r**2, (1 + z) / r**2 - z, 1 + z - z / r**2)
    if decay < mpf("0.02"):
        raise Skip
    high = 24 / mp.sqrt(decay)
    step = min(mpf(1) / 4, r / 4)
    return Law(
        [],
        [
            Piece(
                mpf(0),
                high,
                step,
                slope * high,
                lambda x: 2 * bell(x, 0, r),
                lambda x: 2 * bell(x, 0, 1),
            )
        ],
    )


def discrete(weight, s, reach):
    weights = {x: weight(x) for x in range(-reach, reach + 1)}
    total = sum(weights.values())
    outcomes = []
    for x in range(-reach, reach + 1):
        outcomes.append((weight(x - s) / total, weights[x] / total))
    return Law(outcomes)


def binomial_law(n, p, s, dimension):
    mass = [mpf(math.comb(n, k)) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    single = [
        (mass[x - s] if 0 <= x - s <= n else mpf(0), mass[x] if x <= n else mpf(0))
        for x in range(n + s + 1)
    ]
    law = Law(single)
    for _ in range(dimension - 1):
        law = law.times(Law(single))
    return Law([(p, q) for p, q in law.outcomes if p or q])


def staircase_law(epsilon, gamma):
    """Step by step, as far as steps matter; the height from the sum of all of them."""
    if epsilon < 0.02:
        raise Skip
    fall = mp.exp(-epsilon)
    count = int(mp.ceil(80 / epsilon)) + 2  # e^{−80} is left
    tread = [(gamma if k == 0 else mpf(1), fall**k) for k in range(count)]
    height = 1 / (2 * sum(width * level for width, level in tread))

    def density(x):
        x = abs(x)
        return height * fall ** (0 if x < gamma else int(mp.floor(x - gamma)) + 1)

    edges = {sign * (gamma + k) + centre for k in range(count) for sign in (-1, 1) for centre in (0, 1)}
    edges = sorted(edges)
    outcomes = []
    for low, high in zip(edges, edges[1:]):
        middle = (low + high) / 2
        outcomes.append(((high - low) * density(middle - 1), (high - low) * density(middle)))
    return Law(outcomes)


def read_law(node, power, z):
    """The law (of `remove`) of an expression."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        count = node.right.value
        if node.left.func.id == "gaussian":
            given = arguments(node.left)
            mu = mp.sqrt(count) * given.get("sensitivity", mpf(1)) / given["sigma"]
            return gaussian_law(mu, power)
        law = one = read_law(node.left, power, z)
        if count > 8:
            (p, q), _ = one.outcomes
            ways = [math.comb(count, j) for j in range(count + 1)]
            return Law(
                (w * p**j * q ** (count - j), w * q**j * p ** (count - j))
                for j, w in enumerate(ways)
            )
        for _ in range(count - 1):
            law = law.times(one)
        return law
    if isinstance(node, ast.BinOp):
        return read_law(node.left, power, z).times(read_law(node.right, power, z))
    name, given = node.func.id, arguments(node)
    s = given.get("sensitivity", mpf(1))
    if name in ("poisson", "subset"):
        return read_law(node.args[0], power, z).sampled(given["rate"])
    if name == "gaussian":
        return gaussian_law(s / given["sigma"], power)
    if name == "gdp":
        return gaussian_law(given["mu"], power)
    if name == "laplace":
        return laplace_law(s / given["scale"])
    if name == "truncated_laplace":
        return laplace_law(s / given["scale"], given["bound"] / given["scale"])
    if name == "truncated_gaussian":
        return truncated_gaussian_law(s / given["sigma"], given["bound"] / given["sigma"])
    if name == "discrete_gaussian":
        sigma, s = given["sigma"], int(s)
        if sigma > 12:
            raise Skip
        reach = int(sigma * 30 + s * (power + 2) + sigma * 20)
        return discrete(lambda x: mp.exp(-((x / sigma) ** 2) / 2), s, reach)
    if name == "discrete_laplace":
        scale, s = given["scale"], int(s)
        if scale > 8:
            raise Skip
        # the tails have one loss: a wide window, the rest is below the tolerance
        return discrete(lambda x: mp.exp(-abs(x) / scale), s, int(scale * 150) + s + 2)
    if name == "randomized_response":
        if "p" in given:
            p = given["p"]
        else:
            p = mp.exp(given["epsilon"]) / (1 + mp.exp(given["epsilon"]))
        return Law([(p, 1 - p), (1 - p, p)])
    if name == "k_randomized_response":
        k, odds = int(given["categories"]), mp.exp(given["epsilon"])
        total = odds + k - 1
        rest = (k - 2) / total
        return Law([(odds / total, 1 / total), (1 / total, odds / total), (rest, rest)])
    if name == "dp":
        odds, delta = mp.exp(given["epsilon"]), given["delta"]
        a, b = (1 - delta) * odds / (1 + odds), (1 - delta) / (1 + odds)
        return Law([(delta, mpf(0)), (a, b), (b, a), (mpf(0), delta)])
    if name == "exponential":
        e, n, m = given["epsilon_tilde"], given["n"], given["m"]
        p = mp.exp(e * m) / (mp.exp(e * m) + mp.exp(e * (n - m)))
        q = mp.exp(e * (m - 1)) / (mp.exp(e * (m - 1)) + mp.exp(e * (n - m)))
        return Law([(p, q), (1 - p, 1 - q)])
    if name == "skellam":
        mean, s = given["variance"] / 2, int(s)
        if mean > 30:
            raise Skip
        # the sum over both Poisson numbers, not a Bessel function
        reach = int(180 + 8 * mean) + s
        poisson = [mp.exp(-mean) * mean**n / mp.factorial(n) for n in range(3 * reach)]
        return discrete(
            lambda x: mp.fsum(poisson[n] * poisson[n + abs(x)] for n in range(3 * reach - abs(x))), s, reach
        )
    if name == "binomial":
        n, dimension = int(given["n"]), int(given.get("dimension", 1))
        return binomial_law(n, given["p"], int(s), dimension)
    if name == "staircase":
        return staircase_law(given["epsilon"], given["gamma"])
    if name == "uniform":
        lost = min(s / given["width"], mpf(1))
        return Law([(1 - lost, 1 - lost), (lost, mpf(0)), (mpf(0), lost)])
    if name == "gaussian_mixture":
        return mixture_law(given["sigma"], given["shifts"], given["weights"], power)
    if name == "gaussian_variance":
        return variance_law(given["sigma1"], given["sigma2"], z)
    raise Skip


def arguments(node):
    found = {}
    for keyword in node.keywords:
        value = keyword.value.value
        if isinstance(value, str):
            found[keyword.arg] = [mpf(float(part)) for part in value.split(",")]
        else:
            found[keyword.arg] = mpf(value)
    return found


def crossing(piece, level):
    """Where log(p/q) passes the level inside the piece, by bisection; `None` if it does not."""

    def sign(x):
        return mp.log(piece.p(x) / piece.q(x)) > level

    low, high = piece.low, piece.high
    edge = (high - low) * mpf(10) ** -60
    first = sign(low + edge)
    if first == sign(high - edge):
        return None
    for _ in range(220):
        middle = (low + high) / 2
        if sign(middle) == first:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def ranges(piece, level):
    """The piece cut at the level: [(low, high, whether the loss is above)]."""
    cut = crossing(piece, level)
    points = [piece.low, piece.high] if cut is None else [piece.low, cut, piece.high]
    found = []
    for low, high in zip(points, points[1:]):
        middle = (low + high) / 2
        found.append((low, high, mp.log(piece.p(middle) / piece.q(middle)) > level))
    return found


def agree(name, row, column, ours, absolute=mpf(0)):
    compared[name] += 1
    reference = mpf(row[column])
    if abs(ours - reference) > RELATIVE * abs(reference) + absolute:
        raise SystemExit(f"{name}: {row}: {column}: second opinion {mp.nstr(ours, 50)}")


def above(loss, epsilon):
    """loss > ε, where rounding may hide equality of two rationals: those are equal."""
    return loss - epsilon > mpf(10) ** -60


def check_direct(name, row):
    z = mpc(float(row["z_re"]), float(row["z_im"])) if row["z_re"] else mpc(0)
    power = max(abs(1 + z.real), abs(z.real), 1)
    tree = ast.parse(row["expression"], mode="eval").body
    law = read_law(tree, power, z.real)
    if row["direction"] == "add":
        law = law.swapped()
    epsilon = mpf(float(row["epsilon"]))
    odds = mp.exp(epsilon)
    delta = p_tail = q_tail = p_infinite = q_only = mpf(0)
    finite = []
    for p, q in law.outcomes:
        if q == 0:
            p_infinite += p
            delta, p_tail = delta + p, p_tail + p
        elif p == 0:
            q_only += q
        else:
            loss = mp.log(p / q)
            finite.append((p, loss))
            if above(loss, epsilon):
                delta += p - odds * q
                p_tail, q_tail = p_tail + p, q_tail + q
    for piece in law.pieces:
        for low, high, is_above in ranges(piece, epsilon):
            if is_above:
                here = integral(piece.p, low, high, piece.step)
                there = integral(piece.q, low, high, piece.step)
                excess = integral(
                    lambda x: piece.p(x) - odds * piece.q(x), low, high, piece.step
                )
                p_tail, q_tail, delta = p_tail + here, q_tail + there, delta + excess
    for column, value in (("p_infinite", p_infinite), ("q_only", q_only)):
        agree(name, row, column, value)
    for column, value in (("p_tail", p_tail), ("q_tail", q_tail), ("delta", delta)):
        agree(name, row, column, value)
    if row["mean"]:

        def average(function, level=None):
            total = sum((p * function(loss) for p, loss in finite), mpf(0))
            for piece in law.pieces:
                cuts = [(piece.low, piece.high, True)] if level is None else ranges(piece, level)
                for low, high, _ in cuts:
                    total += integral(
                        lambda x: piece.p(x) * function(mp.log(piece.p(x) / piece.q(x))),
                        low,
                        high,
                        piece.step,
                    )
            return total

        mass = average(lambda loss: 1)
        mean = average(lambda loss: loss) / mass
        agree(name, row, "mean", mean, ABSOLUTE)
        variance = average(lambda loss: (loss - mean) ** 2) / mass
        agree(name, row, "variance", variance, ABSOLUTE)
        third = average(lambda loss: abs(loss - mean) ** 3, mean) / mass
        agree(name, row, "third", third, ABSOLUTE)
    if row["m_re"]:
        total = sum((p * mp.exp(z * loss) for p, loss in finite), mpc(0))
        for piece in law.pieces:
            step = piece.step
            if z.imag:
                step = min(step, 6 / (abs(z.imag) * piece.speed))
            if (piece.high - piece.low) / step > PANELS:
                return
            total += integral(
                lambda x: piece.p(x) * mp.exp(z * mp.log(piece.p(x) / piece.q(x))),
                piece.low,
                piece.high,
                step,
            )
        agree(name, row, "m_re", total.real, ABSOLUTE * max(1, abs(total)))
        agree(name, row, "m_im", total.imag, ABSOLUTE * max(1, abs(total)))


# --- mechanisms defined by a profile -----------------------------------------------------------


def profile_of(node):
    """(H(α), kinks and ends in α, P(L = ∞)) from the definition."""
    given = arguments(node)
    epsilon = given["epsilon"]
    if node.func.id == "exponential":

        def profile(e):
            if e > epsilon:
                return mpf(0)
            if e < -epsilon:
                return -mp.expm1(e)
            return mp.expm1((e - epsilon) / 2) ** 2 / -mp.expm1(-epsilon)

        return profile, [-epsilon, epsilon], mpf(0)
    delta = given["delta"]

    def profile(e):
        first = -mp.expm1(min(e, (e - epsilon) / 2, 0))
        second = delta + (1 - delta) * max(-mp.expm1(e), 0)
        return max(first, second)

    end = epsilon + 2 * mp.log(1 - delta)
    return profile, [-epsilon, -abs(end), mpf(0), abs(end), epsilon], delta


def check_profile(name, row, node, rate):
    profile, kinks, p_infinite = profile_of(node)
    sign = 1 if row["direction"] == "remove" else -1
    epsilon = mpf(float(row["epsilon"]))

    def divergence(e):
        """The hockey stick of the sampled pair by the definition of W and symmetry of the pair."""
        alpha = mp.exp(e)
        if sign > 0:
            odds = 1 + mp.expm1(e) / rate  # (W − αQ)₊ = γ(P − odds·Q)₊
            return rate * profile(mp.log(odds)) if odds > 0 else 1 - alpha
        # (Q − αW)₊ = α(Q/α − W)₊ and (x)₊ = x + (−x)₊
        odds = 1 + mp.expm1(-e) / rate
        inner = rate * profile(mp.log(odds)) if odds > 0 else 1 - 1 / alpha
        return 1 - alpha + alpha * inner

    delta = divergence(epsilon)
    agree(name, row, "delta", delta, mpf(10) ** -65)
    # from the right, well inside the next smooth stretch unless ε is beside a kink
    step = mpf(10) ** -30
    if all(abs(epsilon - kink) > mpf(10) ** -12 for kink in sampled_kinks(kinks, rate, sign)):
        slope = (divergence(epsilon + step) - divergence(epsilon - step)) / (2 * step)
        q_tail = -mp.exp(-epsilon) * slope
        agree(name, row, "q_tail", q_tail, mpf(10) ** -28)
        agree(name, row, "p_tail", delta + mp.exp(epsilon) * q_tail, mpf(10) ** -28)
    z = mpc(float(row["z_re"]), float(row["z_im"])) if row["z_re"] else None
    points = sorted({mp.exp(k) for k in kinks} | {mpf(1)})
    power = 1 if sign > 0 else 0
    # Outcomes with p = 0 have a finite loss if and only if the pair is sampled.
    lost = p_infinite if rate == 1 else mpf(0)
    if z is not None and (z.real > -1 if sign > 0 else z.real < 0 or rate < 1 or not lost):
        rho = 1 + z if sign > 0 else -z

        def second(base, g):
            return rho * (rho - 1) * rate**2 * mp.exp((rho - 2) * g)

        value = by_parts(profile, points, p_infinite, rate, second, mpf(1), rho * rate, z.imag)
        agree(name, row, "m_re", value.real, mpf(10) ** -30 * max(1, abs(value)))
        agree(name, row, "m_im", value.imag, mpf(10) ** -30 * max(1, abs(value)))
    if row["mean"] and not (sign < 0 and lost):
        # F(base) = base·h(g) for `remove`, h(g) for `add`
        def expect(h, h1, h2, more=()):
            def second(base, g):
                if power:
                    return rate**2 * (h1(g) + h2(g)) / base
                return rate**2 * (h2(g) - h1(g)) / base**2

            zero = mpf(0)
            first = rate * (h(zero) + h1(zero)) if power else rate * h1(zero)
            cut = sorted(set(points) | set(more))
            return by_parts(profile, cut, p_infinite, rate, second, h(zero), first, 0).real

        mass = 1 - (rate * p_infinite if power else 0)
        mean = sign * expect(lambda g: g, lambda g: mpf(1), lambda g: mpf(0)) / mass
        agree(name, row, "mean", mean, mpf(10) ** -34)
        centre = sign * mean
        square = expect(lambda g: (g - centre) ** 2, lambda g: 2 * (g - centre), lambda g: mpf(2))
        agree(name, row, "variance", square / mass, mpf(10) ** -34)

        def side(g):
            return 1 if g > centre else -1

        third = expect(
            lambda g: abs(g - centre) ** 3,
            lambda g: 3 * side(g) * (g - centre) ** 2,
            lambda g: 6 * abs(g - centre),
            [1 + mp.expm1(centre) / rate],
        )
        agree(name, row, "third", third / mass, mpf(10) ** -34)


def sampled_kinks(kinks, rate, sign):
    return [sign * mp.log(1 - rate + rate * mp.exp(k)) for k in kinks]


def by_parts(profile, points, p_infinite, rate, second, at_one, slope_at_one, wave):
    """E_Q[F(dP/dQ); finite] = F(1) − F′(1)·P(∞) + ∫_{<1} F″(H − 1 + α) + ∫_{>1} F″(H − P(∞))."""
    total = at_one - slope_at_one * p_infinite

    def function(t):  # α = e^t
        with mp.workdps(250):  # H − 1 + α cancels for small α
            alpha = mp.exp(t)
            rest = profile(t) - (1 - alpha if alpha < 1 else p_infinite)
        base = 1 - rate + rate * alpha
        return second(base, mp.log(base)) * rest * alpha

    ends = [mp.log(point) for point in points]
    if p_infinite:
        # below the first kink H − 1 + α = P(∞)·α down to α = 0
        ends = [ends[0] - mpf(k) for k in (320, 160, 80, 40, 20, 10, 5, 2)] + ends
    step = mpf(1) / 2
    if wave:
        step = min(step, 3 / abs(wave))
    for low, high in zip(ends, ends[1:]):
        if (high - low) / step > PANELS:
            raise Skip
        total += integral(function, low, high, step)
    return mpc(total)


def check_row(name, row):
    tree = ast.parse(row["expression"], mode="eval").body
    node, rate = tree, mpf(1)
    while isinstance(node, ast.Call) and node.func.id in ("poisson", "subset"):
        rate *= arguments(node)["rate"]
        node = node.args[0]
    if isinstance(node, ast.Call) and (
        node.func.id == "stability" or node.func.id == "exponential" and len(node.keywords) == 1
    ):
        check_profile(name, row, node, rate)
    else:
        check_direct(name, row)


def main(names, most):
    folder = TESTDATA / "pair"
    for name in names or sorted(path.stem for path in folder.glob("*.csv")):
        with open(folder / f"{name}.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        done = 0
        for row in rows[:: max(1, len(rows) // most)]:
            try:
                check_row(name, row)
                done += 1
            except Skip:
                pass
        print(f"{name}: {done} rows, {compared[name]} references agree", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:], 26)
