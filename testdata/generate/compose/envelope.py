"""How small |M| is for all larger heights at once.

In: a use of a mechanism, an abscissa and a height. Out: a bound of |M| on the line from there on, in logarithms.
"""

import math

from flint import arb

from compose.uses import log_float
from pairs.parts import ExponentialPart, GaussianPart, LatticePart, VariancePart


def log_variation(use, sign, part, c, start=None):
    """log of the total variation of the tilted density of the loss, over all of R (or from `start`), in
    floats.

    |∫ f(L) e^{itL} dL| is at most that over t.  Some room (a factor 2) is left for the grid.
    """
    gamma = float(use.gamma)

    def sampled(l):
        if gamma == 1:
            return l, 0.0
        if l > 0:
            low = math.exp(-min(l, 700.0))
            return l + math.log(gamma + (1 - gamma) * low), math.log(gamma / (gamma + (1 - gamma) * low))
        g = math.log1p(gamma * math.expm1(l))
        return g, math.log(gamma) + l - g

    if isinstance(part, ExponentialPart):
        low, high, norm = float(part.low), float(part.high), log_float(part.scale)

        def at(x):
            return x, norm - x / 2, 0.0

    else:
        shifts, weights = [float(a) for a in part.shifts], [float(w) for w in part.weights]
        most = max(shifts) * (2 + c) + 17
        low = -(max(shifts) * (1 + c) + 17) if part.low is None else float(part.low)
        high = most if part.high is None else float(part.high)
        norm = -log_float(part.norm) - 0.5 * math.log(2 * math.pi)

        def at(x):
            terms = [math.log(w) + a * (x - a / 2) for w, a in zip(weights, shifts)]
            top = max(terms)
            parts = [math.exp(t - top) for t in terms]
            slope = sum(a * e for a, e in zip(shifts, parts)) / sum(parts)
            return top + math.log(sum(parts)), norm - x * x / 2, math.log(slope)

    low = low if start is None else max(low, start)
    values = []
    for i in range(4001):
        base, log_q, log_slope = at(low + (high - low) * i / 4000)
        g, log_more = sampled(base)
        tilt = (1 + c) * g if sign > 0 else -c * g
        values.append(log_q + tilt - log_slope - log_more)
    top = max(values)
    heights = [0.0] + [math.exp(value - top) for value in values] + [0.0]
    return math.log(2 * sum(abs(a - b) for a, b in zip(heights, heights[1:]))) + top


def log_envelope(use, sign, c, t):
    """log of a bound of |M(c + iτ)| for every τ ≥ t (infinite where there is none)."""
    own = getattr(use, "log_envelope", None)
    if own is not None:
        return own(c, t)
    pair = use.build()
    atoms = arb(0)
    for loss, top, _ in use.finite_atoms(sign):
        atoms += top * (arb(c) * loss).exp()
    found = [log_float(atoms)] if atoms > 0 else []
    for part in pair.parts:
        if isinstance(part, (LatticePart, VariancePart)):
            return math.inf
        if isinstance(part, GaussianPart) and part.linear and part.low is None and use.gamma == 1:
            square = float(part.shifts[0] ** 2)
            found.append((c * (c + 1) - t * t) * square / 2)
        else:
            found.append(log_variation(use, sign, part, c) - math.log(t))
    top = max(found)
    return top + math.log(sum(math.exp(value - top) for value in found))
