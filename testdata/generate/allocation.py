"""References of random allocation: a record in one of t steps.

With W = dP/dQ under Q and S = (W_1 + ... + W_t)/t, removing is E(S - e^eps)_+ and adding E(1 - e^eps S)_+. Three routes that share nothing:

- two outcomes (randomised response): S depends on how many W are the large one, a finite sum;
- two Gaussian steps: one integral of the price of the other step, in closed form;
- many Gaussian steps: the Laplace transform of S on a vertical line, each value of it integrated along a path on which it does not
  oscillate, at 256 bits; what the trapezoidal rule adds is known in closed form but for e^{-100}.

    python allocation.py > ../allocation.csv
"""

import math
import sys

from flint import acb, arb, ctx

ctx.prec = 256
ONE = arb(1)


def coin(p, steps, eps):
    """Randomised response that keeps the truth with probability p."""
    p = arb(p)
    q = 1 - p
    alpha = arb(eps).exp()
    removing, adding = arb(0), arb(0)
    mass = p ** steps  # Of Q: with probability p the ratio is q/p.
    for large in range(steps + 1):
        mean = (large * p / q + (steps - large) * q / p) / steps
        over = mean - alpha
        if over > 0:
            removing += mass * over
        under = 1 - alpha * mean
        if under > 0:
            adding += mass * under
        mass *= q / p * (steps - large) / (large + 1)
    return removing, adding


def above(x):
    """P(Z > x)."""
    return (x / arb(2).sqrt()).erfc() / 2


def call(mu, k):
    """E(W - k)_+ for W = exp(mu Z - mu^2/2)."""
    if not k > 0:
        return 1 - k
    d = k.log() / mu
    return above(d - mu / 2) - k * above(d + mu / 2)


def put(mu, k):
    """E(k - W)_+."""
    if not k > 0:
        return arb(0)
    d = k.log() / mu
    return k * above(-d - mu / 2) - above(-d + mu / 2)


def two(sigma, eps):
    """The trapezoidal rule in Z on both sides of the one place where prices end: by the substitution z = m +- e^{u - e^{-u}}."""
    mu = 1 / arb(sigma)
    result = []
    for tail, threshold in ((call, arb(eps).exp()), (put, (-arb(eps)).exp())):
        middle = (2 * threshold).log() / mu + mu / 2

        def f(z):
            w = (mu * z - mu * mu / 2).exp()
            return tail(mu, 2 * threshold - w) / 2 * (-z * z / 2).exp()

        def rule(step):
            total = arb(0)
            for k in range(-int(6 / step), int(5.5 / step) + 1):
                u = k * arb(step)
                fall = (-u).exp()
                x = (u - fall).exp()
                if not x < 60:
                    break
                total += (f(middle + x) + f(middle - x)) * x * (1 + fall)
            return total * step / (2 * arb.pi()).sqrt()

        value, check = rule(1 / 128), rule(1 / 96)
        assert abs(value - check) < 1e-25 * abs(value), (sigma, eps, value, check)
        result.append(value * (arb(eps).exp() if tail is put else 1))
    return result


def transform(mu, s, nodes=40):
    """E exp(-s W), along Im z = -theta/mu."""
    r, angle = abs(s), s.arg()
    theta = angle * arb("0.85")
    shift = acb(0, -1) * theta / mu
    total = acb(0)
    reach = 20
    for k in range(-reach * nodes, reach * nodes + 1):
        z = acb(arb(k) / nodes) + shift
        total += (-s * (mu * z - mu * mu / 2).exp() - z * z / 2).exp()
        if k > 0 and r * (mu * arb(k) / nodes - mu * mu / 2).exp() * (angle - theta).cos() > 180:
            break
    return total / nodes / (2 * arb.pi()).sqrt()


def many(sigma, steps, list_of_eps, tilt):
    """All thresholds on one line."""
    mu = 1 / arb(sigma)
    c = arb(tilt)
    period = 100 / c
    step = 2 * arb.pi() / period
    values = []
    n = 0
    while True:
        s = acb(c, n * step)
        value = transform(mu, s / steps) ** steps / (s * s)
        values.append(value)
        n += 1
        if abs(value) < 1e-34 * abs(values[0]):
            break
        assert n < 6000, (sigma, steps)
    result = []
    for eps in list_of_eps:
        pair = []
        for sign in (1, -1):
            b = (sign * arb(eps)).exp()
            total = values[0].real * (c * b).exp() / 2
            for n, value in enumerate(values):
                if n:
                    total += (value * (acb(c, n * step) * b).exp()).real
            g = total * step / arb.pi()
            # Images further right: G(b + mB) = b + mB - 1 but for what is negligible.
            q = (-c * period).exp()
            g -= (b - 1) * q / (1 - q) + period * q / (1 - q) ** 2
            pair.append(g - (b - 1) if sign == 1 else g / b)
        result.append((eps, *pair))
    return result


def show(expression, eps, direction, value):
    if value > 1e-25 * 1e-5:
        print(f'"{expression}",{eps!r},{direction},{value.mid().str(24, radius=False)}')
        sys.stdout.flush()


def main():
    print("# A record in one of t steps, by generate/allocation.py.")
    print("expression,epsilon,direction,delta")
    for p in (0.5625, 0.75, 0.9375):
        for steps in (2, 3, 10, 100, 1000, 10000):
            for share in (0.0, 0.2, 0.6):
                eps = round(share * math.log(p / (1 - p)) / math.sqrt(steps), 6)
                text = f"allocation(randomized_response(p={p}), steps={steps})"
                for direction, value in zip(("remove", "add"), coin(p, steps, eps)):
                    show(text, eps, direction, value)
    for sigma in (0.5, 1.0, 4.0):
        for eps in (0.0, 0.25, 1.0, 2.0):
            for direction, value in zip(("remove", "add"), two(sigma, eps)):
                show(f"allocation(gaussian(sigma={sigma:g}), steps=2)", eps, direction, value)
    for sigma, steps, list_of_eps, tilt in (
        (1.0, 10, (0.0, 0.5, 1.5), 5),
        (1.0, 100, (0.0, 0.1, 0.5), 12),
        (2.0, 20, (0.0, 0.1, 0.4), 20),
        (4.0, 5, (0.0, 0.1, 0.3), 20),
        (4.0, 1000, (0.0, 0.01, 0.03), 200),
        (0.75, 1000, (0.0, 0.1, 0.5), 25),
        (5.0, 100000, (0.0, 0.001, 0.003), 2500),
    ):
        for eps, removing, adding in many(sigma, steps, list_of_eps, tilt):
            text = f"allocation(gaussian(sigma={sigma:g}), steps={steps})"
            show(text, eps, "remove", removing)
            show(text, eps, "add", adding)


main()
