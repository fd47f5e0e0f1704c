"""Golden values of δ(ε) where a closed form exists: testdata/closed_form/*.csv.

Throughout, L is the privacy loss under P and

    δ(ε) = E_P[(1 − e^{ε−L})₊; L < ∞] + P(L = ∞),

and the complement is 1 − δ(ε), computed by itself and not as a difference.  The Gaussian formula
is Theorem 8 of Balle and Wang (ICML 2018); the sums over randomised responses follow
Kairouz, Oh and Viswanath (ICML 2015).

Run without arguments for every file, or with the names of some.
"""

import math
import sys
from fractions import Fraction
from statistics import NormalDist

from flint import arb, ctx, fmpq

from golden import in_double_range, log_uniform, proven, rng_for, write
from special import normal_quantile

#: Rows whose δ or 1 − δ is smaller than this (and not zero) are left out.
FLOOR = 1e-305

# ---------------------------------------------------------------------------------------------
# The Gaussian.


def scaled_tail(x):
    """e^{x²/2} Φ(−x) = U(½, ½, x²/2)/(2√π) for x > 0, DLMF 7.11.4."""
    half = arb(0.5)
    return (x * x / 2).hypgeom_u(half, half) / (2 * arb.pi().sqrt())


def tail(x):
    """Φ(−x) of a ball."""
    if x > 5:
        return (-x * x / 2).exp() * scaled_tail(x)
    return (x / arb(2).sqrt()).erfc() / 2


def gaussian_delta(mu_squared, epsilon):
    """(δ, 1 − δ) for L ~ N(μ²/2, μ²) and any real ε.

    With a = ε/μ − μ/2 and b = ε/μ + μ/2: δ = Φ(−a) − e^ε Φ(−b), and as ε = (b² − a²)/2 the
    second term is e^{−a²/2} · e^{b²/2} Φ(−b).
    """
    mu = mu_squared.sqrt()
    a = epsilon / mu - mu / 2
    b = epsilon / mu + mu / 2
    if b > 5:
        weighted = (-a * a / 2).exp() * scaled_tail(b)
    else:
        weighted = epsilon.exp() * tail(b)
    return tail(a) - weighted, tail(-a) + weighted


def gaussian_mu_squared(terms):
    """μ² = Σ count·(sensitivity/σ)² over (σ, sensitivity, count)."""
    total = arb(0)
    for sigma, sensitivity, count in terms:
        ratio = arb(sensitivity) / arb(sigma)
        total += count * ratio * ratio
    return total


def gaussian_sum(terms, epsilon):
    """(δ, 1 − δ) of a composition of Gaussian mechanisms."""
    return gaussian_delta(gaussian_mu_squared(terms), arb(epsilon))


def gaussian_exceeds(terms, epsilon):
    """P(L > ε) = Φ(μ/2 − ε/μ)."""
    mu = gaussian_mu_squared(terms).sqrt()
    return tail(arb(epsilon) / mu - mu / 2)


def pdp_optimal_sigma(count, epsilon, delta):
    """σ = √count/μ with μ = −z + √(z² + 2ε) = 2ε/(z + √(z² + 2ε)), z = Φ⁻¹(1 − δ)."""
    z = -normal_quantile(delta)
    twice = 2 * arb(epsilon)
    return arb(count).sqrt() * (z + (z * z + twice).sqrt()) / twice


# ---------------------------------------------------------------------------------------------
# Randomised response with a chance of revealing everything.


def ball_up_to(bound):
    """The ball [0, bound]."""
    return arb(0).union(bound.upper())


def falling_sum(term, ratios):
    """term·(1 + r₀ + r₀r₁ + …) for decreasing ratios that end below one (or after which all is 0).

    Stops when the geometric bound on the rest, term·r/(1 − r), is below 2^−precision of the sum,
    and encloses that rest.
    """
    total = term
    for ratio in ratios:
        if ratio < 1:
            rest = term * ratio / (1 - ratio)
            if rest < total * arb(2) ** -ctx.prec:
                return total + ball_up_to(rest)
        term = term * ratio
        total = total + term
    return total


def binomial_term(count, j, log_p, log_q):
    """C(count, j) p^j q^{count−j}."""
    log_choose = arb(count + 1).lgamma() - arb(j + 1).lgamma() - arb(count - j + 1).lgamma()
    return (log_choose + j * log_p + (count - j) * log_q).exp()


def binomial_at_least(count, j, log_p, log_q):
    """P(J ≥ j), summed upward: the ratios (count−i)p / ((i+1)q) decrease."""
    if j > count:
        return arb(0)
    odds = (log_p - log_q).exp()
    ratios = (odds * (count - i) / (i + 1) for i in range(j, count))
    return falling_sum(binomial_term(count, j, log_p, log_q), ratios)


def log_probabilities(epsilon0):
    """(ln p, ln q) for p = e^ε₀/(1 + e^ε₀) and q = 1 − p."""
    log_p = -((-arb(epsilon0)).exp().log1p())
    return log_p, log_p - arb(epsilon0)


def first_above(epsilon0, count, threshold):
    """The smallest j in 0..count+1 with ε₀(2j − count) > threshold, decided in rationals."""
    above = math.floor(Fraction(threshold) / Fraction(epsilon0)) + 1  # smallest integer > ratio
    return min(max((above + count + 1) // 2, 0), count + 1)


def response_parts(epsilon0, count, j0):
    """(P(J ≥ j0), P(J < j0), Q(J ≥ j0)), J ~ Bin(count, p) under P and Bin(count, q) under Q.

    Each binomial tail is summed on the side where it falls from its first term on.
    """
    log_p, log_q = log_probabilities(epsilon0)
    if log_p.exp() * count < j0:
        at_least = binomial_at_least(count, j0, log_p, log_q)
        below = 1 - at_least
    else:
        below = binomial_at_least(count, count - j0 + 1, log_q, log_p)  # of count − J
        at_least = 1 - below
    return at_least, below, binomial_at_least(count, j0, log_q, log_p)


def revealed(delta0, count):
    """((1−δ₀)^count, 1 − (1−δ₀)^count): the chances that no use, or some use, has L = ∞."""
    log_hidden = count * (-arb(delta0)).log1p()
    return log_hidden.exp(), -log_hidden.expm1()


def response_delta(epsilon0, delta0, count, epsilon):
    """(δ, 1 − δ) of `count` uses of dp(ε₀, δ₀).

    P(j)·e^{−ε₀(2j−count)} = Q(j), so the finite part is P(J ≥ j0) − e^ε Q(J ≥ j0), where j0 is
    the first j with ε₀(2j − count) > ε.
    """
    at_least, below, q_at_least = response_parts(
        epsilon0, count, first_above(epsilon0, count, epsilon)
    )
    weighted = arb(epsilon).exp() * q_at_least
    hidden, shown = revealed(delta0, count)
    return hidden * (at_least - weighted) + shown, hidden * (below + weighted)


def outcomes(epsilon0, count):
    """[(2j − count, P(j), Q(j))] for every j."""
    log_p, log_q = log_probabilities(epsilon0)
    return [
        (
            2 * j - count,
            binomial_term(count, j, log_p, log_q),
            binomial_term(count, j, log_q, log_p),
        )
        for j in range(count + 1)
    ]


def gaussian_plus_response(sigma, gaussian_count, epsilon0, delta0, response_count, epsilon):
    """(δ, 1 − δ): the Gaussian ones at ε − ε₀(2j − count), averaged over the responses."""
    mu_squared = gaussian_mu_squared([(sigma, 1.0, gaussian_count)])
    delta = complement = arb(0)
    for steps, probability, _ in outcomes(epsilon0, response_count):
        here = gaussian_delta(mu_squared, arb(epsilon) - arb(epsilon0) * steps)
        delta += probability * here[0]
        complement += probability * here[1]
    hidden, shown = revealed(delta0, response_count)
    return hidden * delta + shown, hidden * complement


def response_sum(terms, epsilon):
    """(δ, 1 − δ) of 2 or 3 kinds (ε₀, δ₀, count): a sum over every outcome of all kinds.

    Over the outcomes of the last kind, given the others, the sum is a binomial tail, again
    decided in rationals.
    """
    *others, (last_epsilon0, _, last_count) = terms
    last = outcomes(last_epsilon0, last_count)
    p_below, q_at_least = [arb(0)], [arb(0)]
    for (_, p, _), (_, _, q) in zip(last, reversed(last)):
        p_below.append(p_below[-1] + p)
        q_at_least.append(q_at_least[-1] + q)
    q_at_least.reverse()
    p_at_least = [arb(0)]
    for _, p, _ in reversed(last):
        p_at_least.append(p_at_least[-1] + p)
    p_at_least.reverse()

    combined = [(Fraction(0), arb(1), arb(1))]
    for epsilon0, _, count in others:
        combined = [
            (loss + Fraction(epsilon0) * steps, p * p_here, q * q_here)
            for loss, p, q in combined
            for steps, p_here, q_here in outcomes(epsilon0, count)
        ]
    weight = arb(epsilon).exp()
    delta = complement = arb(0)
    for loss, p, q in combined:
        j0 = first_above(last_epsilon0, last_count, Fraction(epsilon) - loss)
        weighted = weight * q * q_at_least[j0]
        delta += p * p_at_least[j0] - weighted
        complement += p * p_below[j0] + weighted
    if Fraction(epsilon) >= sum(Fraction(epsilon0) * count for epsilon0, _, count in terms):
        delta, complement = arb(0), arb(1)  # no outcome is above ε: exactly so
    hidden, shown = arb(1), arb(0)
    for _, delta0, count in terms:
        hidden_here, shown_here = revealed(delta0, count)
        shown = shown + hidden * shown_here
        hidden = hidden * hidden_here
    return hidden * delta + shown, hidden * complement


# ---------------------------------------------------------------------------------------------
# Laplace.


def laplace(scale, sensitivity, epsilon):
    """δ = 1 − e^{(ε−d)/2} for ε ≤ d = sensitivity/scale, else 0; d is the exact quotient."""
    excess = Fraction(epsilon) - Fraction(sensitivity) / Fraction(scale)
    if excess >= 0:
        return arb(0), arb(1)
    half = arb(fmpq(excess.numerator, excess.denominator)) / 2
    return -half.expm1(), half.exp()


# ---------------------------------------------------------------------------------------------
# The inputs.

COUNTS = [1, 2, 3, 10, 100, 10**3, 10**4, 10**5, 10**6]


def draw_count(rng, most=10**6):
    """A round count, or a log-uniform one."""
    if rng.random() < 0.6:
        return rng.choice([count for count in COUNTS if count <= most])
    return int(log_uniform(rng, 1.0, most))


def draw_sensitivity(rng):
    """Mostly one."""
    return 1.0 if rng.random() < 0.7 else log_uniform(rng, 0.1, 10.0)


def quantile_for(target):
    """The x with Φ(−x) = target, roughly; x ≤ 0 for targets above one half."""
    return -NormalDist().inv_cdf(min(max(target, 1e-307), 1.0 - 1e-16))


def draw_gaussian_epsilon(rng, mu):
    """An ε for which δ is zero-point-something, log-uniform down to 1e-300, near one, or ε = 0."""
    kind = rng.random()
    if kind < 0.05:
        return 0.0
    if kind < 0.25 and mu > 0.1:
        # 1 − δ log-uniform; needs ε = μ²/2 + xμ ≥ 0 with x < 0.
        smallest = NormalDist().cdf(-mu / 2) if mu < 16 else 1e-16
        x = -quantile_for(log_uniform(rng, max(smallest, 1e-16), 0.5))
    elif kind < 0.35:
        x = rng.uniform(-1.0, 6.0)
    else:
        # For small μ, δ is about μ times a Gaussian tail.
        x = quantile_for(min(10.0 ** rng.uniform(-300.0, -0.3) / min(mu, 1.0), 0.5))
    return max(mu * mu / 2 + x * mu, 0.0)


def gaussian_case(rng):
    sigma, count = log_uniform(rng, 1e-3, 1e6), draw_count(rng)
    if rng.random() < 0.1:
        sigma = rng.choice([0.5, 1.0, 2.0, 4.0, 10.0, 100.0])
    sensitivity = draw_sensitivity(rng)
    mu = math.sqrt(count) * sensitivity / sigma
    return sigma, sensitivity, count, draw_gaussian_epsilon(rng, mu)


def gaussian_sum_case(rng):
    base = log_uniform(rng, 1e-2, 1e5)
    terms = []
    for _ in range(rng.randint(2, 6)):
        sigma = base * log_uniform(rng, 0.1, 10.0)
        terms.append((sigma, draw_sensitivity(rng), draw_count(rng, 10**5)))
    mu = math.sqrt(sum(count * (s / sigma) ** 2 for sigma, s, count in terms))
    return terms, draw_gaussian_epsilon(rng, mu)


DELTA0S = [0.0, 0.0, 0.0, 0.0, 0.0, 1e-300, 1e-100, 1e-12, 1e-6, 0.01, 0.3]


def draw_delta0(rng, count):
    """Often zero; such that some chance of revealing nothing is left."""
    kind = rng.random()
    if kind < 0.3:
        delta0 = 0.0
    elif kind < 0.85:
        delta0 = rng.choice(DELTA0S)
    elif kind < 0.95:
        delta0 = log_uniform(rng, 1e-20, 1.0) * rng.random()
    else:
        delta0 = rng.uniform(0.0, 1.0)
    return delta0 if -count * math.log1p(-delta0) < 600.0 else 1e-6 / count


def draw_epsilon0(rng):
    """Log-uniform, sometimes with so few bits that multiples of it are exact doubles."""
    if rng.random() < 0.25:
        return rng.choice([math.ldexp(mantissa, -rng.randint(0, 20)) for mantissa in (1, 3, 5, 7)])
    return log_uniform(rng, 1e-6, 20.0)


def rare_share(p, count, target):
    """The share x > p with e^{−count·KL(x‖p)} = target, or nearly 1 if none is rare enough."""
    low, high = p, math.nextafter(1.0, 0.0)
    for _ in range(60):
        x = (low + high) / 2.0
        divergence = x * math.log(x / p) + (1.0 - x) * math.log((1.0 - x) / (1.0 - p))
        low, high = (x, high) if count * divergence < -math.log(target) else (low, x)
        if high - low <= 1e-9 * (1.0 - low):
            break
    return low


def draw_response_epsilon(rng, epsilon0, count):
    """An ε at, around and between atoms, at the ends, or aimed at some δ."""
    p = 1.0 / (1.0 + math.exp(-epsilon0))
    mean = count * epsilon0 * (2.0 * p - 1.0)
    deviation = 2.0 * epsilon0 * math.sqrt(count * p * (1.0 - p))
    top = count * epsilon0
    kind = rng.random()
    if kind < 0.05:
        return 0.0
    if kind < 0.08:
        return rng.choice([top * 1.5, top + 1.0, math.nextafter(top, math.inf), top * (1.0 + 1e-9)])
    if kind < 0.15:
        aim = top * (1.0 - log_uniform(rng, 1e-15, 1.0))
    elif kind < 0.20:
        aim = top - 2.0 * epsilon0 * rng.randint(0, min(count // 2, 10))
    elif kind < 0.35:
        aim = mean + rng.uniform(-8.0, 8.0) * deviation
    else:
        # δ is about min(deviation, 1) times the chance of a loss above ε, at least p^count.
        rarest = max(-300.0, count * math.log10(p))
        target = 10.0 ** rng.uniform(rarest, -0.3) if rarest < -0.3 else 0.5
        target = min(target / min(deviation, 1.0), 0.5)
        aim = epsilon0 * count * (2.0 * rare_share(p, count, target) - 1.0)
    aim = min(max(aim, 0.0), top)
    # Every other time onto the nearest atom, or one double beside it.
    if rng.random() < 0.5:
        j = min(max(round((aim / epsilon0 + count) / 2.0), count // 2), count)
        aim = epsilon0 * (2 * j - count)
        aim = rng.choice([aim, math.nextafter(aim, 0.0), math.nextafter(aim, math.inf)])
    return max(aim, 0.0)


def response_case(rng):
    count = rng.choice([5, 50]) if rng.random() < 0.1 else draw_count(rng)
    epsilon0 = draw_epsilon0(rng)
    delta0 = draw_delta0(rng, count)
    return epsilon0, delta0, count, draw_response_epsilon(rng, epsilon0, count)


def laplace_case(rng):
    scale, sensitivity = log_uniform(rng, 1e-3, 1e12), draw_sensitivity(rng)
    if rng.random() < 0.1:
        scale = rng.choice([0.25, 0.5, 1.0, 2.0, 1e-5, 1e12])
    d = sensitivity / scale
    kind = rng.random()
    if kind < 0.1:
        epsilon = 0.0
    elif kind < 0.35:
        epsilon = rng.choice([d, math.nextafter(d, 0.0), math.nextafter(d, math.inf)])
    elif kind < 0.55:
        epsilon = d * (1.0 - log_uniform(rng, 1e-15, 1.0))
    elif kind < 0.65:
        epsilon = d * (1.0 + log_uniform(rng, 1e-15, 1.0))
    else:
        epsilon = d - rng.uniform(0.0, 1300.0) if d > 1300.0 else d * rng.random()
    return scale, sensitivity, epsilon


def gaussian_plus_response_case(rng):
    sigma, gaussian_count = log_uniform(rng, 0.05, 1e3), draw_count(rng, 10**4)
    epsilon0, response_count = log_uniform(rng, 1e-4, 5.0), rng.randint(1, 60)
    delta0 = draw_delta0(rng, response_count)
    mu = math.sqrt(gaussian_count) / sigma
    p = 1.0 / (1.0 + math.exp(-epsilon0))
    mean = mu * mu / 2 + response_count * epsilon0 * (2.0 * p - 1.0)
    deviation = math.sqrt(mu * mu + 4.0 * epsilon0**2 * response_count * p * (1.0 - p))
    if rng.random() < 0.4:
        x = rng.uniform(-6.0, 8.0)
    else:
        x = quantile_for(min(10.0 ** rng.uniform(-300.0, -0.3) / min(deviation, 1.0), 0.5))
    epsilon = max(mean + x * deviation, 0.0)
    return sigma, gaussian_count, epsilon0, delta0, response_count, epsilon


def response_sum_case(rng):
    terms = []
    for _ in range(rng.choice([2, 2, 3])):
        count = rng.choice([1, 2, 5, 10, 40, rng.randint(1, 40)])
        epsilon0 = rng.choice([0.125, 0.25, 0.5, 1.0]) if rng.random() < 0.3 else log_uniform(
            rng, 1e-3, 10.0
        )
        terms.append((epsilon0, draw_delta0(rng, count), count))
    top = sum(epsilon0 * count for epsilon0, _, count in terms)
    kind = rng.random()
    if kind < 0.1:
        epsilon = 0.0
    elif kind < 0.2:
        epsilon = rng.choice([top * 1.25, math.nextafter(top, math.inf), math.nextafter(top, 0.0)])
    elif kind < 0.6:
        epsilon = top * rng.random()
    elif kind < 0.75:
        epsilon = top * (1.0 - log_uniform(rng, 1e-12, 1.0))
    else:
        # At an atom, or one double beside it.
        atom = sum(e * (2 * rng.randint(count // 2, count) - count) for e, _, count in terms)
        epsilon = rng.choice([atom, math.nextafter(atom, 0.0), math.nextafter(atom, math.inf)])
    return terms, max(epsilon, 0.0)


def pdp_gaussian_case(rng):
    sigma, count = log_uniform(rng, 1e-3, 1e6), draw_count(rng)
    mu = math.sqrt(count) / sigma
    if rng.random() < 0.1:
        return sigma, count, 0.0
    x = quantile_for(10.0 ** rng.uniform(-303.0, -0.3))
    if rng.random() < 0.2:
        x = rng.uniform(-min(mu / 2, 8.0), 8.0)
    return sigma, count, max(mu * mu / 2 + x * mu, 0.0)


def pdp_optimal_sigma_case(rng):
    delta = 10.0 ** rng.uniform(-300.0, math.log10(0.25))
    if rng.random() < 0.3:
        delta = rng.choice([0.25, 0.1, 1e-3, 1e-5, 1e-6, 1e-9, 1e-12, 1e-300])
    return draw_count(rng), log_uniform(rng, 1e-3, 50.0), delta


# ---------------------------------------------------------------------------------------------


def joined(terms):
    """Terms as one CSV field: `a:b:c;a:b:c…`."""
    return ";".join(":".join(repr(part) for part in term) for term in terms)


def in_range(ball):
    """Zero, or safely within the normal doubles."""
    return in_double_range(ball) and (ball.is_zero() or abs(ball) >= arb(FLOOR))


def cases(name, draw, evaluate, count):
    """`count` distinct (inputs, values), drawn at random, whose values are all in range."""
    rng, seen = rng_for(name), set()
    while len(seen) < count:
        inputs = draw(rng)
        if repr(inputs) in seen:
            continue
        values = proven(evaluate, *inputs, precision=320)
        values = values if isinstance(values, tuple) else (values,)
        if all(in_range(value) for value in values):
            seen.add(repr(inputs))
            fields = (joined(part) if isinstance(part, list) else part for part in inputs)
            yield *fields, *values


#: file name: (what, columns, draw, evaluate, rows)
FILES = {
    "gaussian": (
        "Gaussian mechanism composed: δ = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), μ² = count·(s/σ)².",
        ("sigma", "sensitivity", "count", "epsilon", "delta", "complement"),
        gaussian_case,
        lambda sigma, sensitivity, count, epsilon: gaussian_sum(
            [(sigma, sensitivity, count)], epsilon
        ),
        2600,
    ),
    "gaussian_sum": (
        "Different Gaussian mechanisms composed; terms are sigma:sensitivity:count;…",
        ("terms", "epsilon", "delta", "complement"),
        gaussian_sum_case,
        gaussian_sum,
        300,
    ),
    "randomized_response": (
        "dp(ε₀, δ₀) composed: L = ∞ with probability δ₀, else ±ε₀ with odds e^ε₀.",
        ("epsilon0", "delta0", "count", "epsilon", "delta", "complement"),
        response_case,
        response_delta,
        2600,
    ),
    "laplace": (
        "One Laplace mechanism: δ = 1 − e^{(ε−d)/2} for ε ≤ d = sensitivity/scale, else 0.",
        ("scale", "sensitivity", "epsilon", "delta", "complement"),
        laplace_case,
        laplace,
        300,
    ),
    "gaussian_plus_response": (
        "Gaussian mechanisms of sensitivity 1 composed with uses of dp(ε₀, δ₀).",
        (
            "sigma",
            "gaussian_count",
            "epsilon0",
            "delta0",
            "response_count",
            "epsilon",
            "delta",
            "complement",
        ),
        gaussian_plus_response_case,
        gaussian_plus_response,
        300,
    ),
    "response_sum": (
        "Different dp(ε₀, δ₀) composed; terms are epsilon0:delta0:count;…",
        ("terms", "epsilon", "delta", "complement"),
        response_sum_case,
        response_sum,
        300,
    ),
    "pdp_gaussian": (
        "Gaussian mechanism of sensitivity 1 composed: delta is P(L > ε) = Φ(μ/2 − ε/μ).",
        ("sigma", "count", "epsilon", "delta"),
        pdp_gaussian_case,
        lambda sigma, count, epsilon: gaussian_exceeds([(sigma, 1.0, count)], epsilon),
        300,
    ),
    "pdp_optimal_sigma": (
        "Smallest σ with P(L > ε) ≤ δ for `count` Gaussian mechanisms of sensitivity 1.",
        ("count", "epsilon", "delta", "sigma"),
        pdp_optimal_sigma_case,
        pdp_optimal_sigma,
        200,
    ),
}


def main(names):
    for name in names or FILES:
        what, columns, draw, evaluate, count = FILES[name]
        write(f"closed_form/{name}", what, columns, cases(name, draw, evaluate, count))


if __name__ == "__main__":
    main(sys.argv[1:])
