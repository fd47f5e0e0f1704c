"""The base pairs, straight from their definitions, and random parameters for each.

A mechanism is (expression, build, symmetric): `build()` makes its `Pair` at the current precision.
"""

import functools
import itertools
import math
from fractions import Fraction

from flint import arb, ctx, fmpz

from golden import log_uniform
from pairs.evaluate import Pair
from pairs.parts import (
    Atom,
    ExponentialPart,
    GaussianPart,
    LatticePart,
    ShiftedPart,
    VariancePart,
    ball,
    normal_mass,
    positive,
    rational_atom,
)


def text(name, **parameters):
    """`name(key=value, …)`; a sensitivity of 1 is left out."""
    shown = []
    for key, value in parameters.items():
        if key == "sensitivity" and value == 1:
            continue
        shown.append(f'{key}="{value}"' if isinstance(value, str) else f"{key}={value!r}")
    return f"{name}({', '.join(shown)})"


# --- pairs -----------------------------------------------------------------------------------


def gaussian(sigma, sensitivity=1.0, count=1):
    mu = Fraction(sensitivity) / Fraction(sigma)
    if count == 1:
        return Pair(parts=[GaussianPart([mu])])
    part = GaussianPart([mu])
    part.shifts = [part.shifts[0] * arb(count).sqrt()]
    part.largest = part.shifts[0]
    return Pair(parts=[part])


def exponential_middle(d, scale, low, high):
    """Losses between the two flat ends of a Laplace pair, Q-density e^{−(l+d)/2}/4 times scale."""
    return ExponentialPart(scale * (-ball(d) / 2).exp() / 4, ball(low), ball(high), low, high)


def laplace(scale, sensitivity=1.0):
    d = Fraction(sensitivity) / Fraction(scale)
    left, right = rational_atom(-d, arb(1) / 2), rational_atom(d, (-ball(d)).exp() / 2)
    return Pair([left, right], [exponential_middle(d, arb(1), -d, d)])


def discrete_gaussian(sigma, sensitivity=1):
    return Pair(parts=[LatticePart(sigma, sensitivity)])


def discrete_laplace(scale, sensitivity=1):
    """Q(x) = (1 − r)/(1 + r)·r^|x|, r = e^{−1/scale}, and P the same around s."""
    rate = 1 / Fraction(scale)
    r = (-ball(rate)).exp()
    end = 1 / (1 + r)  # Q(x ≤ 0)
    unit = -(-ball(rate)).expm1() / (1 + r)
    atoms = [rational_atom(-sensitivity * rate, end)]
    for x in range(1, sensitivity):
        atoms.append(rational_atom((2 * x - sensitivity) * rate, unit * (-ball(x * rate)).exp()))
    atoms.append(rational_atom(sensitivity * rate, end * (-ball(sensitivity * rate)).exp()))
    return Pair(atoms)


def response_by_chance(p):
    p = Fraction(p)
    if p in (0, 1):
        return Pair(p_infinite=arb(1), q_only=arb(1))
    loss = (ball(p) / ball(1 - p)).log()
    exact = Fraction(0) if p == Fraction(1, 2) else None
    return Pair([Atom(loss, exact, ball(p), ball(1 - p)), Atom(-loss, exact, ball(1 - p), ball(p))])


def response(epsilon, count=1):
    """`count` answers, each true with odds e^ε."""
    epsilon = Fraction(epsilon)
    false = 1 / (1 + ball(epsilon).exp())
    true = 1 / (1 + (-ball(epsilon)).exp())
    atoms = []
    for hits in range(count + 1):
        ways = arb(fmpz(math.comb(count, hits)))
        q = ways * false**hits * true ** (count - hits)
        p = ways * true**hits * false ** (count - hits)
        loss = (2 * hits - count) * epsilon
        atoms.append(Atom(ball(loss), loss, p, q))
    return Pair(atoms)


def k_response(categories, epsilon):
    epsilon = Fraction(epsilon)
    odds = ball(epsilon).exp()
    total = odds + (categories - 1)
    atoms = [
        Atom(ball(epsilon), epsilon, odds / total, 1 / total),
        Atom(-ball(epsilon), -epsilon, 1 / total, odds / total),
    ]
    if categories > 2:
        rest = (categories - 2) / total
        atoms.append(Atom(arb(0), Fraction(0), rest, rest))
    return Pair(atoms)


def approximate(epsilon, delta):
    """dp(ε, δ): everything with chance δ, else a response."""
    pair = response(epsilon)
    delta = Fraction(delta)
    kept = ball(1 - delta)
    atoms = [Atom(a.loss, a.exact, a.p * kept, a.q * kept) for a in pair.atoms]
    return Pair([] if delta == 1 else atoms, [], ball(delta), ball(delta))


def exponential(epsilon):
    """δ(e) = (1 − e^{(e−ε)/2})²/(1 − e^{−ε}): Q(L > e) = e^{−e}E(1 − E)/D with E = e^{(e−ε)/2}.

    Its derivative makes the Q-density of the loss e^{−(e+ε)/2}/(2D), D = 1 − e^{−ε}.
    """
    epsilon = Fraction(epsilon)
    scale = (-ball(epsilon) / 2).exp() / (-2 * (-ball(epsilon)).expm1())
    return Pair(parts=[ExponentialPart(scale, ball(-epsilon), ball(epsilon), -epsilon, epsilon)])


def exponential_count(epsilon_tilde, n, m):
    """Outcome 0 with odds e^{ε̃(2m−n)} under P, one zero fewer under Q: e^{ε̃(2m−1−n)}."""
    step = Fraction(epsilon_tilde)
    p0, p1 = odds_split(step * (2 * m - n))
    q0, q1 = odds_split(step * (2 * m - 1 - n))
    return Pair([Atom((p0 / q0).log(), None, p0, q0), Atom((p1 / q1).log(), None, p1, q1)])


@functools.lru_cache(maxsize=8)
def skellam_masses(variance, precision):
    """e^{−μ}I_k(μ) for k = 0, 1, …, down to 10⁻⁵⁰⁰: what is left out is below every digit of what is asked.

    The last two are Bessel functions; the others follow by I_{k−1} = I_{k+1} + (2k/μ)I_k, a sum of positive numbers.
    """
    mean, last = ball(Fraction(variance)), 16
    while mean.bessel_i(last, scaled=True) > arb(10) ** -500:
        last = last * 5 // 4
    masses = [mean.bessel_i(last, scaled=True), mean.bessel_i(last - 1, scaled=True)]
    for k in range(last - 1, 0, -1):
        masses.append(masses[-2] + 2 * k / mean * masses[-1])
    return masses[::-1]


def skellam(variance, sensitivity=1):
    masses = skellam_masses(variance, ctx.prec)
    s, reach = sensitivity, len(masses) - 1 - sensitivity
    atoms = []
    for x in range(-reach, reach + s + 1):
        p, q = masses[abs(x - s)], masses[abs(x)]
        even = 2 * x == s
        atoms.append(Atom(arb(0) if even else (p / q).log(), Fraction(0) if even else None, p, q))
    return Pair(atoms)


def odds_split(log_odds):
    value = ball(log_odds)
    return 1 / (1 + (-value).exp()), 1 / (1 + value.exp())


def binomial(n, p, sensitivity=1, dimension=1):
    s, chance = sensitivity, Fraction(p)
    if s > n:
        return Pair(p_infinite=arb(1), q_only=arb(1))
    yes, no = ball(chance), ball(1 - chance)
    mass = [arb(fmpz(math.comb(n, k))) * yes**k * no ** (n - k) for k in range(n + 1)]
    turn = ((1 - chance) / chance) ** s
    single = []
    for x in range(s, n + 1):
        ratio = None  # only needed to find losses that are exactly 0
        if abs((mass[x - s] / mass[x]).log()) < arb(2) ** -60 or dimension > 1:
            ratio = turn * Fraction(math.comb(n, x - s), math.comb(n, x))
        single.append((ratio, mass[x - s], mass[x]))
    atoms = []
    for group in itertools.combinations_with_replacement(range(len(single)), dimension):
        repeats = math.factorial(dimension)
        for index in set(group):
            repeats //= math.factorial(group.count(index))
        a = b = arb(repeats)
        ratio = Fraction(1)
        for index in group:
            known, here, there = single[index]
            a, b = a * here, b * there
            ratio = None if ratio is None or known is None else ratio * known
        if ratio == 1:
            atoms.append(Atom(arb(0), Fraction(0), a, b))
        else:
            atoms.append(Atom((a / b).log(), None, a, b))
    lost = sum(mass[n - s + 1 :], arb(0))
    kept = sum(mass[: n - s + 1], arb(0))
    least, left = sum(mass[:s], arb(0)), sum(mass[s:], arb(0))
    if dimension > 1:
        lost, least = 1 - kept**dimension, 1 - left**dimension
    return Pair(atoms, [], lost, least)


def truncated_gaussian(sigma, bound, sensitivity=1.0):
    sigma, bound, s = Fraction(sigma), Fraction(bound), Fraction(sensitivity)
    if s >= 2 * bound:
        return Pair(p_infinite=arb(1), q_only=arb(1))
    mu, b = s / sigma, bound / sigma
    norm = normal_mass(ball(-b), ball(b))
    lost = normal_mass(ball(b - mu), ball(b)) / norm
    return Pair([], [GaussianPart([mu], None, ball(mu - b), ball(b), norm)], lost, lost)


def truncated_laplace(scale, bound, sensitivity=1.0):
    scale, bound, s = Fraction(scale), Fraction(bound), Fraction(sensitivity)
    if s >= 2 * bound:
        return Pair(p_infinite=arb(1), q_only=arb(1))
    d, b = s / scale, bound / scale
    norm = -(-ball(b)).expm1()  # mass of [−b, b] under the whole density e^{−|y|}/2
    atoms = []
    low, high = d - b, b  # where both densities are positive
    if low < 0:
        q = -ball(low).expm1() / 2 / norm
        atoms = [rational_atom(-d, q)]
        p = q  # by symmetry, of the outcomes beyond d under P
        atoms.append(Atom(ball(d), d, p, p * (-ball(d)).exp()))
    low, high = max(low, Fraction(0)), min(high, d)
    part = exponential_middle(d, 1 / norm, 2 * low - d, 2 * high - d)
    # Q-mass of [−b, d − b)
    if d <= b:
        lost = (-ball(b)).exp() * ball(d).expm1() / 2 / norm
    else:
        lost = (norm - (-ball(d - b)).expm1()) / 2 / norm
    return Pair(atoms, [part], lost, lost)


def uniform(width, sensitivity=1.0):
    lost = Fraction(sensitivity) / Fraction(width)
    if lost >= 1:
        return Pair(p_infinite=arb(1), q_only=arb(1))
    kept = ball(1 - lost)
    return Pair([Atom(arb(0), Fraction(0), kept, kept)], [], ball(lost), ball(lost))


def staircase(epsilon, gamma):
    """Between two edges of the steps around 0 and 1 both densities are constant; beyond 0 and 1 their ratio is."""
    epsilon, gamma = Fraction(epsilon), Fraction(gamma)
    fall = (-ball(epsilon)).exp()
    # Twice the mass of one step and of all the smaller ones after it is 1.
    height = -(-ball(epsilon)).expm1() / (2 * (ball(gamma) + fall * ball(1 - gamma)))

    def steps_down(x):
        """By how many steps the density is lower at x than at 0, 0 < |x| < 1."""
        return 0 if abs(x) < gamma else 1

    half = arb(1) / 2
    atoms = [Atom(ball(-epsilon), -epsilon, half * fall, half), Atom(ball(epsilon), epsilon, half, half * fall)]
    edges = sorted({Fraction(0), gamma, 1 - gamma, Fraction(1)})
    for low, high in zip(edges, edges[1:]):
        middle = (low + high) / 2
        p_steps, q_steps = steps_down(middle - 1), steps_down(middle)
        mass = ball(high - low) * height
        loss = (q_steps - p_steps) * epsilon
        atoms.append(Atom(ball(loss), loss, mass * fall**p_steps, mass * fall**q_steps))
    return Pair(atoms)


def gaussian_mixture(sigma, shifts, weights):
    assert sum(Fraction(w) for w in weights) == 1
    scaled = [Fraction(a) / Fraction(sigma) for a in shifts]
    return Pair(parts=[GaussianPart(scaled, [Fraction(w) for w in weights])])


def gaussian_variance(sigma1, sigma2):
    return Pair(parts=[VariancePart(Fraction(sigma1) / Fraction(sigma2))])


def stability(epsilon, delta):
    """Atoms where the slope of δ(α), α = e^e, jumps: at ±c, c = ε + 2·log(1 − δ), if that is > 0.

    Between them −δ'(α) = e^{−(ε+e)/2}/2; below −c it is 1 − δ, above c it is 0.  If c ≤ 0 the
    second of the two profiles is larger everywhere: all finite losses are 0.
    """
    epsilon, delta = Fraction(epsilon), Fraction(delta)
    kept = ball(1 - delta)
    if delta == 0:
        return laplace(Fraction(1), epsilon)
    end = ball(epsilon) + 2 * kept.log()
    if not positive(end):
        return Pair([Atom(arb(0), Fraction(0), kept, kept)], [], ball(delta), ball(delta))
    small = (-ball(epsilon)).exp() / (2 * kept)
    atoms = [Atom(-end, None, small, kept / 2), Atom(end, None, kept / 2, small)]
    part = ExponentialPart((-ball(epsilon) / 2).exp() / 4, -end, end)
    return Pair(atoms, [part], ball(delta), ball(delta))


def independent(pair, finite):
    """A pair beside an independent one made of finite atoms only."""
    atoms = [a.times(b) for a in pair.atoms for b in finite.atoms]
    parts = [ShiftedPart(part, b) for part in pair.parts for b in finite.atoms]
    return Pair(atoms, parts, pair.p_infinite, pair.q_only)


# --- random parameters -----------------------------------------------------------------------


def made(name, function, symmetric, **parameters):
    """A mechanism whose expression and pair take the same parameters."""
    return text(name, **parameters), (lambda: function(**parameters)), symmetric


def some_sensitivity(rng):
    return 1.0 if rng.random() < 0.5 else log_uniform(rng, 0.01, 100)


def noise_over(rng, sensitivity, low=0.05, high=1e4):
    """A noise scale: wide, but most often where the loss is of the order of 1."""
    if rng.random() < 0.5:
        return sensitivity * log_uniform(rng, max(low, 0.3), min(high, 30))
    return sensitivity * log_uniform(rng, low, high)


def draw_gaussian(rng):
    s = some_sensitivity(rng)
    return made("gaussian", gaussian, True, sigma=noise_over(rng, s), sensitivity=s)


def draw_gdp(rng):
    mu = 1 / noise_over(rng, 1.0)
    return text("gdp", mu=mu), (lambda: gaussian(1.0, mu)), True


def draw_laplace(rng):
    s = some_sensitivity(rng)
    return made("laplace", laplace, True, scale=noise_over(rng, s, 0.03), sensitivity=s)


def draw_discrete_gaussian(rng):
    s = 1 if rng.random() < 0.5 else rng.choice([2, 3, 5, 10, rng.randint(2, 50)])
    sigma = noise_over(rng, s, 0.05, 100)
    if rng.random() < 0.06:
        sigma = log_uniform(rng, 100, 1e4)
    return made("discrete_gaussian", discrete_gaussian, True, sigma=sigma, sensitivity=s)


def draw_discrete_laplace(rng):
    s = 1 if rng.random() < 0.5 else rng.choice([2, 3, 5, 10, rng.randint(2, 200)])
    scale = noise_over(rng, s, 0.05, 1e4)
    return made("discrete_laplace", discrete_laplace, True, scale=scale, sensitivity=s)


def some_epsilon(rng):
    if rng.random() < 0.2:
        return rng.choice([0.25, 0.5, 1.0, 2.0, 0.1, 3.0, 10.0])
    return log_uniform(rng, 1e-4, 20)


def draw_response(rng):
    if rng.random() < 0.5:
        epsilon = some_epsilon(rng)
        return made("randomized_response", response, True, epsilon=epsilon)
    kind = rng.random()
    if kind < 0.6:
        p = rng.uniform(0.5, 1)
    elif kind < 0.8:
        p = 1 - log_uniform(rng, 1e-12, 0.4)
    else:
        p = rng.choice([0.5, 0.75, rng.uniform(0, 0.5), log_uniform(rng, 1e-9, 0.5)])
    return made("randomized_response", response_by_chance, True, p=p)


def draw_k_response(rng):
    k = rng.choice([2, 3, 4, 10, rng.randint(2, 100), int(log_uniform(rng, 2, 1e6))])
    epsilon = some_epsilon(rng)
    return made("k_randomized_response", k_response, True, categories=k, epsilon=epsilon)


def some_delta(rng):
    if rng.random() < 0.1:
        return 0.0
    return log_uniform(rng, 1e-12, 0.9)


def draw_dp(rng):
    return made("dp", approximate, True, epsilon=some_epsilon(rng), delta=some_delta(rng))


def draw_exponential(rng):
    if rng.random() < 0.6:
        return made("exponential", exponential, True, epsilon=some_epsilon(rng))
    n = rng.choice([1, 2, 10, int(log_uniform(rng, 1, 1000))])
    m = rng.choice([1, n, (n + 1) // 2, rng.randint(1, n)])
    size = min(20.0, 300.0 / n)
    epsilon = log_uniform(rng, 1e-4, size)
    return made("exponential", exponential_count, False, epsilon_tilde=epsilon, n=n, m=m)


def draw_binomial(rng):
    dimension = rng.choice([1, 1, 1, 1, 1, 1, 2, 3])
    most = {1: 1000, 2: 30, 3: 10}[dimension]
    n = max(1, int(log_uniform(rng, 1, most + 0.99)))
    p = 0.5 if rng.random() < 0.5 else rng.choice([0.25, rng.uniform(0.05, 0.95)])
    s = 1
    if rng.random() < 0.4:
        s = min(rng.choice([2, 3, n, n + 1, rng.randint(1, n)]), 60)
    parameters = {"n": n, "p": p, "sensitivity": s}
    if dimension > 1:
        parameters["dimension"] = dimension
    return made("binomial", binomial, False, **parameters)


def draw_skellam(rng):
    s = 1 if rng.random() < 0.5 else rng.choice([2, 3, 5, rng.randint(2, 20)])
    variance = log_uniform(rng, 1e-3, 30) if rng.random() < 0.9 else log_uniform(rng, 30, 200)
    return made("skellam", skellam, True, variance=variance, sensitivity=s)


def some_bound(rng, sensitivity, noise):
    """Where the noise ends: beyond, at and below half the sensitivity, or in units of the noise."""
    kind = rng.random()
    if kind < 0.06:
        return sensitivity * rng.uniform(0.05, 0.499)
    if kind < 0.1:
        return sensitivity / 2
    if kind < 0.2:
        return sensitivity / 2 * (1 + log_uniform(rng, 1e-9, 0.1))
    if kind < 0.5:
        return sensitivity * log_uniform(rng, 0.51, 100)
    return max(noise * rng.uniform(0.5, 20), sensitivity * rng.uniform(0.51, 2))


def draw_truncated_gaussian(rng):
    s = some_sensitivity(rng)
    sigma = noise_over(rng, s, 0.05, 1e4)
    bound = some_bound(rng, s, sigma)
    parameters = {"sigma": sigma, "bound": bound, "sensitivity": s}
    return made("truncated_gaussian", truncated_gaussian, True, **parameters)


def draw_truncated_laplace(rng):
    s = some_sensitivity(rng)
    scale = noise_over(rng, s, 0.05, 1e4)
    bound = some_bound(rng, s, scale * rng.choice([1, 1, 5]))
    parameters = {"scale": scale, "bound": bound, "sensitivity": s}
    return made("truncated_laplace", truncated_laplace, True, **parameters)


def draw_uniform(rng):
    s = some_sensitivity(rng)
    width = s * rng.choice([1.0, 1 + log_uniform(rng, 1e-9, 1), log_uniform(rng, 0.1, 1e5)])
    width = width if rng.random() < 0.9 else s * rng.uniform(0.1, 1)
    return made("uniform", uniform, True, width=width, sensitivity=s)


def draw_staircase(rng):
    gamma = rng.choice([0.0, 0.5, 1.0, 0.25, log_uniform(rng, 1e-9, 0.5), 1 - log_uniform(rng, 1e-9, 0.5)])
    gamma = gamma if rng.random() < 0.4 else rng.random()
    return made("staircase", staircase, True, epsilon=some_epsilon(rng), gamma=gamma)


def draw_mixture(rng):
    count = rng.choice([1, 2, 2, 3, 3, 4, 5])
    cuts = sorted(rng.sample(range(1, 64), count - 1))
    weights = [(b - a) / 64 for a, b in zip([0] + cuts, cuts + [64])]
    shifts = sorted(
        rng.choice([1.0, 2.0, rng.uniform(0, 3), rng.randint(1, 4) * 1.0]) for _ in weights
    )
    if count > 1 and rng.random() < 0.4:
        shifts[0] = 0.0
    sigma = log_uniform(rng, 0.3, 20) if rng.random() < 0.7 else log_uniform(rng, 0.2, 1e3)
    expression = text(
        "gaussian_mixture",
        sigma=sigma,
        shifts=",".join(map(repr, shifts)),
        weights=",".join(map(repr, weights)),
    )
    return expression, (lambda: gaussian_mixture(sigma, shifts, weights)), False


def draw_variance(rng):
    sigma2 = 1.0 if rng.random() < 0.3 else log_uniform(rng, 0.01, 100)
    ratio = 1 + log_uniform(rng, 1e-4, 1) if rng.random() < 0.6 else log_uniform(rng, 1.1, 30)
    sigma1 = sigma2 * ratio if rng.random() < 0.5 else sigma2 / ratio
    return made("gaussian_variance", gaussian_variance, False, sigma1=sigma1, sigma2=sigma2)


def draw_stability(rng):
    epsilon = some_epsilon(rng)
    delta = some_delta(rng)
    if rng.random() < 0.2:  # near 2·log(1 − δ) = −ε, where the Laplace profile disappears
        delta = min(0.95, -math.expm1(-epsilon / 2) * rng.uniform(0.8, 1.2))
    return made("stability", stability, False, epsilon=epsilon, delta=delta)


def draw_composition(rng):
    """A base of several releases; the caller samples it."""
    kind = rng.randrange(6)
    if kind == 0:
        k = rng.randint(2, 20)
        sigma = log_uniform(rng, 0.3, 100) * math.sqrt(k)
        expression = f"{text('gaussian', sigma=sigma)} * {k}"
        return expression, (lambda: gaussian(sigma, 1.0, k)), False
    if kind == 1:
        k = rng.randint(2, 60)
        epsilon = log_uniform(rng, 1e-3, 3)
        expression = f"{text('randomized_response', epsilon=epsilon)} * {k}"
        return expression, (lambda: response(epsilon, k)), False
    if kind == 2:
        n = rng.randint(2, 30)
        p = rng.choice([0.5, 0.5, rng.uniform(0.1, 0.9)])
        expression = text("binomial", n=n, p=p, dimension=2)
        return expression, (lambda: binomial(n, p, 1, 2)), False
    epsilon = log_uniform(rng, 1e-2, 5)
    k = rng.choice([1, 1, 1, 3])
    answers = text("randomized_response", epsilon=epsilon)
    answers = answers if k == 1 else f"{answers} * {k}"
    if kind == 3:
        sigma = log_uniform(rng, 0.3, 30)
        expression = f"{text('gaussian', sigma=sigma)} + {answers}"
        return expression, (lambda: independent(gaussian(sigma), response(epsilon, k))), False
    scale = log_uniform(rng, 0.1, 100)
    expression = f"{text('laplace', scale=scale)} + {answers}"
    return expression, (lambda: independent(laplace(scale), response(epsilon, k))), False


def draw_nested(rng):
    """The base of a Poisson sample of a Poisson sample."""
    draw = rng.choice([draw_gaussian, draw_laplace, draw_response, draw_dp, draw_exponential])
    expression, build, _ = draw(rng)
    return expression, build, False
