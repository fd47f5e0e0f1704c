"""Golden values of calibrated parameters: testdata/calibration/*.csv.

Each row is an expression with one `?`, a target, and the number in place of the `?` at which the
target is met exactly: the root of an equation whose two sides are closed forms, found by bisection
in ball arithmetic; for a count, the largest whole number that meets the target.

The probability that must not exceed its bound is, for L the privacy loss under P,

    guarantee   δ(ε) = E_P[(1 − e^{ε−L})₊; L < ∞] + P(L = ∞), at most δ, the larger direction
    advantage   δ(0)
    detection   the true positive rate at a false positive rate: Φ(Φ⁻¹(fpr) + μ) for Gaussians

Run without arguments.
"""

import math

from flint import arb, ctx

from closed_form import gaussian_delta, tail
from golden import log_uniform, rng_for, write
from special import normal_quantile

#: Working precision of the bisection, and how far it goes: 60 digits and more.
PRECISION, STEPS = 640, 240

#: Rows of each kind.
EACH = 24


def positive_part(x):
    """max(0, x) of a ball whose sign is certain, or that is 0 for all that matters."""
    if x > 0:
        return x
    return arb(0)


def gaussian(sensitivity, sigma, count, epsilon):
    """δ of `count` Gaussian mechanisms."""
    ratio = arb(sensitivity) / sigma
    return gaussian_delta(count * ratio * ratio, arb(epsilon))[0]


def laplace(distance, epsilon):
    """δ = 1 − e^{(ε−d)/2} for ε below d."""
    return positive_part(1 - ((arb(epsilon) - distance) / 2).exp())


def responses(epsilon0, delta0, count, epsilon):
    """δ of `count` uses of a mechanism that is (ε₀, δ₀)-DP and no better."""
    epsilon0, delta0 = arb(epsilon0), arb(delta0)
    p = 1 / (1 + (-epsilon0).exp())
    q = 1 / (1 + epsilon0.exp())
    total = arb(0)
    for j in range(count + 1):
        loss = epsilon0 * (2 * j - count)
        weight = math.comb(count, j) * p**j * q ** (count - j)
        total += weight * positive_part(1 - (epsilon - loss).exp())
    hidden = (1 - delta0) ** count
    return 1 - hidden + hidden * total


def sampled_gaussian(sigma, rate, epsilon):
    """The larger direction of one Gaussian mechanism on a Poisson sample.

    Removing: H_α((1−γ)Q + γP ‖ Q) = γ H_a(P‖Q) with a = (α − 1 + γ)/γ. Adding: H_α(Q ‖ (1−γ)Q + γP)
    = f H_β(Q‖P) with f = 1 − α(1−γ) and β = γα/f, or 0 if f ≤ 0.
    """
    gamma, alpha = arb(rate), arb(epsilon).exp()
    mu_squared = 1 / (arb(sigma) * arb(sigma))
    removing = gamma * gaussian_delta(mu_squared, ((alpha - 1 + gamma) / gamma).log())[0]
    share = 1 - alpha * (1 - gamma)
    if not share > 0:
        return removing
    adding = share * gaussian_delta(mu_squared, (gamma * alpha / share).log())[0]
    return adding if adding > removing else removing


def detected(mu, false_positives):
    """Φ(Φ⁻¹(fpr) + μ)."""
    return tail(-(normal_quantile(false_positives) + mu))


def root(value, bound, low, high, rising):
    """Where a monotone `value` crosses `bound`, between two positive numbers."""
    ctx.prec = PRECISION
    low, high, bound = arb(low), arb(high), arb(bound)
    for step in range(STEPS):
        # By size at first: the root may be anywhere.
        middle = ((low * high).sqrt() if step < 20 else (low + high) / 2).mid()
        at = value(middle)
        if (at > bound) == rising and (at > bound or at < bound):
            high = middle
        elif at > bound or at < bound:
            low = middle
        else:
            break
    return (low + high) / 2


def largest_count(value, bound):
    """The largest whole number with `value` at most `bound`, or None."""
    ctx.prec = PRECISION
    bound = arb(bound)
    if not value(1) <= bound:
        return None
    low, high = 1, 2
    while value(high) <= bound:
        low, high = high, 2 * high
        if high > 10**14:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if value(middle) <= bound else (low, middle)
    return low


def draw_target(rng):
    """An ε and a δ that people ask for, and some that they do not."""
    delta = rng.choice([1e-5, 1e-6, 1e-8, log_uniform(rng, 1e-12, 0.1), log_uniform(rng, 1e-100, 1e-12)])
    return log_uniform(rng, 0.05, 20.0), delta


def rows():
    rng = rng_for("calibration")

    def found(expression, target, first, second, private, optimum):
        return f'"{expression}"', target, first, second, private, optimum

    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        s, k = log_uniform(rng, 0.1, 10.0), rng.choice([1, 1, 10, 1000, 10**6])
        at = lambda x: gaussian(s, x, k, epsilon)
        yield found(f"gaussian(sigma=?, sensitivity={s!r}) * {k}", "guarantee", epsilon, delta, "larger",
                    root(at, delta, 1e-6, 1e12, False))
    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        sigma = log_uniform(rng, 20.0, 1e4)
        count = largest_count(lambda k: gaussian(1.0, arb(sigma), k, epsilon), delta)
        if count is not None:
            yield found(f"gaussian(sigma={sigma!r}) * ?", "guarantee", epsilon, delta, "smaller", count)
    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        at = lambda x: gaussian_delta(x * x, arb(epsilon))[0]
        yield found("gdp(mu=?)", "guarantee", epsilon, delta, "smaller", root(at, delta, 1e-12, 1e6, True))
    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        s = log_uniform(rng, 0.1, 10.0)
        at = lambda x: laplace(arb(s) / x, epsilon)
        yield found(f"laplace(scale=?, sensitivity={s!r})", "guarantee", epsilon, delta, "larger",
                    root(at, delta, 1e-9, 1e9, False))
    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        k = rng.choice([1, 2, 5, 20])
        at = lambda x: responses(x, 0.0, k, epsilon)
        yield found(f"randomized_response(epsilon=?) * {k}", "guarantee", epsilon, delta, "smaller",
                    root(at, delta, 1e-9, 1e3, True))
    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        at = lambda x: responses((x / (1 - x)).log(), 0.0, 1, epsilon)
        # As far as doubles near 1 tell p and 1 − p apart.
        if epsilon < 8.0:
            yield found("randomized_response(p=?)", "guarantee", epsilon, delta, "smaller",
                        root(at, delta, 0.5, 1 - 1e-30, True))
    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        k, delta0 = rng.choice([1, 3, 12]), delta / 100
        at = lambda x: responses(x, delta0, k, epsilon)
        yield found(f"dp(epsilon=?, delta={delta0!r}) * {k}", "guarantee", epsilon, delta, "smaller",
                    root(at, delta, 1e-9, 1e3, True))
    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        k = rng.choice([1, 3, 12])
        epsilon0 = epsilon / k / 2
        at = lambda x: responses(epsilon0, x, k, epsilon)
        yield found(f"dp(epsilon={epsilon0!r}, delta=?) * {k}", "guarantee", epsilon, delta, "smaller",
                    root(at, delta, 1e-130, 1 - 1e-30, True))
    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        rate = log_uniform(rng, 1e-3, 0.9)
        at = lambda x: sampled_gaussian(x, rate, epsilon)
        if delta >= rate / 2:
            continue  # a record outside of the sample has nothing to fear: no noise may be needed
        yield found(f"poisson(gaussian(sigma=?), rate={rate!r})", "guarantee", epsilon, delta, "larger",
                    root(at, delta, 1e-3, 1e9, False))
    for _ in range(EACH):
        epsilon, delta = draw_target(rng)
        sigma = log_uniform(rng, 0.3, 3.0)
        at = lambda x: sampled_gaussian(sigma, x, epsilon)
        ctx.prec = PRECISION
        if at(arb(1)) > arb(delta):
            yield found(f"poisson(gaussian(sigma={sigma!r}), rate=?)", "guarantee", epsilon, delta, "smaller",
                        root(at, delta, 1e-120, 1.0, True))
    for _ in range(EACH):
        advantage = log_uniform(rng, 1e-4, 0.9)
        k = rng.choice([1, 10, 1000])
        at = lambda x: gaussian(1.0, x, k, 0.0)
        yield found(f"gaussian(sigma=?) * {k}", "advantage", advantage, "", "larger",
                    root(at, advantage, 1e-6, 1e12, False))
    for _ in range(EACH // 2):
        fpr = log_uniform(rng, 1e-6, 0.3)
        tpr = fpr + (1 - fpr) * rng.uniform(0.01, 0.9)
        at = lambda x: detected(1 / x, fpr)
        yield found("gaussian(sigma=?)", "detection", tpr, fpr, "larger", root(at, tpr, 1e-3, 1e9, False))


if __name__ == "__main__":
    write(
        "calibration/closed_form",
        "The number in place of the ? at which a target is met exactly; for a count, the largest that meets it.\n"
        "guarantee: first = ε, second = δ. advantage: first. detection: first = TPR, second = FPR.\n"
        "private says whether larger or smaller numbers are more private.",
        ["expression", "target", "first", "second", "private", "optimum"],
        rows(),
    )
