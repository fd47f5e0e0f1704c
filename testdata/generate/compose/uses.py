"""A composition: mechanisms, each sampled at some rate and used some number of times."""

import math
from fractions import Fraction

from flint import arb

from pairs.evaluate import sampled_loss
from pairs.parts import ball


class Use:
    """`count` uses of a base mechanism (see `pairs.laws`), sampled at rate γ."""

    def __init__(self, base, rate=1.0, count=1, word="poisson"):
        self.base, self.build, _ = base
        self.rate, self.count, self.word = rate, count, word
        self.gamma = Fraction(rate)

    def text(self):
        shown = self.base
        if self.gamma != 1:
            shown = f"{self.word}({shown}, rate={self.rate!r})"
        return shown if self.count == 1 else f"{shown} * {self.count}"

    def finite_atoms(self, sign):
        """[(L, mass under the first of the pair, under the second)] of finite L."""
        pair, g, rest = self.build(), ball(self.gamma), ball(1 - self.gamma)
        found = []
        for atom in pair.atoms:
            if atom.q.is_zero():
                continue
            loss, _ = sampled_loss(atom, self.gamma, sign)
            mixed = atom.p if self.gamma == 1 else rest * atom.q + g * atom.p
            found.append((loss, mixed, atom.q) if sign > 0 else (loss, atom.q, mixed))
        if self.gamma != 1 and not pair.q_only.is_zero():
            loss, q = sign * rest.log(), pair.q_only
            found.append((loss, rest * q, q) if sign > 0 else (loss, q, rest * q))
        return found

    def infinite(self, sign):
        """P(L = ∞)."""
        pair = self.build()
        if sign > 0:
            return ball(self.gamma) * pair.p_infinite
        return pair.q_only if self.gamma == 1 else arb(0)


def expression(uses):
    return " + ".join(use.text() for use in uses)


def infinite(uses, sign):
    """P(L = ∞) of the composition, without cancellation."""
    log_finite = arb(0)
    for use in uses:
        chance = use.infinite(sign)
        if (1 - chance).is_zero() or chance == 1:
            return arb(1)
        log_finite += use.count * (-chance).log1p()
    return -log_finite.expm1()


def log_float(value):
    """The natural logarithm of a positive ball, as a float, whatever its exponent."""
    mid = value.mid()
    if not mid > 0:
        return -math.inf
    return float(mid.log())
