"""g(ε) = (1/2πi)∫ M(z) e^{−εz} dz/(z(z+1)) by the trapezoidal rule.

The contour is z = c + iτ + aτ², c > 0: a line (a = 0), or a parabola opening to the right where |M|
hardly falls along the line.  M = Π Mᵢ^{kᵢ}; each Mᵢ is a closed form or a sum Σ w·e^{zL}: over atoms
as they are, over parts of a pair by a trapezoidal rule (geometric convergence) or by Gauss–Legendre
panels.

A line has exactly known aliasing, T_h = Σ_m e^{cBm} g(ε + Bm) with B = 2π/h; h is chosen so that
Chernoff bounds make it negligible.  Nothing else is taken on trust either: `Contour.finite` evaluates
two contours with other abscissae, steps, ends, node sets and precisions, which must agree.
"""

import functools
import math

from flint import acb, acb_mat, arb, ctx

from compose.uses import Use, infinite, log_float
from pairs.parts import ExponentialPart, GaussianPart, LatticePart, VariancePart, ball

#: Nats of relative accuracy asked of every step (10⁻⁴⁶).
TARGET = 106.0

#: How well the two contours must agree.
AGREEMENT = arb(10) ** -38

#: Working precision of the two contours, in bits.
PRECISIONS = (330, 400)


#: Pairs of nodes (z, L) after which a contour is given up.
MOST_WORK, MOST_BENT_WORK = 8_000_000, 2_500_000


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


# --- one mechanism -----------------------------------------------------------------------------


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
    if isinstance(use, JoinedUse):
        return use.log_envelope(c, t)
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


# --- a composition -----------------------------------------------------------------------------


class Contour:
    """δ of a composition in one direction."""

    def __init__(self, uses, sign, patience=1):
        self.uses, self.sign, self.patience = uses, sign, patience
        self.most = 2600 * patience
        self.end = min(strip_end(use, sign) for use in uses)
        self.cached = None

    # Rough work: saddles and sizes, at 160 bits.

    def transforms(self, grid):
        found = []
        for use in self.uses:
            closed = closed_form(use, self.sign)
            make = JoinedNodes if isinstance(use, JoinedUse) else Nodes
            nats = grid.nats + math.log(use.count)
            mine = Grid(grid.low, grid.high, grid.tall, nats, grid.nudge)
            found.append(closed if closed else make(use, self.sign, mine))
        return found

    def cumulant(self, c):
        """(K, K', K'') in balls at a real c."""
        ctx.prec = 200
        if not self.cached or not self.cached[0].low <= c <= self.cached[0].high:
            high = 4 * c + 1
            if high >= self.end:
                high = (c + self.end) / 2
            grid = Grid(c / 16, high, 0.0, 60.0)
            self.cached = (grid, self.transforms(grid))
        k = [arb(0), arb(0), arb(0)]
        for use, transform in zip(self.uses, self.cached[1]):
            m = transform.real(arb(c))
            mean = m[1] / m[0]
            k[0] += use.count * m[0].log()
            k[1] += use.count * mean
            k[2] += use.count * (m[2] / m[0] - mean * mean)
        return k

    def guess(self, c):
        """(ε, log δ roughly) for which c is the saddle."""
        k, k1, k2 = self.cumulant(c)
        epsilon = float(k1) - 1 / c - 1 / (c + 1)
        spread = float(k2) + 1 / c**2 + 1 / (c + 1) ** 2
        if not math.isfinite(epsilon) or not spread > 0:
            raise Failed("no saddle")
        size = float(k - arb(epsilon) * arb(c)) - math.log(c * (c + 1))
        return epsilon, size - 0.5 * math.log(2 * math.pi * spread)

    def epsilon_for(self, log_delta):
        """(ε, c) with δ(ε) of about that size; δ falls as c grows."""
        low, high = 1e-4, min(1.0, self.end / 2)
        while self.guess(high)[1] > log_delta:
            low, high = high, (4 * high if 4 * high < self.end else (high + self.end) / 2)
            if high > 1e9 or self.end - high < 1e-6 * self.end:
                raise Failed("no such delta")
        for _ in range(30):
            middle = math.sqrt(low * high)
            if self.guess(middle)[1] > log_delta:
                low = middle
            else:
                high = middle
            if high / low < 1.01:
                break
        return self.guess(high)[0], high

    def saddle(self, epsilon):
        """The c for this ε."""
        low, high = 1e-4, min(1.0, self.end / 2)
        while self.guess(high)[0] < epsilon:
            low, high = high, (4 * high if 4 * high < self.end else (high + self.end) / 2)
            if high > 1e9 or self.end - high < 1e-9 * self.end:
                raise Failed("no saddle")
        for _ in range(60):
            middle = math.sqrt(low * high)
            if self.guess(middle)[0] < epsilon:
                low = middle
            else:
                high = middle
            if high / low < 1.02:
                break
        return high

    def period(self, epsilon, c, log_delta):
        """B such that the aliases e^{cBm} g(ε + Bm), m ≠ 0, are negligible (Chernoff)."""

        def log_bound(order):
            if order <= 0:
                return 0.0
            k = self.cumulant(order)[0]
            kappa = order * math.log(order) - (1 + order) * math.log1p(order)
            return kappa + float(k - arb(order) * arb(epsilon))

        width = 1 / math.sqrt(float(self.cumulant(c)[2]) + 1 / c**2)
        left = min(
            (log_bound(order) - log_delta + TARGET) / (c - order)
            for order in [0.0] + [c * f for f in (0.02, 0.1, 0.25, 0.5, 0.75)]
        )
        rights = [c + width * f for f in (1, 3, 7, 14, 25, 40, 80)] + [2 * c, 4 * c]
        rights = [order for order in rights if order < self.end]
        rights = rights or [(c + self.end) / 2]
        right = min((log_bound(order) - log_delta + TARGET) / (order - c) for order in rights)
        return max(left, right, 1e-12)

    def log_size(self, transforms, epsilon, z):
        """log|M(z) e^{−εz}| and by how many nats |M| is below M(Re z), at most."""
        total, lost = -epsilon * float(z.real), 0.0
        for use, transform in zip(self.uses, transforms):
            value, most = abs(transform.at(z)), abs(transform.at(acb(z.real)))
            total += use.count * log_float(value)
            lost = max(lost, log_float(most) - log_float(value))
        return total, lost

    def bend(self, epsilon, c, log_delta, h, tall):
        """(a, T, lost) of a parabola at whose end, T or later, the integrand is negligible."""
        goal = log_delta - TARGET
        while tall / h < self.most:
            a = 0.55 / tall
            top = c + a * tall * tall
            if top >= self.end:
                break
            nats = 150.0
            for _ in range(6):
                ctx.prec = int(nats / math.log(2)) + 200
                found = self.transforms(Grid(c, top, tall, nats))
                size, lost = self.log_size(found, epsilon, acb(top, tall))
                if lost + 30 < nats:
                    break
                nats = lost * 1.6 + 60
                if nats > 3000:
                    raise Failed("cancellation")
            if size < goal:
                for f in (0.3, 0.5, 0.7, 0.85):
                    z = acb(c + a * (f * tall) ** 2, f * tall)
                    lost = max(lost, self.log_size(found, epsilon, z)[1])
                return a, tall, lost * 1.1
            tall *= 1.4
        raise Failed("no decay")

    def terms(self, epsilon, c, h, a, tall, lost, prec, nudge):
        """The terms of the trapezoidal sum."""
        ctx.prec = prec + int(lost / math.log(2))
        count = math.ceil(tall / h) + 1
        top = c + a * tall * tall
        transforms = self.transforms(Grid(c, top, tall, TARGET + 25 + lost, nudge))
        work = count * sum(len(x.losses) for x in transforms if isinstance(x, Nodes))
        if work > (MOST_BENT_WORK if a else MOST_WORK) * self.patience:
            raise Failed("too much work")
        c, h, a, epsilon = arb(c), arb(h), arb(a), arb(epsilon)
        product = None
        for use, transform in zip(self.uses, transforms):
            values = transform.along(c, h, a, count)
            if use.count > 1:
                values = [power(value, use.count) for value in values]
            product = values if product is None else [x * y for x, y in zip(product, values)]
        found, turn = [], acb(0, -epsilon * h).exp()
        phase = acb((-epsilon * c).exp())
        for j, value in enumerate(product):
            tau = h * j
            if a.is_zero():
                z = acb(c, tau)
                term = value * phase / (z * (z + 1))
                phase = phase * turn
            else:
                z = acb(c + a * tau * tau, tau)
                term = value * (-epsilon * z).exp() / (z * (z + 1)) * acb(1, -2 * a * tau)
            found.append(term * h / arb.pi())
        return found

    def ended(self, found, log_delta):
        """Whether the last third of the terms is negligible, all of it."""
        last = max(log_float(abs(term).upper()) for term in found[-(len(found) // 3 + 1) :])
        return last + math.log(len(found)) < log_delta - TARGET + 8

    def revival(self, epsilon, c, tall, width, log_delta):
        """The last t in (T, 8T] (or less far) where |M| is not negligible; peaks are as wide as the
        first, 1/√K''."""
        ctx.prec = 200
        nats = 40 + (TARGET - log_delta) / min(use.count for use in self.uses)
        nats = min(nats, TARGET + 20)
        for reach in (8.0, 4.0, 2.0) if self.smooth() else (100.0, 30.0, 8.0, 4.0, 2.0):
            step = 0.8 * width
            count = math.ceil(reach * tall / step)
            try:
                found = self.transforms(Grid(c, c, reach * tall, nats))
            except Failed:
                continue
            size = sum(len(x.losses) if isinstance(x, Nodes) else 50 for x in found)
            if count * size > MOST_WORK / 2:
                continue
            sizes = [-epsilon * c] * count
            for use, transform in zip(self.uses, found):
                values = transform.along(arb(c), arb(step), arb(0), count)
                for j, value in enumerate(values):
                    sizes[j] += use.count * log_float(abs(value))
            for j in range(count - 1, math.ceil(tall / step), -1):
                if sizes[j] - 2 * math.log(max(j * step, 1e-300)) > log_delta - TARGET + 8:
                    return j * step
            self.settle(epsilon, c, reach * tall, log_delta)
            return None
        self.settle(epsilon, c, tall, log_delta)
        return None

    def settle(self, epsilon, c, t, log_delta):
        """Beyond t: a bound, needed wherever atoms or edges might bring |M| back."""
        ctx.prec = 200
        self.cumulant(c)
        tops, slopes = [], []
        for transform in self.cached[1]:
            m = transform.real(arb(c))
            tops.append(log_float(m[0]))
            # |d/dτ e^{−iτ·mean}M(c + iτ)| ≤ E_c|L − mean|, in units of M(c)
            slopes.append(math.sqrt(max(0.0, float(m[2] / m[0] - (m[1] / m[0]) ** 2))))
        # ∫_t^∞ dτ/τ² = 1/t
        goal = log_delta - TARGET + 8 + epsilon * c + math.log(math.pi)
        far = t
        while far < t * 2**16:
            total = -math.log(far)
            for use, top in zip(self.uses, tops):
                total += use.count * min(top, log_envelope(use, self.sign, c, far))
            if total < goal:
                break
            far *= 2
        else:
            if self.smooth():
                return
            raise Failed("no bound")
        if far == t or self.smooth():
            return
        # Between t and far: values on a grid, and slopes.
        found = self.transforms(Grid(c, c, far, 60.0))
        size = sum(len(x.losses) if isinstance(x, Nodes) else 50 for x in found)
        count = min(8000, int(MOST_WORK / 2 / size))
        step = far / (count - 1)
        logs = [0.0] * count
        for use, transform, top, slope in zip(self.uses, found, tops, slopes):
            values = transform.along(arb(c), arb(step), arb(0), count)
            scale = arb(top).exp()
            for j, value in enumerate(values):
                bound = float(abs(value) / scale) + slope * step / 2
                logs[j] += use.count * (top + min(0.0, math.log(bound)))
        worst = max(logs[math.floor(t / step) :])
        if not worst - math.log(t) < goal:
            raise Failed("no bound")

    def smooth(self):
        """Whether no loss has atoms, nor edges, nor lives on a lattice, along which |M| comes back."""
        for use in self.uses:
            pair = use.build()
            if any(isinstance(part, LatticePart) for part in pair.parts):
                return False
            if isinstance(use, JoinedUse) or pair.atoms or not pair.q_only.is_zero() and use.gamma != 1:
                return False
            if any(getattr(part, "low", None) is not None for part in pair.parts):
                return False
        return True

    def at_height(self, c):
        self.cumulant(c)
        return self.cached[1]

    def sum(self, found):
        total = found[0].real / 2
        for term in found[1:]:
            total += term.real
        return total

    def finite(self, epsilon, c=None):
        """g(ε), twice; raises `Failed` unless both agree."""
        if c is None:
            c = self.saddle(epsilon)
        if not 1e-6 < c:
            raise Failed("no saddle")
        log_delta = self.guess(c)[1]
        h = 2 * math.pi / self.period(epsilon, c, log_delta)
        width = 1 / math.sqrt(float(self.cumulant(c)[2]) + 1e-30)
        tall, a, lost = 20 * width, 0.0, 0.0
        while tall / h < self.most:
            found = self.terms(epsilon, c, h, 0.0, tall, 0.0, PRECISIONS[0], 1.0)
            if self.ended(found, log_delta):
                later = self.revival(epsilon, c, tall, width, log_delta)
                if later is None:
                    break
                tall = max(tall * 1.7, later * 1.2)
                continue
            tall *= 1.7
        else:
            if not self.smooth():
                raise Failed("no decay")
            h *= 0.9
            tall = 6 * width
            for _ in range(4):
                a, tall, lost = self.bend(epsilon, c, log_delta, h, tall)
                found = self.terms(epsilon, c, h, a, tall, lost, PRECISIONS[0], 1.0)
                if self.ended(found, log_delta):
                    break
                tall *= 1.5
            else:
                raise Failed("not ended")
        first = self.sum(found)
        if not first > 0:
            raise Failed("not positive")
        other = c - min(0.17 * c, 0.7 * width)
        if a:
            other_h = h * 0.79
        else:
            other_h = 0.93 * 2 * math.pi / self.period(epsilon, other, log_delta)
        found = self.terms(
            epsilon, other, other_h, a * 0.9, tall * 1.21, lost * 1.35, PRECISIONS[1], 1.17
        )
        second = self.sum(found)
        ctx.prec = 400
        gap = abs((first.mid() - second.mid()) / second.mid())
        wide = max(abs(x.rad() / x.mid()) for x in (first, second))
        if not gap < AGREEMENT or not wide < AGREEMENT:
            raise Failed(f"gap {float(gap):.1e}, radius {float(wide):.1e}")
        self.gap, self.shape = float(gap), (a, tall / h, lost)
        return second.mid()

    def delta(self, epsilon, c=None):
        value = self.finite(epsilon, c)
        ctx.prec = 400
        return value + infinite(self.uses, self.sign)
