"""g(ε) = (1/2πi)∫ M(z) e^{−εz} dz/(z(z+1)) by the trapezoidal rule.

The contour is z = c + iτ + aτ², c > 0: a line (a = 0), or a parabola opening to the right where |M|
hardly falls along the line.  M = Π Mᵢ^{kᵢ}; `transform` has each Mᵢ, `envelope` what lies beyond the line.

A line has exactly known aliasing, T_h = Σ_m e^{cBm} g(ε + Bm) with B = 2π/h; h is chosen so that
Chernoff bounds make it negligible.  Nothing else is taken on trust either: `Contour.finite` evaluates
two contours with other abscissae, steps, ends, node sets and precisions, which must agree.
"""

import math

from flint import acb, arb, ctx

from compose.envelope import log_envelope
from compose.joined import JoinedNodes, JoinedUse
from compose.transform import Failed, Grid, Nodes, closed_form, power, strip_end
from compose.uses import infinite, log_float
from pairs.parts import LatticePart

#: Nats of relative accuracy asked of every step (10⁻⁴⁶).
TARGET = 106.0

#: How well the two contours must agree.
AGREEMENT = arb(10) ** -38

#: Working precision of the two contours, in bits.
PRECISIONS = (330, 400)

#: Pairs of nodes (z, L) after which a contour is given up.
MOST_WORK, MOST_BENT_WORK = 8_000_000, 2_500_000


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
