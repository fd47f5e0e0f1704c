"""The quantities of one row, from the definition, for a pair and for its sampled versions.

With W = (1 − γ)Q + γP, `remove` is (W, Q) and `add` is (Q, W); γ = 1 is the pair itself.  Its loss
is ±log(1 − γ + γe^l), monotone in the base loss l, so that {L > ε} is {l > t} or {l < t}.
"""

import math
from fractions import Fraction

from flint import acb, arb, ctx

from golden import accurate
from pairs.parts import Infeasible, Integrand, Undecided, ball, exceeds, positive

#: Working precisions, in bits, tried in turn; an inaccurate result asks for what it lacks.
FIRST_PRECISION = 230
LAST_PRECISION = 3000


class Pair:
    """Atoms, parts, P(l = ∞) and Q(l = −∞)."""

    def __init__(self, atoms=(), parts=(), p_infinite=None, q_only=None):
        self.atoms, self.parts = list(atoms), list(parts)
        self.p_infinite = arb(0) if p_infinite is None else p_infinite
        self.q_only = arb(0) if q_only is None else q_only


def proven(function, first=FIRST_PRECISION, last=LAST_PRECISION):
    """`function()`, a tuple of balls, at a precision that makes all of them accurate."""
    precision = first
    while precision <= last:
        ctx.prec = precision
        try:
            values = function()
        except Undecided:
            precision = precision * 3 // 2
            continue
        if all(accurate(value) for value in values):
            return values
        lacking = 64
        for value in values:
            if value.is_finite() and not value.contains(0):
                lacking = max(lacking, 230 - value.rel_accuracy_bits())
        precision += lacking
    raise Infeasible(function)


def threshold(gamma, epsilon, sign):
    """(t, exact t): base losses above t (below, for `add`) have L > ε; t = `None` means −∞."""
    if gamma == 1 or epsilon == 0:
        exact = sign * Fraction(epsilon)
        return ball(exact), exact
    odds = ((sign * ball(epsilon)).expm1() + ball(gamma)) / ball(gamma)
    if not positive(odds):
        return None, None
    return odds.log(), None


def sampled_loss(atom, gamma, sign):
    """(L, exact L) of an atom."""
    if gamma == 1:
        exact = None if atom.exact is None else sign * atom.exact
        return sign * atom.loss, exact
    if atom.exact == 0:
        return arb(0), Fraction(0)
    return sign * (ball(1 - gamma) + ball(gamma) * atom.loss.exp()).log(), None


def divergence(build, gamma, sign, epsilon):
    """(δ, P(L > ε), Q(L > ε), P(L = ∞), Q(L = −∞)) of the sampled pair."""
    pair = build()
    p = q = arb(0)
    for atom in pair.atoms:
        loss, exact = sampled_loss(atom, gamma, sign)
        if exceeds(loss, exact, ball(epsilon), Fraction(epsilon)):
            p, q = p + atom.p, q + atom.q
    target, exact = threshold(gamma, epsilon, sign)
    for part in pair.parts:
        if sign > 0:
            more = part.above(target, exact)
        elif target is None:
            more = arb(0), arb(0)
        else:
            more = part.below(target, exact)
        p, q = p + more[0], q + more[1]
    g, rest = ball(gamma), ball(1 - gamma)
    only = pair.q_only
    if gamma == 1:
        ends = (pair.p_infinite, only) if sign > 0 else (only, pair.p_infinite)
        if sign > 0:
            p += pair.p_infinite
        else:
            q += only
            p, q = q, p
        return p - ball(epsilon).exp() * q, p, q, *ends
    # Where p = 0 < q the loss is ±log(1 − γ).
    if not only.is_zero() and positive(sign * rest.log() - ball(epsilon)):
        q += only
    if sign > 0:
        top, bottom = rest * q + g * (p + pair.p_infinite), q
        ends = (g * pair.p_infinite, arb(0))
    else:
        top, bottom = q, rest * q + g * p
        ends = (arb(0), g * pair.p_infinite)
    return top - ball(epsilon).exp() * bottom, top, bottom, *ends


def finite_atoms(pair, gamma):
    """(l or `None` for −∞, q) of every atom with a finite loss."""
    atoms = [(atom.loss, atom.q) for atom in pair.atoms if not atom.q.is_zero()]
    if gamma != 1 and not pair.q_only.is_zero():
        atoms.append((None, pair.q_only))
    return atoms


def expectation(pair, gamma, integrand, split=None, absolute=False):
    """∫ q·integrand over finite losses, or of its absolute value."""
    total = acb(0)
    for loss, q in finite_atoms(pair, gamma):
        value = integrand.at(loss, None if loss is not None else arb(0), False)
        if absolute:
            value = abs(value.real if isinstance(value, acb) else ball(value))
        total += q * value
    for part in pair.parts:
        total += part.integral(integrand, split if absolute else None)
    return total


def transform(build, gamma, sign, z_re, z_im):
    """(Re M, Im M) at z."""
    pair = build()
    if z_im:
        z = acb(z_re, z_im)
    else:
        z = arb(z_re)
    power = 1 + z if sign > 0 else -z
    value = expectation(pair, gamma, Integrand(gamma, power))
    return (value.real, value.imag) if z_im else (value.real, arb(0))


def moments(build, gamma, sign):
    """(mean, variance, third absolute central moment) of the finite losses under P."""
    pair = build()
    power = arb(1) if sign > 0 else arb(0)
    atoms = finite_atoms(pair, gamma)
    if not atoms and not pair.parts:
        return ()
    if len(atoms) == 1 and not pair.parts:
        only = Integrand(gamma, arb(0), 1, None, sign)
        loss = atoms[0][0]
        return ball(only.at(loss, None if loss is not None else arb(0), False)), arb(0), arb(0)
    mass = expectation(pair, gamma, Integrand(gamma, power)).real
    mean = expectation(pair, gamma, Integrand(gamma, power, 1, None, sign)).real / mass
    if not accurate(mean):
        return (mean,)
    square = expectation(pair, gamma, Integrand(gamma, power, 2, None, sign)).real / mass
    variance = square - mean**2
    if not accurate(variance):
        return (mean, variance)
    split = None
    if pair.parts:
        split = sign * mean
        if gamma != 1:
            odds = (split.expm1() + ball(gamma)) / ball(gamma)
            if not odds > 0:
                raise Undecided(odds)
            split = odds.log()
    integrand = Integrand(gamma, power, 3, mean, sign)
    third = expectation(pair, gamma, integrand, split, absolute=True).real / mass
    return mean, variance, third


def float_loss(loss, gamma, sign):
    """±log(1 − γ + γe^l) in doubles: only to choose an ε."""
    gamma = float(gamma)
    if gamma == 1:
        return sign * loss
    if loss > 30:
        return sign * (loss + math.log(gamma + (1 - gamma) * math.exp(-min(loss, 700))))
    return sign * math.log1p(gamma * math.expm1(loss))
