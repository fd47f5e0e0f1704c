"""Golden values of the optimal non-adaptive composition of mechanisms of bounded range:
testdata/closed_form/bounded_range.csv.

k equal generalised randomised responses with losses t and t − r, 0 < t < r, have

    δ(t) = Σ_i C(k, i) q^{k−i} (1 − q)^i (e^{kt − ir} − e^ε)₊,  q = (e^{−t} − e^{−r})/(1 − e^{−r}),

and the worst of them is found here by looking: δ is smooth while the same i count, that is for t
between two multiples of r/k shifted by ε/k; in each such piece the largest value is found by
golden sections. No formula for the best t is used.

Run without arguments.
"""

from flint import arb, ctx

from golden import TESTDATA, log_uniform, rng_for

PRECISION, SECTIONS, DIGITS = 300, 160, 36
ROWS = 72


def delta(range_, count, epsilon, t):
    one = arb(1)
    q = ((-t).exp() - (-range_).exp()) / (one - (-range_).exp())
    total, ways = arb(0), arb(1)
    high, low, bound = (t).exp() * q, (t - range_).exp() * (one - q), epsilon.exp()
    for i in range(count + 1):
        loss = count * t - i * range_
        if loss > epsilon:
            mass = ways * high ** (count - i) * low**i
            total += mass * (one - (epsilon - loss).exp())
        ways = ways * (count - i) / (i + 1)
    return total


def largest(range_, count, epsilon):
    ratio = (arb(5).sqrt() - 1) / 2
    edges = sorted(
        [arb(0), range_]
        + [t for i in range(count + 1) if 0 < (t := ((epsilon + i * range_) / count).mid()) < range_],
        key=float,
    )
    best = arb(0)
    for a, b in zip(edges, edges[1:]):
        for _ in range(SECTIONS):
            left, right = (b - (b - a) * ratio).mid(), (a + (b - a) * ratio).mid()
            if delta(range_, count, epsilon, left) > delta(range_, count, epsilon, right):
                b = right
            else:
                a = left
        value = delta(range_, count, epsilon, ((a + b) / 2).mid()).mid()
        if value > best:
            best = value
    return best


def main():
    ctx.prec = PRECISION
    rng = rng_for("bounded_range")
    rows = []
    while len(rows) < ROWS:
        count = rng.choice([1, 2, 3, 5, 8, 13])
        r = log_uniform(rng, 1e-2, 4.0)
        epsilon = rng.choice([0.0, rng.random()]) * r * rng.choice([0.3, 0.9]) * count
        value = largest(arb(r), count, arb(epsilon))
        if value > 1e-300:
            rows.append(f"{r!r},{count},{epsilon!r},{value.str(DIGITS, radius=False)}")
    head = "# δ(ε) of the worst composition of `count` mechanisms of bounded range, all chosen beforehand; see bounded_range.py"
    (TESTDATA / "closed_form" / "bounded_range.csv").write_text("\n".join([head, "range,count,epsilon,delta", *rows]) + "\n")


if __name__ == "__main__":
    main()
