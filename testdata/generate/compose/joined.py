"""Samples of fixed size when a record is replaced: a curve of its own, and M from it."""

import math

from flint import arb

from compose.envelope import log_variation
from compose.transform import Failed, Nodes
from compose.uses import Use, log_float
from pairs.parts import ExponentialPart, GaussianPart, ball


class JoinedUse(Use):
    """A sample of fixed size when a record is replaced, over a self-dual base.

    Positive losses have the law that they have when a record is removed, negative ones mirror it (the
    pair is self-dual), and what is left of P has loss 0.
    """

    def __init__(self, base, rate, count):
        super().__init__(base, rate, count, "subset")

    def finite_atoms(self, sign):
        found, left = [], 1 - self.infinite(1)
        for loss, top, bottom in super().finite_atoms(1):
            if loss > 0:
                found += [(loss, top, bottom), (-loss, bottom, top)]
                left -= top + bottom
            elif not loss <= 0:
                raise Failed("sign of a loss")
        for part in self.build().parts:
            left -= self.positive_mass(part)
        return found + [(arb(0), left, left)]

    def positive_mass(self, part):
        """W(L > 0) + Q(L > 0)."""
        if isinstance(part, ExponentialPart):
            above = 2 * part.scale * (1 - (-part.high / 2).exp())
            below = 2 * part.scale * ((part.high / 2).exp() - 1)
        elif isinstance(part, GaussianPart) and part.linear:
            # Q = N(0, 1), P = N(μ, 1), both within (low, high): l > 0 from μ/2 on.
            mu = part.shifts[0]
            tail = lambda x: (x / arb(2).sqrt()).erfc() / 2
            ends = [tail(part.high), tail(part.high - mu)] if part.high is not None else [arb(0), arb(0)]
            above = (tail(mu / 2) - ends[0]) / part.norm
            below = (tail(-mu / 2) - ends[1]) / part.norm
        else:
            raise Failed(part)
        gamma = ball(self.gamma)
        return (2 - gamma) * above + gamma * below

    def infinite(self, sign):
        return super().infinite(1)

    def log_envelope(self, c, t):
        atoms = arb(0)
        for loss, top, _ in self.finite_atoms(1):
            atoms += top * (arb(c) * loss).exp()
        found = [log_float(atoms)]
        for part in self.build().parts:
            start = 0.0 if isinstance(part, ExponentialPart) else float(part.shifts[0]) / 2
            for sign in (1, -1):
                found.append(log_variation(self, sign, part, c, start) - math.log(t))
        top = max(found)
        return top + math.log(sum(math.exp(value - top) for value in found))


class JoinedNodes(Nodes):
    """The same for a `JoinedUse`."""

    def add(self, weight, base_loss):
        top = self.rest + self.gamma * base_loss.exp()
        loss = top.log()
        self.losses += [loss, -loss]
        self.weights += [weight * top, weight]

    def panels(self, low, high, span, exact_low, exact_high, point):
        # Only ExponentialPart and truncated Gaussians come here: from loss 0 on.
        middle = (exact_low + exact_high) / 2
        super().panels((low + high) / 2, high, span, middle, exact_high, point)

    def gaussian(self, part):
        if not part.linear:
            raise Failed(part)
        mu = float(part.shifts[0])
        norm = 1 / ((2 * arb.pi()).sqrt() * part.norm)
        point = lambda x: (norm * (-x * x / 2).exp(), part.loss(x))
        if part.low is not None:
            middle = part.shifts[0] / 2
            if not abs(middle - (part.low + part.high) / 2) < 1e-30:
                raise Failed("not in the middle")
            high = part.high
        else:
            high = self.window(lambda x: -x * x / 2, lambda x: mu * (x - mu / 2), mu / 2, 0.02)[1]
            high, middle = arb(high), part.shifts[0] / 2
        span = min(1.0, 1.0 / mu)
        super().panels(float(middle), float(high), span, middle, high, point)

    def variance(self, part):
        raise Failed(part)

    lattice = variance
