"""Golden values of δ(ε) of few uses of a sampled Gaussian mechanism: testdata/composition/few_uses.csv.

The outcomes are integrated in their order, from the smallest on. For j uses with outcomes above a, of which
the product of the ratios r = dP/dQ is to exceed T > r(a)^j, in any one order,

    I_j(T, a) = (P̄(t)^j − T Q̄(t)^j)/j! + ∫_a^t I_{j−1}(T/r(x), x) dP(x),    r(t)^j = T,

for what has all outcomes above t always exceeds T; P̄ and Q̄ are tails, I_1 = P̄(t) − T Q̄(t), and
δ_k(ε) = k! I_k(e^ε, −∞). In this order nothing has a kink: by Gauss and Legendre's rule on panels, twice,
with different panels and nodes, until both agree. No transform, no lattice, nothing cut smoothly.

Run without arguments; takes about ten minutes. ε is a short decimal where δ is about what was drawn, found by
a search in plain floats.
"""

import math

from flint import arb, ctx

from golden import TESTDATA, log_uniform, rng_for

PRECISION = 192
DIGITS = 28
#: Rows for a count of uses: how many, the range of the noise (with little of it there are more panels) and that of −log₁₀ δ.
#: In the last group a loss of ε is as likely to come from one use as from both, and any way to share it is.
ROWS = {
    "few_uses": [(2, 100, (0.3, 100.0), (2.0, 100.0)), (3, 45, (0.6, 100.0), (2.0, 100.0))],
    "one_or_both": [(2, 30, (10.0, 14.0), (85.0, 100.0))],
}
#: Nodes of a panel, and its length in units of the smaller of σ and σ²; and another rule to compare with.
RULES = [(26, 1.5), (34, 1.9)]
#: Panels with less of the integral than this, as a logarithm, are left out.
LOG_LEAST = -66.0


class Remove:
    """k uses of P = (1 − q)N(0, σ²) + qN(1, σ²) against Q = N(0, σ²)."""

    def __init__(self, sigma, rate, count):
        self.sigma, self.rate, self.count = sigma, rate, count

    def delta(self, epsilon, log_target):
        """About e^{log_target}: outcomes that are rarer by far are left out."""
        self.reach = math.sqrt(-2 * (log_target + LOG_LEAST)) + 1
        self.s, self.q = arb(self.sigma), arb(self.rate)
        first, second = (self.with_rule(arb(epsilon).exp(), *rule) for rule in RULES)
        if not abs(second - first) <= abs(first) * arb(10) ** -DIGITS:
            raise ArithmeticError(f"{first} and {second}")
        return second

    def with_rule(self, threshold, nodes, length):
        self.nodes = [arb.legendre_p_root(nodes, i, weight=True) for i in range(nodes)]
        self.length = length * min(self.sigma, self.sigma**2)
        value = self.ordered(self.count, threshold, arb(-self.reach * self.sigma))
        return math.factorial(self.count) * value

    def ratio(self, x):
        return 1 - self.q + self.q * ((2 * x - 1) / (2 * self.s**2)).exp()

    def density(self, x):
        """Of P."""
        normal = (-(x**2) / (2 * self.s**2)).exp() / (self.s * (2 * arb.pi()).sqrt())
        return normal * self.ratio(x)

    def tails(self, threshold):
        """Where the ratio is `threshold`, and P̄ and Q̄ there."""
        at = arb(1) / 2 + self.s**2 * ((threshold - 1 + self.q) / self.q).log()
        root = self.s * arb(2).sqrt()
        without = (at / root).erfc() / 2
        return at, (1 - self.q) * without + self.q * ((at - 1) / root).erfc() / 2, without

    def ordered(self, count, threshold, low):
        """I_j(T, a)."""
        root = threshold.root(count) if count > 1 else threshold
        at, p, q = self.tails(root)
        # A^j − B^j = (A − B)ΣA^i B^{j−1−i}.
        powers = sum((p**i * (root * q) ** (count - 1 - i) for i in range(count)), arb(0))
        corner = (p - root * q) * powers / math.factorial(count)
        if count == 1 or not low < at:
            return corner
        return corner + self.integral(
            lambda x: self.density(x) * self.ordered(count - 1, threshold / self.ratio(x), x), low, at
        )

    def integral(self, function, low, high):
        """Over panels, but for those at whose ends and middle there is nothing."""
        count = math.ceil(float((high - low) / self.length))
        half = (high - low) / (2 * count)
        scan = [float(abs(function((low + half * i).mid())).log()) for i in range(2 * count + 1)]
        least = max(scan) + LOG_LEAST
        total = arb(0)
        for panel in range(count):
            if max(scan[2 * panel : 2 * panel + 3]) > least:
                middle = low + half * (2 * panel + 1)
                total += sum((weight * function(middle + half * node) for node, weight in self.nodes), arb(0))
        return total * half

    def rough(self, log_target):
        """A function of ε that is about δ, in plain floats."""
        step = min(self.sigma / 1.6, self.sigma**2)
        reach = math.sqrt(-2 * log_target + 30) + 1
        nodes = []
        low, high = -reach * self.sigma, 1 + reach * self.sigma
        for i in range(math.floor(low / step), math.ceil(high / step) + 1):
            x = i * step
            ratio = 1 + self.rate * math.expm1((2 * x - 1) / (2 * self.sigma**2))
            log_normal = -math.log(self.sigma * math.sqrt(2 * math.pi)) - x * x / (2 * self.sigma**2)
            log_mass = math.log(step * ratio) + log_normal
            nodes.append((math.log(ratio), log_mass))
        states = [(0.0, 0.0)]
        for _ in range(self.count - 1):
            states = [
                (loss + l, mass + m) for loss, mass in states for l, m in nodes if mass + m > log_target - 12
            ]
            # Those of almost the same sum of losses are one.
            unit, merged = 1e-3 * max(s[0] for s in states), {}
            for loss, mass in states:
                key = round(loss / unit)
                merged[key] = merged.get(key, 0.0) + math.exp(mass)
            states = [(key * unit, math.log(mass)) for key, mass in merged.items() if mass > 0]

        def delta(epsilon):
            return sum(math.exp(mass) * self.rough_single(epsilon - loss) for loss, mass in states)

        return delta

    def rough_single(self, epsilon):
        threshold = math.exp(min(epsilon, 600.0))
        if threshold <= 1 - self.rate:
            return 1 - threshold
        at = 0.5 + self.sigma**2 * math.log((math.expm1(min(epsilon, 600.0)) + self.rate) / self.rate)

        def tail(x):
            return math.erfc(x / (self.sigma * math.sqrt(2))) / 2

        return max(self.rate * tail(at - 1) - (threshold - 1 + self.rate) * tail(at), 0.0)


def epsilon_near(mechanism, log_target):
    """A short decimal at which δ is roughly e^{log_target}."""
    delta = mechanism.rough(log_target)
    low, high = math.log(1e-9), math.log(300.0)
    for _ in range(40):
        middle = (low + high) / 2
        value = delta(math.exp(middle))
        if value > 0 and math.log(value) > log_target:
            low = middle
        else:
            high = middle
    return float(f"{math.exp(low):.6g}")


def rows():
    for group, parts in ROWS.items():
        rng = rng_for(group)
        for part in parts:
            yield from rows_of(rng, *part)


def rows_of(rng, count, wanted, noise, decades):
    found = 0
    while found < wanted:
        sigma, rate = log_uniform(rng, *noise), log_uniform(rng, 1e-6, 0.5)
        sigma, rate = float(f"{sigma:.5g}"), float(f"{rate:.5g}")
        log_target = -rng.uniform(*decades) * math.log(10)
        mechanism = Remove(sigma, rate, count)
        epsilon = epsilon_near(mechanism, log_target)
        if not 2e-9 < epsilon < 200.0:
            continue
        try:
            delta = mechanism.delta(epsilon, log_target)
        except ArithmeticError:
            continue
        if not (delta.is_finite() and delta.rel_accuracy_bits() > 110 and delta > 1e-110):
            continue
        found += 1
        text = delta.str(DIGITS, radius=False)
        print(count, found, sigma, rate, epsilon, text, f"aim {math.exp(log_target):.3g}", flush=True)
        yield f'"poisson(gaussian(sigma={sigma!r}), rate={rate!r}) * {count}",remove,{epsilon!r},{text}'


def main():
    ctx.prec = PRECISION
    lines = [
        "# δ(ε) of few uses of a sampled Gaussian mechanism, a record removed.",
        "# Generated by testdata/generate/few_uses.py: inputs are exact doubles, references have"
        f" {DIGITS} digits.",
        "expression,direction,epsilon,delta",
        *rows(),
    ]
    (TESTDATA / "composition" / "few_uses.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
