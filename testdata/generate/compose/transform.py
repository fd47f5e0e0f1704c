"""M(z) of one mechanism along a contour.

In: a use of a mechanism, and what must be resolved. Out: M as a closed form (`Closed`), or as a sum Σ w·e^{zL} (`Nodes`): over atoms
as they are, over parts of a pair by a trapezoidal rule (geometric convergence) or by Gauss–Legendre panels.
"""

import functools
import math

from flint import acb, acb_mat, arb, ctx

from pairs.parts import ExponentialPart, GaussianPart, LatticePart, VariancePart, ball

#: Nodes for one M after which it is given up.
MOST_NODES = 12_000


class Failed(ArithmeticError):
    """This composition is not for this method."""


@functools.lru_cache(maxsize=None)
def legendre(n, prec):
    ctx.prec, old = prec, ctx.prec
    rule = [arb.legendre_p_root(n, i, weight=True) for i in range(n)]
    ctx.prec = old
    return rule


class Grid:
    """What a sum for M must resolve: Re z in [low, high], |Im z| ≤ tall, to `nats`; `nudge` > 1
    makes it finer than need be (for the second contour)."""

    def __init__(self, low, high, tall, nats, nudge=1.0):
        self.low, self.high, self.tall, self.nats, self.nudge = low, high, tall, nats, nudge


class Nodes:
    """M(z) ≈ Σ w·e^{zL}."""

    def __init__(self, use, sign, grid):
        self.losses, self.weights = [], []
        self.use, self.sign, self.grid = use, sign, grid
        self.gamma, self.rest = ball(use.gamma), ball(1 - use.gamma)
        for loss, top, _ in use.finite_atoms(sign):
            self.losses.append(loss)
            self.weights.append(top)
        for part in use.build().parts:
            if isinstance(part, GaussianPart):
                self.gaussian(part)
            elif isinstance(part, ExponentialPart):
                self.panels(float(part.low), float(part.high), 1.0, part.low, part.high,
                            lambda l, part=part: (part.scale * (-l / 2).exp(), l))
            elif isinstance(part, VariancePart):
                self.variance(part)
            elif isinstance(part, LatticePart):
                self.lattice(part)
            else:
                raise Failed(part)

    def add(self, weight, base_loss):
        """An outcome of Q-mass `weight` and base loss l (one ball)."""
        if self.use.gamma == 1:
            loss, top = base_loss, base_loss.exp()
        else:
            top = self.rest + self.gamma * base_loss.exp()
            loss = top.log()
        if self.sign > 0:
            self.losses.append(loss)
            self.weights.append(weight * top)
        else:
            self.losses.append(-loss)
            self.weights.append(weight)

    def float_log(self, log_q, l):
        """log of the largest of w·e^{Re z·L} over the abscissae, in floats."""
        gamma = float(self.use.gamma)
        if gamma == 1:
            g = l
        elif l > 0:
            g = l + math.log(gamma + (1 - gamma) * math.exp(-min(l, 700.0)))
        else:
            g = math.log1p(gamma * math.expm1(l))
        found = []
        for c in (self.grid.low, self.grid.high):
            found.append(log_q + (g * (1 + c) if self.sign > 0 else -g * c))
        return found

    def window(self, log_q, loss, start, step):
        """Smallest and largest multiple of `step` around `start` that matter, in floats."""
        best = [-math.inf, -math.inf]
        values = {}
        limit = self.grid.nats + 6

        def at(i):
            x = start + i * step
            here = self.float_log(log_q(x), loss(x))
            values[i] = here
            for side in (0, 1):
                best[side] = max(best[side], here[side])
            return here

        at(0)
        for direction in (1, -1):
            i, quiet = 0, 0
            while quiet < 40:
                i += direction
                here = at(i)
                if all(h < b - limit for h, b in zip(here, best)):
                    quiet += 1
                else:
                    quiet = 0
                if abs(i) > 200_000:
                    raise Failed("window")
        kept = [i for i, here in values.items() if any(h >= b - limit for h, b in zip(here, best))]
        return start + min(kept) * step, start + max(kept) * step

    def gaussian(self, part):
        shifts = [float(a) for a in part.shifts]
        weights = [float(w) for w in part.weights]
        largest = max(shifts)

        def loss(x):
            terms = [math.log(w) + a * (x - a / 2) for w, a in zip(weights, shifts)]
            top = max(terms)
            return top + math.log(sum(math.exp(t - top) for t in terms))

        def base(x):
            return part.loss(x) if part.linear else part.ratio(x).log()

        norm = 1 / ((2 * arb.pi()).sqrt() * part.norm)
        grid = self.grid
        if part.low is not None:
            span = min(1.0, 1.0 / largest)
            self.panels(float(part.low), float(part.high), span, part.low, part.high,
                        lambda x: (norm * (-x * x / 2).exp(), base(x)))
            return
        # Trapezoidal rule, error exp(y²/2 + |t|·shift·y − 2πy/η) for y within the strip.
        nats = grid.nats
        if self.use.gamma == 1 and part.linear:
            y = math.sqrt(2 * nats)
        else:
            if self.sign < 0 or not part.linear:
                y = 0.85 * math.pi / largest
                nats += 1.5 * (1 + grid.high)
            else:
                y = 0.98 * math.pi / largest
            y = min(y, math.sqrt(2 * nats))
        eta = 2 * math.pi * y / (nats + y * y / 2 + grid.tall * largest * y) / grid.nudge
        coarse = max(eta, 0.02)
        low, high = self.window(lambda x: -x * x / 2, loss, 0.0, coarse)
        if (high - low) / eta > MOST_NODES:
            raise Failed("too many nodes")
        step = arb(eta)
        scale = norm * step
        for j in range(math.floor(low / eta), math.ceil(high / eta) + 1):
            x = step * j
            self.add(scale * (-x * x / 2).exp(), base(x))

    def variance(self, part):
        slope, log_r = float(part.slope), float(part.r.log())
        grid, nats = self.grid, self.grid.nats
        # base 1 − γ + γe^l with l = slope·y²/2 − log r has its branch points at Im l = π
        if self.use.gamma != 1:
            odds = math.log((1 - float(self.use.gamma)) / float(self.use.gamma)) + log_r
            root = complex(2 * odds / slope, 2 * math.pi / abs(slope)) ** 0.5
            reach = 0.85 * abs(root.imag)
        else:
            reach = math.sqrt(2 * nats)
        reach = min(reach, math.sqrt(2 * nats))
        growth = 0.35 * abs(slope) * (1 + grid.high + grid.tall)
        span = math.sqrt(2 * nats) * 2
        eta = 2 * math.pi * reach / (nats + growth * reach * (span + reach) + reach**2)
        eta /= grid.nudge
        low, high = self.window(lambda y: -y * y / 2, lambda y: slope * y * y / 2 - log_r, 0.0,
                                max(eta, 0.02))
        norm = 1 / (2 * arb.pi()).sqrt() * arb(eta)
        top = math.ceil(max(high, -low) / eta)
        if top > 9000:
            raise Failed("too many nodes")
        for j in range(top + 1):
            y = arb(eta) * j
            self.add((2 if j else 1) * norm * (-y * y / 2).exp(), part.loss(y))

    def lattice(self, part):
        shift, step, sigma = part.shift, float(part.step), float(part.sigma)
        low, high = self.window(lambda x: -x * x / (2 * sigma**2),
                                lambda x: step * (x - shift / 2), 0.0, 1.0)
        for x in range(round(low), round(high) + 1):
            self.add(part.weight(x) / part.total, ball(part.step) * (x - ball(shift) / 2))

    def panels(self, low, high, span, exact_low, exact_high, point):
        """Gauss–Legendre on equal panels of at most `span`."""
        count = max(1, math.ceil((high - low) / span))
        half = (high - low) / count / 2
        n = math.ceil(self.grid.nats / 3.2 + 0.8 * self.grid.tall * half * 1.1 + 12)
        # Multiples of 16: a rule takes longer to make than to use.
        n = 16 * math.ceil(n * self.grid.nudge / 16)
        if n * count > 6000:
            raise Failed("too many nodes")
        width = (exact_high - exact_low) / count
        for i in range(count):
            middle = exact_low + width * i + width / 2
            for node, weight in legendre(n, ctx.prec):
                density, loss = point(middle + node * width / 2)
                self.add(density * weight * width / 2, loss)

    def at(self, z):
        total = acb(0)
        for loss, weight in zip(self.losses, self.weights):
            total += weight * (z * loss).exp()
        return total

    def real(self, c):
        """(M, M', M'') at a real point."""
        m = [arb(0), arb(0), arb(0)]
        for loss, weight in zip(self.losses, self.weights):
            term = weight * (c * loss).exp()
            m[0] += term
            m[1] += term * loss
            m[2] += term * loss * loss
        return m

    def along(self, c, h, a, count):
        """M at z_j = c + ihj + a(hj)², j < count."""
        size = len(self.losses)
        start = [w * (c * loss).exp() for w, loss in zip(self.weights, self.losses)]
        turn = [acb(0, h * loss).exp() for loss in self.losses]
        if a.is_zero():
            block = max(1, math.isqrt(count))
            rows, current = [], [acb(value) for value in start]
            for _ in range(block):
                rows += current
                current = [x * y for x, y in zip(current, turn)]
            left = acb_mat(block, size, rows)
            z = acb(0, h * block)
            turn = [(z * loss).exp() for loss in self.losses]
            rows, current = [], [acb(1)] * size
            blocks = -(-count // block)
            for _ in range(blocks):
                rows += current
                current = [x * y for x, y in zip(current, turn)]
            right = acb_mat(blocks, size, rows).transpose()
            product = left * right
            return [product[j % block, j // block] for j in range(count)]
        bend = [(a * h * h * loss).exp() for loss in self.losses]
        ratio = [x * y for x, y in zip(turn, bend)]
        bend = [y * y for y in bend]
        current, found = [acb(value) for value in start], []
        for _ in range(count):
            found.append(sum(current, acb(0)))
            current = [x * y for x, y in zip(current, ratio)]
            ratio = [x * y for x, y in zip(ratio, bend)]
        return found


class Closed:
    """M in closed form."""

    def __init__(self, value):
        self.at = value

    def along(self, c, h, a, count):
        found = []
        for j in range(count):
            tau = h * j
            found.append(self.at(acb(c + a * tau * tau, tau)))
        return found

    def real(self, c):
        """By differences, only to find saddles: at three times the precision."""
        old = ctx.prec
        ctx.prec = 3 * old
        h = arb(2) ** (-old // 2)
        here, up, down = (self.at(acb(c + d)).real for d in (0, h, -h))
        found = [here, (up - down) / (2 * h), (up + down - 2 * here) / (h * h)]
        ctx.prec = old
        return found


def power(value, count):
    """value^count, also of a ball around zero."""
    if not value.contains(0):
        return value**count
    bound = abs(value).upper() ** count
    return acb(arb(0, bound), arb(0, bound))


def closed_form(use, sign):
    """The closed form of an unsampled mechanism, or `None`."""
    if use.gamma != 1:
        return None
    pair = use.build()
    if len(pair.parts) != 1 or pair.atoms and not isinstance(pair.parts[0], ExponentialPart):
        return None
    part = pair.parts[0]
    if isinstance(part, GaussianPart) and part.linear and part.low is None:
        half = part.shifts[0] ** 2 / 2
        return Closed(lambda z: (z * (z + 1) * half).exp())
    if isinstance(part, VariancePart):
        r, square = part.r, part.r**2 - 1
        if sign > 0:
            return Closed(lambda z: r ** (-z) / (1 - z * square).sqrt())
        # E_Q[e^{−zl}], −l = log r − slope·n²/2
        return Closed(lambda z: r**z / (1 + z * part.slope).sqrt())
    if isinstance(part, ExponentialPart):
        # P-density c·e^{l/2}; Q-density c·e^{−l/2}: with −l it is the same form on [−high, −low]
        low, high = (part.low, part.high) if sign > 0 else (-part.high, -part.low)
        atoms = [(sign * x.loss, x.p if sign > 0 else x.q) for x in pair.atoms]
        scale = part.scale

        def value(z):
            w = z + arb(1) / 2
            total = scale * ((w * high).exp() - (w * low).exp()) / w
            for loss, mass in atoms:
                total += mass * (z * loss).exp()
            return total

        return Closed(value)
    return None


def strip_end(use, sign):
    """a₊, where M stops to exist (or infinity)."""
    end = math.inf
    for part in use.build().parts:
        if isinstance(part, VariancePart):
            slope = float(part.slope)
            if sign > 0 and slope > 0:
                end = min(end, float(1 / (part.r**2 - 1)))
            if sign < 0 and slope < 0 and use.gamma == 1:
                end = min(end, float(1 / -part.slope))
    return end
