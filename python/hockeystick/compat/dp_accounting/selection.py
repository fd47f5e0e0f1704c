"""The best of a random number of runs: Rényi divergences of repeat-and-select [Papernot & Steinke 2022, Thms 2 and 6]."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...catalogue import Renyi
from ...mechanism import Mechanism, Relation
from ...moments import renyi

# Every formula below is a sum of a few terms of 0 or above, each right to a few units in the last place.
_ROUNDING = 1 + 1e-14


class NotBounded(ValueError):
    """Nothing is proved."""


def bounded(
    mechanism: Mechanism, xi: float, mean: float, shape: float, orders: Sequence[float], relation: Relation
) -> Mechanism:
    """Keeping the best of ``K`` runs, with the law of ``K`` by its mean and shape, as bounds of its divergences.

    >>> from hockeystick import Gaussian
    >>> once = bounded(Gaussian(1.0), 0.0, 1.0, 1.0, [2.0], "add-remove")
    >>> round(once.epsilon(1e-3).upper / Renyi(orders=[2.0], divergences=[1.0]).epsilon(1e-3).upper, 9)
    1.0
    """
    finite = [float(order) for order in orders if 1 < order < math.inf]
    if not finite:
        raise NotBounded("an order above 1 is needed")
    if math.isinf(shape):
        divergences = _poisson(mechanism, xi, mean, finite, relation)
    else:
        divergences = _negative_binomial(mechanism, xi, mean, shape, finite, relation)
    known = [(order, divergence) for order, divergence in zip(finite, divergences) if math.isfinite(divergence)]
    if not known:
        raise NotBounded("the divergences of what is repeated are infinite at all orders")
    return Renyi(orders=[order for order, _ in known], divergences=[divergence for _, divergence in known])


def _divergences(mechanism: Mechanism, xi: float, orders: Sequence[float], relation: Relation) -> list[float]:
    uppers: list[float] = renyi(mechanism, orders, relation=relation).upper.tolist()
    return [upper + xi for upper in uppers]


def _negative_binomial(
    mechanism: Mechanism, xi: float, mean: float, shape: float, orders: list[float], relation: Relation
) -> list[float]:
    """``D′_λ ≤ D_λ + (1 + η)(1 − 1/λ̂)D_λ̂ + (1 + η)·log(1/γ)/λ̂ + log E[K]/(λ − 1)`` for all λ > 1 and λ̂ ≥ 1.

    The law is truncated negative binomial, ``η`` its shape: geometric for 1, logarithmic for 0.
    """
    if not mean >= 1 or not shape > -1:
        raise ValueError(f"mean is {mean} and shape is {shape}, but must be 1 or above, and above -1")
    plain = _divergences(mechanism, xi, orders, relation)
    rate = _log_inverse_gamma(mean, shape)
    # At λ̂ = 1 the divergence drops out.
    extra = min(
        [(1 + shape) * rate]
        + [(1 + shape) * ((1 - 1 / order) * known + rate / order) for order, known in zip(orders, plain)]
    )
    return [
        (known + extra + math.log(mean) / (order - 1)) * _ROUNDING for order, known in zip(orders, plain)
    ]


def _poisson(
    mechanism: Mechanism, xi: float, mean: float, orders: list[float], relation: Relation
) -> list[float]:
    """``D′_λ ≤ D_λ + μ·δ̂ + log μ/(λ − 1)`` with ``δ̂`` the δ at ``ε̂ = log(1 + 1/(λ − 1))``."""
    if not mean > 0 or xi:
        raise NotBounded("a Poisson number of runs needs a mean above 0, and the δ of what is repeated")
    plain = _divergences(mechanism, xi, orders, relation)
    bounds = []
    for order, known in zip(orders, plain):
        # A smaller ε̂ has a larger δ̂.
        epsilon = math.log1p(1 / (order - 1)) * (1 - 1e-15)
        delta = mechanism.delta(max(0.0, epsilon), relation=relation).upper
        bounds.append((known + mean * delta + max(0.0, math.log(mean)) / (order - 1)) * _ROUNDING)
    return bounds


def _log_inverse_gamma(mean: float, shape: float) -> float:
    """``t = log(1/γ)``, rounded up, with ``E[K] = η(e^t − 1)/(1 − e^{−ηt})``; ``(e^t − 1)/t`` for η = 0."""
    from decimal import Decimal, localcontext

    if mean == 1:
        return 0.0
    with localcontext() as context:
        context.prec = 60
        wanted, eta = Decimal(mean), Decimal(shape)

        def mean_of(t: Decimal) -> Decimal:
            return (t.exp() - 1) / t if eta == 0 else eta * (t.exp() - 1) / (1 - (-eta * t).exp())

        low, high = Decimal(0), Decimal(1)
        while mean_of(high) < wanted:
            low, high = high, 2 * high
        # The mean grows with t: what is proven is that it is reached at the upper end.
        while high - low > Decimal("1e-17") * high:
            middle = (low + high) / 2
            if mean_of(middle) < wanted:
                low = middle
            else:
                high = middle
        return math.nextafter(float(high), math.inf)
