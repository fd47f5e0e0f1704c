"""Golden values of exponential sums: testdata/special/exponential_*.csv, and the certificate of
the kernel that they are computed with.

The kernel is the transform pair of Sonine and Gegenbauer (Watson, *Bessel functions*, 12.13): with x = y/8,

    φ(y) = c·√(1 − x²)·I₁(β√(1 − x²)) for |x| ≤ 1, 0 beyond,
    Φ(ν) = ∫ φ(y) e^{−2πiνy} dy = 16cβ·(cosh s − sinh(s)/s)/s²,  s² = β² − (16πν)²,

and c such that Φ(0) = 1. φ(a + t), a = ½, 3/2, …, 15/2, is replaced by a polynomial of degree 13
in t, |t| ≤ ½ + 2⁻¹⁰, whose coefficients are doubles. `kernel` prints them, and bounds of what
that costs: the entire function behind φ is expanded with a remainder by Cauchy's estimate, and
the difference of the polynomials is summed by moduli in Chebyshev's basis.

Run without arguments for the files, with `kernel` for the coefficients and the certificate.
"""

import sys

from flint import acb, arb, arb_poly, ctx, fmpq

from golden import proven, rng_for, write

BETA, HALF, DEGREE = 39, 8, 13
REACH = fmpq(1, 2) + fmpq(1, 1024)
#: The largest |n|/M that is read.
HIGHEST = fmpq(1, 5)
TERMS, SERIES = 90, 160


def entire(u):
    """√u·I₁(β√u), of a ball or of a polynomial, as a series in u: entire, with positive terms."""
    quarter = arb(BETA) ** 2 / 4
    term, total = u * (arb(BETA) / 2), u * 0
    for k in range(SERIES):
        total += term
        term = term * u * (quarter / ((k + 1) * (k + 2)))
        if isinstance(term, arb_poly):
            term = term.truncate(TERMS)
    return total


def transform_of(s):
    """β(cosh s − sinh(s)/s)/s², to which Φ is proportional."""
    return BETA * (s.cosh() - s.sinh() / s) / s**2


def scale():
    """c."""
    return 1 / (2 * HALF * transform_of(arb(BETA)))


def inverse_transform(n, length):
    """1/Φ(n/M)."""
    xi = 2 * HALF * arb.pi() * n / length
    return transform_of(arb(BETA)) / transform_of((arb(BETA) ** 2 - xi**2).sqrt())


# ---------------------------------------------------------------------------------------------
# The certificate.


def shifted(a):
    """The Taylor polynomial of φ(a + t), and a bound of the remainder for |t| ≤ REACH."""
    x = arb_poly([arb(a) / HALF, arb(1) / HALF])
    taylor = (entire(arb_poly([1]) - x * x) * scale()).truncate(TERMS)
    # |t| = HALF: all terms of the series are largest where 1 − x² is replaced by 1 + |x|².
    largest = scale() * entire(1 + ((arb(a) + HALF) / HALF) ** 2)
    ratio = arb(REACH) / HALF
    return taylor, largest * ratio**TERMS / (1 - ratio)


def chebyshev(polynomial):
    """The coefficients in T_k(t/REACH)."""
    length = polynomial.degree() + 1
    result = [arb(0)] * max(length, DEGREE + 1)
    for i in range(length):
        part = polynomial[i] * arb(REACH) ** i
        for j in range(i // 2 + 1):
            weight = arb.bin_uiui(i, j) * arb(2) ** (1 - i)
            result[i - 2 * j] += part * (weight / 2 if i == 2 * j else weight)
    return result


def monomials(coefficients):
    """The polynomial with these coefficients of T_k(t/REACH)."""
    now, following, total = arb_poly([1]), arb_poly([0, 1 / arb(REACH)]), arb_poly([0])
    for coefficient in coefficients:
        total += now * coefficient
        now, following = following, arb_poly([0, 2 / arb(REACH)]) * following - now
    return total


def aliases():
    """Σ_{m≠0} |Φ(ν + m)| at the largest ν: |Φ| ≤ 16cβ(1 + 1/r)/r², r² = (16πν)² − β²."""
    pi, total, nu = arb.pi(), arb(0), arb(HIGHEST)
    for sign in (1, -1):
        first, second = (2 * HALF * pi * (m + sign * nu) for m in (1, 2))
        r = (first**2 - BETA**2).sqrt()
        total += (1 + 1 / r) / r**2
        # From the second on r² ≥ (1 − β²/second²)·(16πν)²; Σ_{m≥2} (m ± ν)⁻² ≤ 1/(3/2 ± ν).
        r = (second**2 - BETA**2).sqrt()
        part = 1 - (BETA / second) ** 2
        total += (1 + 1 / r) / part / (2 * HALF * pi) ** 2 / (arb(3) / 2 + sign * nu)
    return 2 * HALF * scale() * BETA * total


def certificate():
    ctx.prec = 500
    rows, off, rounded = [], arb(0), 0.0
    for m in reversed(range(HALF)):
        taylor, remainder = shifted(fmpq(2 * m + 1, 2))
        fitted = monomials(chebyshev(taylor)[: DEGREE + 1])
        doubles = [float(fitted[i].mid()) for i in range(DEGREE + 1)]
        difference = taylor - arb_poly([arb(x) for x in doubles])
        # Both cells at this distance.
        off += 2 * (sum(abs(x) for x in chebyshev(difference)) + remainder)
        for i, x in enumerate(doubles):
            passes = 3 * (i // 2) + (4 if i % 2 else 3)
            rounded += 2 * passes * abs(x) * float(REACH) ** i
        rows.append(doubles)
    for name, first in (("EVEN", 0), ("ODD", 1)):
        print(f"const {name}: Coefficients = [")
        for i in range(DEGREE - 1 + first, -1, -2):
            print("    [" + ", ".join(repr(row[i]) for row in rows) + "],")
        print("];")
    # Past the end: the polynomial is not 0, or a cell is left out.
    end = 2 * scale() * entire(((arb(HALF) + arb(1) / 1024) / HALF) ** 2 - 1)
    print("polynomials", off.upper(), "ends", end.upper())
    print("rounding in u", rounded)
    print("aliases", aliases().upper())
    print("inverse at the highest", inverse_transform(arb(HIGHEST), 1))
    ctx.prec = 300
    inverse = 1 / (2 * arb.pi())
    high = float(inverse.mid())
    print("1/2π", repr(high), repr(float((inverse - arb(high)).mid())))
    s = (arb(BETA) ** 2 - (2 * HALF * arb.pi() * arb(HIGHEST)) ** 2).sqrt()
    print("e^(-2s)", (-2 * s).exp(), s)


# ---------------------------------------------------------------------------------------------
# The files.


def in_cell(index, offset):
    """φ at one of sixteen cells, `offset` being where the node is above their middle."""
    y = arb(index) - arb(7.5) - arb(offset)
    if abs(y) > HALF:
        return arb(0)
    x = y / HALF
    root = (1 - x * x).sqrt()
    return scale() * root * (BETA * root).bessel_i(1)


def kernel_rows():
    rng = rng_for("exponential_kernel")
    ends = [0.5, -0.5, 0.5 + 2.0**-10, -0.5 - 2.0**-10, 0.0, 1e-200, -1e-9, 0.49999999999999994]
    offsets = ends + [rng.uniform(-0.5, 0.5) for _ in range(32)]
    for place, offset in enumerate(offsets):
        for index in range(2 * HALF):
            yield place, offset, index, proven(in_cell, index, offset)


def transform_rows():
    rng = rng_for("exponential_transform")
    for power in range(6, 21, 2):
        highest = 2**power // 5
        for n in sorted({0, 1, 2, highest // 2, highest - 1, highest, *(rng.randrange(highest) for _ in range(6))}):
            yield n, 2**power, proven(inverse_transform, n, 2**power)


def residues(count):
    """Many nodes in few words; all are exact doubles."""
    return [((i * i * 31 + 7) % 127 / 128, (i * 7919) % 8191 / 1024 - 3) for i in range(count)]


def exact_sum(nodes, step, n):
    total = acb(0)
    for weight, loss in nodes:
        total += acb(0, arb(n) * arb(step) * arb(loss)).exp() * arb(weight)
    return total.real, total.imag


def sum_cases():
    """Text of the nodes, the nodes, the step, the count."""
    rng = rng_for("exponential_sums")
    pi = 3.141592653589793

    def listed(nodes, step, count):
        return ";".join(f"{w!r}:{x!r}" for w, x in nodes), nodes, step, count

    for count in (1, 2, 3, 12, 13, 100, 819, 820):
        yield listed([(1.0, rng.uniform(-9, 9))], rng.uniform(0.01, 1.0), count)
        yield listed([], 1.0, count)
        yield listed([(0.0, 1.5), (0.0, -2.5)], 0.5, count)
        # In one place.
        yield listed([(0.3, 1.7)] * 30, 0.4, count)
        # On cells of grids, as nearly as doubles can, between them, and around the seam.
        length = max(64, 1 << (5 * count - 1).bit_length())
        cells = [0, 1, 2, 7, 8, 9, length - 9, length - 8, length - 1, length, -3, 5 * length + 1]
        for shift in (0.0, 0.5):
            yield listed([(rng.random(), 2 * pi * (c + shift) / length) for c in cells], 1.0, count)
        # Weights of all sizes.
        yield listed([(10.0 ** -rng.uniform(0, 300), rng.uniform(-5, 5)) for _ in range(20)], 0.7, count)
        # Losses of all sizes, many turns.
        yield listed([(rng.random(), rng.choice((1, -1)) * 10.0 ** rng.uniform(-9, 6)) for _ in range(20)], 1.0, count)
        # Steps of all sizes.
        yield listed([(rng.random(), rng.uniform(-2, 5) * 2.0**1000) for _ in range(5)], 2.0**-1000, count)
        yield listed([(rng.random(), rng.uniform(-2, 5) * 1e-290) for _ in range(5)], 1e290, count)
        yield listed([(rng.random(), rng.uniform(-2, 5)) for _ in range(5)], 1e-12, count)
        yield listed([(rng.random(), -rng.uniform(0, 20)) for _ in range(30)], 0.25, count)
    for nodes, step, count in ((5000, 1.0, 250), (2000, 0.03125, 3000), (20000, 0.75, 60), (3000, 7.0, 500)):
        yield f"residues {nodes}", residues(nodes), step, count


def sum_rows():
    for text, nodes, step, count in sum_cases():
        for n in sorted({0, 1, count // 3, count - 1} - {count}):
            yield text, step, count, n, *proven(exact_sum, nodes, step, n)


def main():
    write(
        "special/exponential_kernel",
        "φ at the cells around a node; places number the offsets",
        ("place", "offset", "cell", "value"),
        kernel_rows(),
        "exponential_sums.py",
    )
    write(
        "special/exponential_transform",
        "1/Φ(n/length)",
        ("n", "length", "value"),
        transform_rows(),
        "exponential_sums.py",
    )
    write(
        "special/exponential_sums",
        "Σ w exp(i n step L); nodes are `w:L;…`, or `residues N`: w = (31i² + 7 mod 127)/128,\n"
        "L = (7919i mod 8191)/1024 − 3 for 0 ≤ i < N",
        ("nodes", "step", "count", "n", "re", "im"),
        sum_rows(),
        "exponential_sums.py",
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["kernel"]:
        certificate()
    else:
        main()
