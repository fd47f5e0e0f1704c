"""Clopper-Pearson ends, and lower ends of epsilon from attacks, by ball arithmetic.

    python audit.py      writes ../audit/clopper_pearson.csv and ../audit/one_run.csv

An end of a proportion is where a binomial tail, summed term by term, is the error: bisection of a rational
bracket, 160 times.  The one-run bound is evaluated term by term.
"""

import random

from flint import arb, ctx, fmpq

from golden import TESTDATA

ctx.prec = 400


def tail(k, n, p):
    total, ways = arb(0), arb(1)
    # From the far end: exact binomial coefficients, no special function.
    for j in range(n, k - 1, -1):
        total += arb(ways) * p**j * (1 - p) ** (n - j)
        ways = ways * j / (n - j + 1)
    return total


def bisected(is_below, low, high):
    for _ in range(160):
        middle = (low + high) / 2
        if is_below(middle):
            low = middle
        else:
            high = middle
    return low


def lower_end(k, n, error):
    """The p with P(Binomial(n, p) >= k) = error."""
    if k == 0:
        return fmpq(0)
    error = arb(error)
    return bisected(lambda p: tail(k, n, arb(p)) < error, fmpq(0), fmpq(k, n))


def digits(value):
    return arb(value).str(40, radius=False)


def clopper_pearson(random):
    rows = ["# Written by testdata/generate/audit.py.", "successes,trials,error,lower,upper_from_one"]
    cases = [(1, 1, 0.05), (0, 7, 0.1), (7, 7, 0.025), (1, 2000, 0.025), (1999, 2000, 1e-6), (230, 1000, 0.025)]
    while len(cases) < 90:
        n = random.randint(1, 600)
        cases.append((random.randint(0, n), n, random.choice([0.5, 0.1, 0.05, 0.025, 1e-3, 1e-6, 1e-12])))
    for k, n, error in cases:
        # The upper end of k of n is 1 minus the lower end of n - k of n.
        rows.append(f"{k},{n},{error!r},{digits(lower_end(k, n, error))},{digits(lower_end(n - k, n, error))}")
    return rows


def largest(n, q):
    ways, best = arb(1), arb(0)
    for k in range(n + 1):
        value = ways * q**k * (1 - q) ** (n - k)
        if value > best:
            best = value
        ways = ways * (n - k) / (k + 1)
    return best


def one_run(random):
    rows = ["# Written by testdata/generate/audit.py.", "canaries,guesses,correct,epsilon,delta,likelihood"]
    for _ in range(60):
        m = random.randint(2, 120)
        r = random.randint(1, m)
        v = random.randint((r + 1) // 2, r)
        epsilon = round(random.uniform(0, 3), 3)
        delta = random.choice([0.0, 1e-5, 1e-3, 1e-2])
        odds = arb(epsilon).exp()
        q = odds / (1 + odds)
        bound = tail(v, r, q) + arb(delta) * m / r * (1 - q) * sum((largest(n, q) for n in range(r)), arb(0))
        rows.append(f"{m},{r},{v},{epsilon!r},{delta!r},{digits(bound)}")
    return rows


def main():
    folder = TESTDATA / "audit"
    folder.mkdir(exist_ok=True)
    (folder / "clopper_pearson.csv").write_text("\n".join(clopper_pearson(random.Random(1))) + "\n")
    (folder / "one_run.csv").write_text("\n".join(one_run(random.Random(2))) + "\n")


if __name__ == "__main__":
    main()
