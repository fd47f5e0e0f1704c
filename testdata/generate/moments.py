"""Golden values of the optimal conversion between Rényi and approximate differential privacy.

γ(α, ε, δ) = ε + log min_p [p^α (p − δ)^{1−α} + (1 − p)^α (e^ε − p + δ)^{1−α}] / (α − 1), the
minimum over δ < p ≤ 1 (Theorem 3 of Asoodeh et al. 2021).  The function of p is convex: the sign
of its derivative brackets the minimum, its value at one end is an upper bound and its tangent at
the left end, taken at the right end, a lower bound.

Run without arguments.
"""

from flint import arb, ctx

from golden import log_uniform, proven, rng_for, write


def objective(alpha, epsilon, delta, p):
    """The function and its derivative, both divided by nothing."""
    first = (alpha * p.log() + (1 - alpha) * (p - delta).log()).exp()
    slope = first * (alpha / p + (1 - alpha) / (p - delta))
    rest = 1 - p
    if rest.is_zero():
        return first, slope
    base = epsilon.exp() - p + delta
    second = (alpha * rest.log() + (1 - alpha) * base.log()).exp()
    return first + second, slope + second * (-alpha / rest - (1 - alpha) / base)


def gamma(alpha, epsilon, delta):
    """γ as a ball, by bisection in log((p − δ)/(1 − p))."""
    alpha, epsilon, delta = arb(alpha), arb(epsilon), arb(delta)
    if alpha * delta >= 1:
        return epsilon - (1 - delta).log()

    def at(x):
        # p − δ = (1 − δ) e^x/(1 + e^x).
        return delta + (1 - delta) * (-(1 + (-x).exp()).log()).exp()

    low, high = arb(-800), arb(800)
    for _ in range(ctx.prec // 2):
        middle = ((low + high) / 2).mid()
        slope = objective(alpha, epsilon, delta, at(middle))[1]
        if slope > 0:
            high = middle
        elif slope < 0:
            low = middle
        else:
            break
    left, right = at(low), at(high)
    value, slope = objective(alpha, epsilon, delta, left)
    least = value + slope * (right - left)
    both = least.union(value)
    return epsilon + both.log() / (alpha - 1)


def rows():
    rng = rng_for("moments/optimal_conversion")
    cases = [(2.0, 1.0, 0.5), (2.0, 1.0, 0.6), (2.0, 0.0, 0.25), (1.5, 0.0, 1e-5), (101.0, 3.0, 0.01)]
    for _ in range(400):
        alpha = 1 + log_uniform(rng, 1e-3, 1e4)
        epsilon = rng.choice([0.0, log_uniform(rng, 1e-4, 50)])
        delta = log_uniform(rng, 1e-14, 0.9)
        cases.append((float(alpha), float(epsilon), float(delta)))
    for alpha, epsilon, delta in cases:
        value = proven(gamma, alpha, epsilon, delta, precision=512)
        if value > 0 and value < 1e300:
            yield alpha, epsilon, delta, value


if __name__ == "__main__":
    write(
        "moments/optimal_conversion",
        "γ such that every (α, γ)-RDP mechanism is (ε, δ)-DP, and no larger one.",
        ["alpha", "epsilon", "delta", "gamma"],
        rows(),
    )
