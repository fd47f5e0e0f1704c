"""Write testdata/joined.csv: moments of samples of fixed size when a record is replaced.

The worst case is known by its curve alone: H_α = γ·H_a(P‖Q), a = 1 + (α − 1)/γ, for α ≥ 1, and
H_α = 1 − α + α·H_{1/α} below (the base pair is symmetric).  No law of the loss is needed: for the pair
of any such curve, from E_Q f(r) with f(r) = r^{1+z},

    M(z) = 1 + z(1 + z)·G(z),   G(z) = ∫₀^∞ (e^{zε} + e^{−(1+z)ε}) H_{e^ε} dε,

so E L = M′(0) = G(0) and E L² = M″(0) = 2G(0) + 2G′(0).
"""

from flint import acb, arb, ctx

import golden
from golden import log_uniform, rng_for, write

#: Where Gaussian integrals are cut, in standard deviations: beyond, e^{4ε}H is below 1e-100.
GAUSSIAN_REACH = 22


def gaussian(rng):
    sigma = log_uniform(rng, 0.3, 30.0)

    def delta(a):
        mu = 1 / acb(sigma)
        tail = lambda x: (x / acb(2).sqrt()).erfc() / 2
        return tail(a / mu - mu / 2) - a.exp() * tail(a / mu + mu / 2)

    def reach():
        mu = 1 / arb(sigma)
        return mu * mu / 2 + (GAUSSIAN_REACH + 6 * mu) * mu

    return f"gaussian(sigma={sigma!r})", delta, reach


def laplace(rng):
    scale = log_uniform(rng, 0.2, 30.0)
    distance = lambda: 1 / arb(scale)
    delta = lambda a: 1 - ((a - acb(distance())) / 2).exp()
    return f"laplace(scale={scale!r})", delta, distance


def response(rng):
    p = rng.uniform(0.51, 0.999)
    delta = lambda a: acb(p) - a.exp() * (1 - acb(p))
    return f"randomized_response(p={p!r})", delta, lambda: (arb(p) / (1 - arb(p))).log()


def evaluate(delta, reach, rate, z):
    """M(z), the mean and the variance."""
    base_loss = lambda epsilon: (1 + (epsilon.exp() - 1) / acb(rate)).log()
    curve = lambda epsilon: acb(rate) * delta(base_loss(epsilon))
    end = (1 + arb(rate) * (reach().exp() - 1)).log()
    tolerance = arb(2) ** (20 - ctx.prec)
    # The range is cut where Gaussian curves bend.
    cuts = [acb(end) * i / 16 for i in range(17)]
    integral = lambda f: sum(
        (acb.integral(lambda x, _: f(x), a, b, rel_tol=tolerance, abs_tol=tolerance) for a, b in zip(cuts, cuts[1:])),
        acb(0),
    )
    z = acb(*z)
    transform = 1 + z * (1 + z) * integral(lambda e: ((z * e).exp() + (-(1 + z) * e).exp()) * curve(e))
    mean = integral(lambda e: (1 + (-e).exp()) * curve(e)).real
    slope = integral(lambda e: e * (1 - (-e).exp()) * curve(e)).real
    return transform.real, transform.imag, mean, 2 * mean + 2 * slope - mean * mean


def rows():
    for family in (gaussian, laplace, response):
        rng = rng_for(f"joined/{family.__name__}")
        for _ in range(40):
            name, delta, reach = family(rng)
            rate = log_uniform(rng, 1e-4, 0.9)
            z = (rng.uniform(-4.0, 3.0), rng.choice([0.0, rng.uniform(-20.0, 20.0)]))
            values = golden.proven(evaluate, delta, reach, rate, z, precision=320)
            yield [f'"subset({name}, rate={rate!r})"', *z, *values]


write(
    "joined",
    "Samples of fixed size, replacing a record: M(z), mean and variance of the loss, from the curve.",
    ["expression", "z_re", "z_im", "m_re", "m_im", "mean", "variance"],
    rows(),
)
