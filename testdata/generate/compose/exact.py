"""Compositions that a contour does not suit, by finite sums in balls and by nested integrals.

Where a loss is compared with ε, the nearer side is taken if the balls cannot tell: δ is continuous,
so that (within the ball) it does not matter.
"""

import math
from fractions import Fraction

from flint import acb, arb, arb_poly, ctx, fmpz

from closed_form import falling_sum
from compose.contour import AGREEMENT, TARGET, Contour
from compose.transform import Failed, Grid, Nodes, legendre, power
from compose.uses import infinite
from golden import accurate, proven
from pairs.parts import ExponentialPart, GaussianPart, LatticePart, ball


def binomial(n, k):
    return arb(fmpz(math.comb(n, k)))


# --- atoms and densities c·e^{l/2} between the outermost ones ------------------------------------


def ends(use, sign):
    """(h, l, α, β, c): M(z) = [e^{wh}(αw + c) + e^{wl}(βw − c)]/w, w = z + ½; or `None`."""
    if use.gamma != 1:
        return None
    pair = use.build()
    if len(pair.parts) != 1 or not isinstance(pair.parts[0], ExponentialPart):
        return None
    part = pair.parts[0]
    low, high = (part.low, part.high) if sign > 0 else (-part.high, -part.low)
    mass = {1: arb(0), -1: arb(0)}
    for atom in pair.atoms:
        loss = sign * atom.loss
        side = 1 if loss.mid() > 0 else -1
        if not abs(loss - (high if side > 0 else low)) < arb(2) ** (-ctx.prec // 2):
            return None
        mass[side] += (atom.p if sign > 0 else atom.q) * (-loss / 2).exp()
    return high, low, mass[1], mass[-1], part.scale


def residues(uses, sign, epsilon):
    """δ by closing the contour: M^k is Σ e^{ws}N(w)/w^K over finitely many s, so that
    e^{ws}N(w)/(w^K(w² − ¼)) has poles at 0 and ±½ only, and contributes nothing for s < 0."""

    def value():
        e = arb(epsilon)
        terms, order = [(arb(0), arb(1), arb_poly([1]))], 0
        for use in uses:
            found = ends(use, sign)
            if found is None:
                atoms = use.finite_atoms(sign)
                here = [
                    (loss, p * (-loss / 2).exp(), arb_poly([1]))
                    for loss, p, _ in spread(atoms, use.count)
                ]
            else:
                high, low, alpha, beta, c = found
                count = use.count
                up, down = [arb_poly([1])], [arb_poly([1])]
                for _ in range(count):
                    up.append(up[-1] * arb_poly([c, alpha]))
                    down.append(down[-1] * arb_poly([-c, beta]))
                here = [
                    (high * j + low * (count - j), binomial(count, j), (up[j], down[count - j]))
                    for j in range(count + 1)
                ]
                order += count
            terms = [(s + t, m * n, (a, b)) for s, m, a in terms for t, n, b in here]
        series = [arb(-4) * arb(4) ** (i // 2) if i % 2 == 0 else arb(0) for i in range(order)]
        series = arb_poly(series)
        half = arb(1) / 2
        inverse = [arb(1)]
        for i in range(1, order + 1):
            inverse.append(inverse[-1] / i)
        total = arb(0)
        for s, weight, nested in terms:
            s = s - e
            if not s.mid() > 0:
                continue
            numerator = multiplied(nested)
            here = (s / 2).exp() * numerator(half) * arb(2) ** order
            here -= (-s / 2).exp() * numerator(-half) * arb(-2) ** order
            if order:
                whole = (numerator * series).coeffs()
                power = arb(1)
                for i in range(order - 1, -1, -1):
                    if i < len(whole):
                        here += whole[i] * power * inverse[order - 1 - i]
                    power = power * s
            total += weight * here
        return total * (e / 2).exp() + infinite(uses, sign)

    return proven(value, precision=400)


def multiplied(nested):
    if isinstance(nested, tuple):
        result = arb_poly([1])
        for part in nested:
            result = result * multiplied(part)
        return result
    return nested


# --- atoms only ----------------------------------------------------------------------------------


def spread(atoms, count):
    """[(L, P, Q)] of every outcome of `count` uses of a few atoms, up to order."""
    found = [(arb(0), arb(1), arb(1), count)]
    for index, (loss, p, q) in enumerate(atoms):
        last = index == len(atoms) - 1
        powers = [(arb(0), arb(1), arb(1))]
        for i in range(count):
            x, y, z = powers[-1]
            powers.append((x + loss, y * p, z * q))
        following = []
        for x, y, z, left in found:
            for i in range(left, left + 1) if last else range(left + 1):
                dx, dy, dz = powers[i]
                ways = binomial(left, i)
                following.append((x + dx, y * dy * ways, z * dz * ways, left - i))
        found = following
    return [(x, y, z) for x, y, z, _ in found]


def outcomes(size, count):
    return math.comb(count + size - 1, size - 1)


def all_atoms(use, sign):
    """Atoms, and the points of a lattice (all but e⁻⁹⁰⁰ of its mass)."""
    if not use.build().parts:
        return use.finite_atoms(sign)
    nodes = Nodes(use, sign, Grid(0.0, 0.0, 0.0, 900.0))
    return [(loss, p, p * (-loss).exp()) for loss, p in zip(nodes.losses, nodes.weights)]


def halves(uses, sign, epsilon):
    """δ = Σ (p − e^ε q) over all outcomes with L > ε: the outcomes of one half of the uses, sorted,
    against those of the other, with running sums."""

    def value():
        e = arb(epsilon)
        left, right = [(arb(0), arb(1), arb(1))], [(arb(0), arb(1), arb(1))]
        for use in uses:
            atoms = all_atoms(use, sign)
            for half in (use.count // 2, use.count - use.count // 2):
                more = spread(atoms, half) if half else [(arb(0), arb(1), arb(1))]
                if len(left) <= len(right):
                    left = [(a + x, b * y, c * z) for a, b, c in left for x, y, z in more]
                else:
                    right = [(a + x, b * y, c * z) for a, b, c in right for x, y, z in more]
        scale = arb(2) ** (ctx.prec - 40)

        def key(entry):
            return int((entry[0] * scale).mid().floor().unique_fmpz())

        left = sorted(((key(entry), entry) for entry in left), key=lambda pair: pair[0])
        right = sorted(((key(entry), entry) for entry in right), key=lambda pair: -pair[0])
        goal = int((e * scale).mid().floor().unique_fmpz())
        p = q = p_sum = q_sum = arb(0)
        taken = 0
        for mine, (_, x, y) in left:
            while taken < len(right) and right[taken][0] > goal - mine:
                p_sum += right[taken][1][1]
                q_sum += right[taken][1][2]
                taken += 1
            p += x * p_sum
            q += y * q_sum
        if p.is_zero() and q.is_zero():
            return infinite(uses, sign)
        return p - e.exp() * q + infinite(uses, sign)

    return proven(value, precision=400)


def two_atoms(use, sign, epsilon):
    """δ of many uses of two atoms: binomial tails, summed upward."""
    count = use.count

    def tail(start, p, q):
        log_choose = (
            arb(count + 1).lgamma() - arb(start + 1).lgamma() - arb(count - start + 1).lgamma()
        )
        first = (log_choose + start * p.log() + (count - start) * q.log()).exp()
        odds = p / q
        return falling_sum(first, (odds * (count - i) / (i + 1) for i in range(start, count)))

    def value():
        e = arb(epsilon)
        atoms = sorted(use.finite_atoms(sign), key=lambda atom: -float(atom[0]))
        (a, pa, qa), (b, pb, qb) = atoms
        start = int(((e - count * b) / (a - b)).mid().floor().unique_fmpz()) + 1
        start = max(start, 0)
        if start > count:
            return infinite([use], sign)
        finite = tail(start, pa, pb) - e.exp() * tail(start, qa, qb)
        return finite + infinite([use], sign)

    return proven(value, precision=400)


# --- lattices ------------------------------------------------------------------------------------


def lattice(use):
    """(Δ, offset): every loss of one use is Δn + offset, n an integer; or `None`."""
    if use.gamma != 1:
        return None
    pair = use.build()
    if len(pair.parts) == 1 and isinstance(pair.parts[0], LatticePart) and not pair.atoms:
        part = pair.parts[0]
        return part.step, -part.step * part.shift / 2
    if pair.parts or any(atom.exact is None for atom in pair.atoms):
        return None
    losses = sorted({atom.exact for atom in pair.atoms})
    if len(losses) < 2:
        return None
    step = losses[1] - losses[0]
    for a, b in zip(losses, losses[1:]):
        while (b - a) % step:
            step = (b - a) % step
    return step, losses[0]


def lattice_sum(contour, epsilon, c, log_delta, factor, prec, nudge):
    """Σ_{n ≥ n₀} P(n)(1 − e^{ε−L}) from the values of Σ P(n)xⁿ on the circle |x| = e^{cΔ}.

    Its N-point rule is exact up to the same aliases as a line's, with B = NΔ.
    """
    (use,) = contour.uses
    step, offset = lattice(use)
    offset = offset * use.count
    if contour.sign < 0:  # the losses are −l
        offset = -offset
    period = contour.period(epsilon, c, log_delta) * factor
    points = max(math.ceil(period / float(step)), 8)
    if points > 300_000:
        raise Failed("too many points")
    first = math.floor((Fraction(epsilon) - offset) / step) + 1
    ctx.prec = prec
    delta = ball(step)
    tall = math.pi / float(step)
    nodes = Nodes(use, contour.sign, Grid(c, c, tall, TARGET + 25 + math.log(use.count), nudge))
    h = 2 * arb.pi() / (points * delta)
    count = points // 2 + 1
    size = len(nodes.losses)
    if size * count > 6_000_000:
        raise Failed("too much work")
    # n = (L − offset)/Δ, so that x^{−n₀}·xⁿ = e^{z(L − L₀)} with L₀ = Δn₀ + offset
    start = ball(first * step + offset)
    shrink, drop = (-delta).exp(), (arb(epsilon) - start).exp()
    total = arb(0)
    middle = ball(Fraction(start_each(first, step, offset, use.count)))
    nodes.losses = [loss - middle for loss in nodes.losses]
    values = nodes.along(arb(c), h, arb(0), count)
    for j, value in enumerate(values):
        z = acb(arb(c), h * j)
        inverse = (-delta * z).exp()
        kernel = 1 / (1 - inverse) - drop / (1 - shrink * inverse)
        term = (power(value, use.count) * kernel).real
        once = j == 0 or 2 * j == points
        total += term if once else 2 * term
    return total / points


def start_each(first, step, offset, count):
    return (first * step + offset) / count


def lattice_delta(use, sign, epsilon):
    """δ on two circles."""
    contour = Contour([use], sign)
    step, offset = lattice(use)
    c = contour.saddle(epsilon)
    log_delta = contour.guess(c)[1]
    first = lattice_sum(contour, epsilon, c, log_delta, 1.0, 330, 1.0)
    width = 1 / math.sqrt(float(contour.cumulant(c)[2]) + 1e-30)
    other = c - min(0.17 * c, 0.7 * width)
    second = lattice_sum(contour, epsilon, other, log_delta, 1.09, 400, 1.1)
    ctx.prec = 400
    gap = abs((first.mid() - second.mid()) / second.mid())
    wide = max(abs(x.rad() / x.mid()) for x in (first, second))
    if not gap < AGREEMENT or not wide < AGREEMENT:
        raise Failed(f"gap {float(gap):.1e}, radius {float(wide):.1e}")
    return second.mid() + infinite([use], sign)


# --- closed forms --------------------------------------------------------------------------------


def variance_delta(use, sign, epsilon):
    """Unsampled `gaussian_variance`: the losses are those of one χ² with `count` degrees."""
    count = use.count

    def value():
        e = arb(epsilon)
        r = use.build().parts[0].r
        half = arb(count) / 2
        # l = −count·log r + (1 − r⁻²)y²/2, y² ~ χ² under Q and r²χ² under P
        target = e if sign > 0 else -e
        square = (target + count * r.log()) / (1 - 1 / r**2)  # y²/2 where l = target
        upper = (r > 1) == (sign > 0)
        if not square > 0:
            p, q = (arb(1), arb(1)) if upper else (arb(0), arb(0))
        elif upper:
            p = (square / r**2).gamma_upper(half, regularized=1)
            q = square.gamma_upper(half, regularized=1)
        else:
            p = (square / r**2).gamma_lower(half, regularized=1)
            q = square.gamma_lower(half, regularized=1)
        return p - e.exp() * q if sign > 0 else q - e.exp() * p

    for ctx.prec in (400, 800, 1600):
        found = value()
        if accurate(found):
            return found
    raise Failed("too inaccurate")


# --- two or three uses of anything: nested integrals ---------------------------------------------


class Nested:
    """δ_k(ε) = P(L = ∞) + E[δ_{k−1}(ε − L); L < ∞], the integral cut where δ_{k−1} is not smooth."""

    def __init__(self, use, sign, count, panels):
        self.use, self.sign, self.n, self.span = use, sign, count, panels
        self.pair = use.build()
        self.gamma, self.rest = ball(use.gamma), ball(1 - use.gamma)
        self.atoms = use.finite_atoms(sign)
        self.lost = use.infinite(sign)
        if len(self.pair.parts) != 1:
            raise Failed("parts")
        self.part = self.pair.parts[0]
        if not isinstance(self.part, (ExponentialPart, GaussianPart)) or self.part.low is None:
            raise Failed("part")
        corners = [loss for loss, _, _ in self.atoms]
        for end in (self.part.low, self.part.high):
            corners.append(self.loss(self.base(end)))
        self.corners = [[arb(0)]]
        for _ in range(2):
            sums = []
            for a in self.corners[-1]:
                for b in corners:
                    if not any(abs(a + b - c) < arb(2) ** -150 for c in sums):
                        sums.append(a + b)
            self.corners.append(sums)

    def base(self, x):
        return self.part.loss(x) if isinstance(self.part, GaussianPart) else x

    def density(self, x):
        """Under Q."""
        if isinstance(self.part, GaussianPart):
            return (-x * x / 2).exp() / ((2 * arb.pi()).sqrt() * self.part.norm)
        return self.part.scale * (-x / 2).exp()

    def loss(self, base):
        if self.use.gamma == 1:
            return self.sign * base
        return self.sign * (self.rest + self.gamma * base.exp()).log()

    def inverse(self, loss):
        """x where the loss is that, or `None`."""
        if self.use.gamma == 1:
            base = self.sign * loss
        else:
            odds = ((self.sign * loss).expm1() + self.gamma) / self.gamma
            if not odds > 0:
                return None
            base = odds.log()
        return self.part.solve(base) if isinstance(self.part, GaussianPart) else base

    def single(self, e):
        """δ of one use."""
        p = q = arb(0)
        for loss, top, bottom in self.atoms:
            if (loss - e).mid() > 0:
                p, q = p + top, q + bottom
        x = self.inverse(e)
        low, high = self.part.low, self.part.high
        if x is None:  # for sign > 0 every loss is above, for sign < 0 none is
            edge = low
        else:
            edge = low if x.mid() < low.mid() else high if x.mid() > high.mid() else x
        if self.sign > 0:
            a, b = edge, high
        else:
            a, b = low, edge
        if (b - a).mid() > 0:
            top, bottom = self.part.masses(a, b)
            if self.use.gamma != 1:
                top = self.rest * bottom + self.gamma * top
            if self.sign < 0:
                top, bottom = bottom, top
            p, q = p + top, q + bottom
        return self.lost + p - e.exp() * q

    def delta(self, count, e):
        if count == 1:
            return self.single(e)
        total = self.lost
        for loss, top, _ in self.atoms:
            total += top * self.delta(count - 1, e - loss)
        low, high = self.part.low, self.part.high
        cuts = [low]
        inner = []
        for corner in self.corners[count - 1]:
            x = self.inverse(e - corner)
            if x is not None and x.mid() > low.mid() and x.mid() < high.mid():
                inner.append(x)
        inner.sort(key=lambda x: float(x))
        cuts += inner + [high]
        for a, b in zip(cuts, cuts[1:]):
            pieces = max(1, math.ceil(float(b - a) / self.span))
            width = (b - a) / pieces
            for i in range(pieces):
                middle = a + width * i + width / 2
                for node, weight in legendre(self.n, ctx.prec):
                    x = (middle + node * width / 2).mid()
                    base = self.base(x)
                    q = self.density(x)
                    top = q
                    if self.sign > 0:
                        top = q * (self.rest + self.gamma * base.exp())
                    value = self.delta(count - 1, (e - self.loss(base)).mid())
                    total += weight * width / 2 * top * value
        return total


def nested_delta(use, sign, epsilon, fine=1.0):
    """Two or three uses, with two rules that must agree."""
    found = []
    for prec, count, span in ((330, round(44 * fine), 1.0), (380, round(53 * fine), 0.83)):
        ctx.prec = prec
        found.append(Nested(use, sign, count, span).delta(use.count, arb(epsilon)))
    ctx.prec = 400
    first, second = found
    if not second.mid() > 0:
        raise Failed("not positive")
    gap = abs((first.mid() - second.mid()) / second.mid())
    wide = abs(second.rad() / second.mid())
    if not gap < AGREEMENT or not wide < arb(10) ** -30:
        raise Failed(f"gap {float(gap):.1e}, radius {float(wide):.1e}")
    return second.mid()
