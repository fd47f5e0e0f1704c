"""Golden values of trade-off functions and of what follows from them: testdata/risk/*.csv.

T[P, Q](x) = inf {1 − Q(A) : P(A) ≤ x}. For the pair (P, Q) of removing a record, P with it and Q
without it:

    remove       T[Q, P]
    add          T[P, Q], its inverse
    add-remove   the convex hull of the smaller of both: the symmetric f of f-DP
                 (Dong, Roth and Su, "Gaussian differential privacy", Sec. 2 and 4)

`accuracy` is the chance of guessing the record's presence right from a prior π that it is there,
1 − π + π·H_{(1−π)/π}(P‖Q).

Run without arguments.
"""

from flint import arb, ctx

from closed_form import gaussian_delta, tail
from golden import log_uniform, rng_for, write
from special import normal_quantile

PRECISION, STEPS = 512, 300


def gaussian_trade_off(mu, x):
    """G_μ(x) = Φ(Φ⁻¹(1 − x) − μ)."""
    return tail(normal_quantile(x) + mu)


def root(value, low, high):
    """Where a decreasing `value` vanishes."""
    low, high = arb(low), arb(high)
    for _ in range(STEPS):
        middle = ((low + high) / 2).mid()
        at = value(middle)
        if at > 0:
            low = middle
        elif at < 0:
            high = middle
        else:
            break
    return (low + high) / 2


class Gaussian:
    """N(μ, 1) against N(0, 1)."""

    def __init__(self, rng):
        self.sigma = log_uniform(rng, 0.2, 20.0)
        self.text = f"gaussian(sigma={self.sigma!r})"

    def trade_off(self, x, relation):
        return gaussian_trade_off(1 / arb(self.sigma), x)

    def stick(self, log_alpha):
        return gaussian_delta(1 / arb(self.sigma) ** 2, log_alpha)[0]


class Response:
    """(ε, δ)-DP and no better: two lines and nothing else."""

    def __init__(self, rng):
        self.epsilon = log_uniform(rng, 0.01, 8.0)
        self.delta = rng.choice([0.0, log_uniform(rng, 1e-9, 0.5)])
        self.text = f"dp(epsilon={self.epsilon!r}, delta={self.delta!r})"

    def trade_off(self, x, relation):
        rest, odds, x = 1 - arb(self.delta), arb(self.epsilon).exp(), arb(x)
        lines = [rest - odds * x, (rest - x) / odds, arb(0)]
        best = lines[0]
        for line in lines[1:]:
            best = line if line > best else best
        return best

    def stick(self, log_alpha):
        delta, epsilon, alpha = arb(self.delta), arb(self.epsilon), log_alpha.exp()
        p, q = 1 / (1 + (-epsilon).exp()), 1 / (1 + epsilon.exp())
        total = delta
        for a, b in ((p, q), (q, p)):
            share = (1 - delta) * (a - alpha * b)
            total += share if share > 0 else arb(0)
        return total


class Sampled:
    """W = (1 − γ)Q + γP against Q, with Gaussian P and Q: T[Q, W](x) = (1 − γ)(1 − x) + γG_μ(x)."""

    def __init__(self, rng):
        self.sigma, self.rate = log_uniform(rng, 0.3, 5.0), log_uniform(rng, 0.01, 0.9)
        self.text = f"poisson(gaussian(sigma={self.sigma!r}), rate={self.rate!r})"

    def present(self, x):
        gamma = arb(self.rate)
        return (1 - gamma) * (1 - x) + gamma * gaussian_trade_off(1 / arb(self.sigma), x)

    def absent(self, x):
        return root(lambda y: self.present(y) - x, 0, 1)

    def trade_off(self, x, relation):
        x = arb(x)
        if relation == "remove":
            return self.present(x)
        if relation == "add":
            return self.absent(x)
        # Slope −1 where G_μ has it: at its fixed point Φ(−μ/2). A straight line joins the two curves there.
        corner = tail(1 / arb(self.sigma) / 2)
        other = self.present(corner)
        if x <= corner:
            return self.present(x)
        if x <= other:
            return other + corner - x
        return self.absent(x)

    def stick(self, log_alpha):
        gamma, alpha = arb(self.rate), log_alpha.exp()
        inner = (alpha - 1 + gamma) / gamma
        if not inner > 0:
            return 1 - alpha
        return gamma * gaussian_delta(1 / arb(self.sigma) ** 2, inner.log())[0]


def rows():
    rng = rng_for("risk")
    ctx.prec = PRECISION
    for kind, count in ((Gaussian, 40), (Response, 40), (Sampled, 90)):
        for i in range(count):
            case = kind(rng)
            relation = ("add-remove", "remove", "add")[i % 3]
            x = rng.choice([log_uniform(rng, 1e-8, 1.0), rng.random()])
            prior = rng.choice([0.5, rng.uniform(0.01, 0.99)])
            p = arb(prior)
            accuracy = 1 - p + p * case.stick(((1 - p) / p).log())
            yield f'"{case.text}"', relation, x, case.trade_off(x, relation), prior, accuracy


if __name__ == "__main__":
    write(
        "risk/trade_off",
        "The trade-off function f(x) of a relation, and the accuracy of the best guess from a prior.",
        ["expression", "relation", "x", "f", "prior", "accuracy"],
        rows(),
    )
