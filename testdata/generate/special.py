"""Golden values of the special functions: testdata/special/*.csv.

Run without arguments for every file, or with the names of some.
"""

import math
import sys
from statistics import NormalDist

from flint import arb, ctx, fmpq

from golden import (
    around,
    both_signs,
    distinct,
    in_double_range,
    log_uniform,
    log_uniforms,
    powers_of_two,
    proven,
    rng_for,
    uniforms,
    with_neighbours,
    write,
)

SUBNORMAL = [5e-324, 1e-320, 3e-310, math.nextafter(2.0**-1022, 0.0)]
TINY = [2.0**-1022, 1e-300, 1e-200, 1e-100, 1e-50, 1e-20]

# ---------------------------------------------------------------------------------------------
# The functions, on balls.  Where two forms are given, either is right everywhere; the choice
# only saves precision.


def erfc(x):
    """The complementary error function, DLMF 7.2.2."""
    return arb(x).erfc()


def log_erfc(x):
    """ln erfc(x) = ln(1 − erf(x))."""
    x = arb(x)
    return (-x.erf()).log1p() if x < 1 else x.erfc().log()


def erfcx(x):
    """exp(x²)·erfc(x), DLMF 7.2.3 at iy."""
    x = arb(x)
    return (x * x).exp() * x.erfc()


def normal_cdf_ball(x):
    """Φ(x) = erfc(−x/√2)/2 of a ball."""
    return (-x / arb(2).sqrt()).erfc() / 2


def normal_cdf(x):
    """Φ(x) = erfc(−x/√2)/2."""
    return normal_cdf_ball(arb(x))


def normal_log_cdf(x):
    """ln Φ(x) = ln(1 − Φ(−x)); far below zero −x²/2 + ln(U(½, ½, x²/2)/(2√π)).

    The latter is DLMF 7.11.4 (erfc by Tricomi's U), which takes the exponential out.
    """
    x = arb(x)
    if x > 0:
        return (-normal_cdf_ball(-x)).log1p()
    if x > -10:
        return normal_cdf_ball(x).log()
    square, half = x * x / 2, arb(0.5)
    return -square + (square.hypgeom_u(half, half) / (2 * arb.pi().sqrt())).log()


def normal_quantile(p):
    """Φ⁻¹(p), enclosed: Newton's iteration, then a sign change proven on both sides.

    Works on the nearer tail (1 − p is exact for p ≥ 1/2), with ln Φ(x) = ln p in the tail and
    with erf(x/√2)/2 = p − 1/2 in the middle.  Φ is increasing, so a sign change isolates.
    """
    if p == 0.5:
        return arb(0)
    if p > 0.5:
        return -normal_quantile(1.0 - p)
    root_two = arb(2).sqrt()
    if p < 0.25:
        target = arb(p).log()

        def residual(x):
            return normal_cdf_ball(x).log() - target

        def slope(x):
            return normal_density(x) / normal_cdf_ball(x)

    else:
        target = arb(p) - arb(0.5)

        def residual(x):
            return (x / root_two).erf() / 2 - target

        slope = normal_density

    x = arb(NormalDist().inv_cdf(p))
    for _ in range(40):
        step = (residual(x) / slope(x)).mid()
        x = (x - step).mid()
        if abs(step) <= abs(x) * arb(2) ** (-ctx.prec // 2):
            break
    x = (x - residual(x) / slope(x)).mid()
    reach = abs(x) * arb(2) ** (-3 * ctx.prec // 4)
    if residual(x - reach) < 0 and residual(x + reach) > 0:
        return (x - reach).union(x + reach)
    return arb.nan()


def normal_density(x):
    """φ(x)."""
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def log_gamma(x):
    """ln Γ(x)."""
    return arb(x).lgamma()


def log_binomial(n, k):
    """ln C(n, k) = ln Γ(n+1) − ln Γ(k+1) − ln Γ(n−k+1)."""
    k = min(k, n - k)
    if k == 0:
        return arb(0)
    if k == 1:
        return arb(n).log()
    return arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()


def exp(x):
    """eˣ."""
    return arb(x).exp()


def log(x):
    """ln x."""
    return arb(x).log()


def expm1(x):
    """eˣ − 1."""
    return arb(x).expm1()


def log1p(x):
    """ln(1 + x)."""
    return arb(x).log1p()


def log1mexp(x):
    """ln(1 − e⁻ˣ)."""
    x = arb(x)
    return (-((-x).expm1())).log() if x < 1 else (-((-x).exp())).log1p()


def complex_expm1(re, im):
    """e^z − 1: (eˣ − 1) − 2eˣ sin²(y/2) + i eˣ sin y, from cos y = 1 − 2 sin²(y/2)."""
    x, y = arb(re), arb(im)
    half = (y / 2).sin()
    return x.expm1() - 2 * x.exp() * half * half, x.exp() * y.sin()


def complex_log1p(re, im):
    """ln(1 + z), principal: ½ ln(1 + 2x + x² + y²) + i atan2(y, 1 + x)."""
    x, y = arb(re), arb(im)
    return (x * (x + 2) + y * y).log1p() / 2, arb.atan2(y, x + 1)


def double_double_value(hi, lo):
    """hi + lo, exactly, as a rational."""
    (a, b), (c, d) = hi.as_integer_ratio(), lo.as_integer_ratio()
    return fmpq(a, b) + fmpq(c, d)


def exp_of_pair(hi, lo):
    """e^(hi + lo)."""
    return arb(double_double_value(hi, lo)).exp()


def log_of_pair(hi, lo):
    """ln(hi + lo): the offset from one is taken exactly, for the zero there."""
    return arb(double_double_value(hi, lo) - 1).log1p()


# ---------------------------------------------------------------------------------------------
# The inputs.


def inputs_erfc(rng):
    yield from uniforms(rng, -6.0, 6.0, 600)
    yield from uniforms(rng, 6.0, 27.2, 500)
    yield from both_signs(log_uniforms(rng, 1e-300, 1.0, 200))
    yield from both_signs(TINY + SUBNORMAL)
    yield from with_neighbours(both_signs(powers_of_two(-60, 4)))
    yield from [0.0, 26.5, 26.54, 26.55]


def inputs_log_erfc(rng):
    yield from uniforms(rng, -30.0, 30.0, 700)
    yield from log_uniforms(rng, 1.0, 1e8, 400)
    yield from both_signs(log_uniforms(rng, 1e-300, 1.0, 200))
    yield from both_signs(TINY + SUBNORMAL)
    yield from with_neighbours(powers_of_two(-60, 26) + [-(2.0**e) for e in range(-60, 5)])
    yield from [0.0, 26.54, 27.0, 1e8, -30.0]


def inputs_erfcx(rng):
    yield from uniforms(rng, -26.0, 30.0, 700)
    yield from log_uniforms(rng, 1.0, 1e15, 400)
    yield from both_signs(log_uniforms(rng, 1e-300, 1.0, 200))
    yield from both_signs(TINY + SUBNORMAL)
    yield from with_neighbours(powers_of_two(-60, 49) + [-(2.0**e) for e in range(-60, 5)])
    yield from [0.0, -26.0, 26.54, 27.0, 1e15]


def inputs_normal_cdf(rng):
    yield from uniforms(rng, -37.5, 9.0, 1000)
    yield from both_signs(log_uniforms(rng, 1e-300, 1.0, 200))
    yield from both_signs(TINY + SUBNORMAL)
    yield from with_neighbours(both_signs(powers_of_two(-60, 5)))
    yield from [0.0, -37.45, 8.2, 8.3, 9.0]


def inputs_normal_log_cdf(rng):
    yield from uniforms(rng, -38.0, 38.0, 900)
    yield from (-x for x in log_uniforms(rng, 1.0, 1e8, 400))
    yield from both_signs(log_uniforms(rng, 1e-300, 1.0, 150))
    yield from both_signs(TINY + SUBNORMAL)
    yield from with_neighbours([-x for x in powers_of_two(-40, 26)] + powers_of_two(-40, 5))
    yield from [0.0, -1e8, -37.5, -38.5, 37.4]


def inputs_normal_quantile(rng):
    yield from log_uniforms(rng, 1e-307, 0.5, 700)
    yield from uniforms(rng, 0.0, 1.0, 400)
    yield from (1.0 - x for x in log_uniforms(rng, 2.0**-53, 0.5, 200))
    yield from around(rng, 0.5, 150, 2.0**-54, 0.4)
    yield from with_neighbours(powers_of_two(-1019, -1, 7))
    yield from [1e-307, 0.5, 0.025, 0.075, 0.425, 0.575, 0.925, 0.975, 1.0 - 2.0**-53]


def inputs_log_gamma(rng):
    yield from log_uniforms(rng, 1e-300, 1e300, 500)
    yield from log_uniforms(rng, 1e-3, 1e4, 400)
    yield from uniforms(rng, 0.0, 20.0, 200)
    yield from around(rng, 1.0, 150)
    yield from around(rng, 2.0, 150)
    yield from with_neighbours(powers_of_two(-40, 60))
    yield from TINY + SUBNORMAL
    yield from [0.5, 1.5, 2.5, 3.0, 10.0, 100.0, 171.0, 172.0, 1e15, 1e16, 1e300, 2.5e305]


def inputs_exp(rng):
    yield from uniforms(rng, -709.0, 710.0, 900)
    yield from both_signs(log_uniforms(rng, 1e-300, 1.0, 200))
    yield from both_signs(TINY + SUBNORMAL)
    yield from with_neighbours(both_signs(powers_of_two(-60, 9)))
    yield from with_neighbours([k * math.log(2) / 2 for k in range(-40, 41)])
    yield from [0.0, -706.0, -706.8, 709.7, 709.78]


def inputs_log(rng):
    yield from log_uniforms(rng, 1e-307, 1e308, 700)
    yield from log_uniforms(rng, 1e-3, 1e3, 300)
    yield from around(rng, 1.0, 250)
    yield from with_neighbours(powers_of_two(-1021, 1023, 13))
    yield from TINY + SUBNORMAL + [math.nextafter(math.inf, 0.0), math.e, 10.0, math.sqrt(2), 0.7]


def inputs_expm1(rng):
    yield from uniforms(rng, -60.0, 60.0, 500)
    yield from uniforms(rng, -745.0, 709.7, 300)
    yield from both_signs(log_uniforms(rng, 1e-307, 1.0, 250))
    yield from both_signs(TINY + SUBNORMAL)
    yield from with_neighbours(both_signs(powers_of_two(-60, 9)))
    yield from [0.0, -37.0, -38.0, -1e3, -1e300, 709.7, 709.78]


def inputs_log1p(rng):
    yield from log_uniforms(rng, 1.0, 1e308, 400)
    yield from uniforms(rng, -1.0, 3.0, 400)
    yield from both_signs(log_uniforms(rng, 1e-307, 1.0, 250))
    yield from (-1.0 + x for x in log_uniforms(rng, 2.0**-53, 0.5, 150))
    yield from both_signs(TINY + SUBNORMAL)
    yield from with_neighbours(both_signs(powers_of_two(-60, -1)) + powers_of_two(0, 60))
    yield from [0.0, math.nextafter(-1.0, 0.0), math.nextafter(math.inf, 0.0)]


def inputs_log1mexp(rng):
    yield from log_uniforms(rng, 1e-300, 700.0, 600)
    yield from log_uniforms(rng, 1e-4, 700.0, 600)
    yield from uniforms(rng, 0.0, 5.0, 250)
    yield from around(rng, math.log(2), 60, 1e-15)
    yield from with_neighbours(powers_of_two(-60, 9))
    yield from TINY + SUBNORMAL + [700.0]


#: file name: (function, input column, inputs, low, high)
REAL_FUNCTIONS = {
    "erfc": (erfc, "x", inputs_erfc, -6.0, 27.2),
    "log_erfc": (log_erfc, "x", inputs_log_erfc, -30.0, 1e8),
    "erfcx": (erfcx, "x", inputs_erfcx, -26.0, 1e15),
    "normal_cdf": (normal_cdf, "x", inputs_normal_cdf, -37.5, 9.0),
    "normal_log_cdf": (normal_log_cdf, "x", inputs_normal_log_cdf, -1e8, 38.0),
    "normal_quantile": (normal_quantile, "p", inputs_normal_quantile, 1e-307, 1.0 - 2.0**-53),
    "log_gamma": (log_gamma, "x", inputs_log_gamma, 5e-324, 2.5e305),
    "exp": (exp, "x", inputs_exp, -709.0, 710.0),
    "log": (log, "x", inputs_log, 5e-324, math.inf),
    "expm1": (expm1, "x", inputs_expm1, -1e300, 710.0),
    "log1p": (log1p, "x", inputs_log1p, math.nextafter(-1.0, 0.0), math.inf),
    "log1mexp": (log1mexp, "x", inputs_log1mexp, 5e-324, 700.0),
}


def real_rows(function, inputs):
    """(x, function(x)) where the value is in the range of normal doubles."""
    for x in inputs:
        value = proven(function, x)
        if in_double_range(value):
            yield x, value


def complex_rows(function, inputs):
    """(x, y, Re, Im) where both components are zero or in the range of normal doubles."""
    for x, y in inputs:
        value = proven(function, x, y)
        if all(in_double_range(part) for part in value):
            yield x, y, *value


def signed(rng, value):
    """The value with a random sign."""
    return value if rng.random() < 0.5 else -value


def inputs_complex_expm1(rng):
    """All scales; around the curve eˣ cos y = 1; around zeros of the imaginary part."""
    points = []
    for _ in range(350):
        points.append((rng.uniform(-50.0, 50.0), rng.uniform(-1e4, 1e4)))
    for _ in range(250):
        points.append((rng.uniform(-2.0, 2.0), rng.uniform(-4.0, 4.0)))
    for _ in range(350):
        x = signed(rng, log_uniform(rng, 1e-200, 50.0))
        points.append((x, signed(rng, log_uniform(rng, 1e-200, 1e4))))
    for scale in log_uniforms(rng, 1e-200, 1.0, 150):
        points.append((signed(rng, scale * rng.random()), signed(rng, scale * rng.random())))
    for _ in range(150):
        turns = 2.0 * math.pi * rng.choice([0, 0, 0, 1, -1, 7, -100, 1500])
        y = turns + rng.uniform(-1.5, 1.5)
        if math.cos(y) > 0:
            x = -math.log(math.cos(y))
            points += [(near, y) for near in with_neighbours([x])]
    for y in log_uniforms(rng, 1e-150, 0.1, 100):
        points += [(y * y / 2.0, signed(rng, y)), (y * y / 2.0 * (1.0 + 1e-9), y)]
    for half_turns in [1, 2, 3, 4, 10, 101, 1000, 3183]:
        for y in with_neighbours([half_turns * math.pi]):
            points += [(rng.uniform(-50.0, 50.0), y), (1e-10, -y)]
    for t in log_uniforms(rng, 1e-200, 50.0, 40):
        points += [(t, 0.0), (-t, 0.0), (0.0, t), (0.0, -t)]
    points += [(0.0, 0.0), (50.0, 1e4), (-50.0, -1e4)]
    return sorted(set(points))


def inputs_complex_log1p(rng):
    """All scales; around the circle |1 + z| = 1; beside the branch cut, not on it."""
    points = []
    for _ in range(350):
        points.append((rng.uniform(-50.0, 50.0), rng.uniform(-50.0, 50.0)))
    for _ in range(250):
        points.append((rng.uniform(-2.5, 1.0), rng.uniform(-1.5, 1.5)))
    for _ in range(350):
        x = signed(rng, log_uniform(rng, 1e-200, 1e150))
        points.append((x, signed(rng, log_uniform(rng, 1e-200, 1e150))))
    for scale in log_uniforms(rng, 1e-200, 1.0, 150):
        points.append((signed(rng, scale * rng.random()), signed(rng, scale * rng.random())))
    for _ in range(150):
        angle = rng.uniform(-math.pi, math.pi)
        x, y = -2.0 * math.sin(angle / 2.0) ** 2, math.sin(angle)
        points += [(near, y) for near in with_neighbours([x])]
    for y in log_uniforms(rng, 1e-150, 0.1, 100):
        points += [(-y * y / 2.0, signed(rng, y)), (-y * y / 2.0 * (1.0 + 1e-9), y)]
    for t in log_uniforms(rng, 1e-200, 1e150, 40):
        points += [(t, 0.0), (0.0, t), (0.0, -t), (-1.0, t), (-1.0, -t), (-3.0, t), (-3.0, -t)]
        points += [(-1.0 + min(t, 0.5), t)]
    for t in log_uniforms(rng, 2.0**-53, 0.5, 40):
        points += [(-1.0 + t, 0.0), (-2.0, t), (-2.0 + t, t), (-1.0 - t, -t)]
    points += [(0.0, 0.0), (-1.0, 1.0), (-1.0, -1.0), (1e300, 1e300), (-1e300, 1e-7)]
    return sorted({(x, y) for x, y in points if not (x <= -1.0 and y == 0.0)})


def inputs_log_binomial(rng):
    """Pairs (n, k) of all shapes, n up to 10¹⁵."""
    pairs = {(n, k) for n in range(0, 13) for k in range(0, n + 1)}
    for size in log_uniforms(rng, 2.0, 1e15, 300):
        n = int(size)
        for k in (1, 2, 3, n - 1, n // 2, n // 2 + rng.randint(-3, 3)):
            pairs.add((n, k))
        pairs.add((n, rng.randint(0, n)))
        pairs.add((n, int(log_uniform(rng, 1.0, n))))
    big = 10**15
    pairs |= {(big, k) for k in (0, 1, 2, 10, 1000, 10**6, 10**12, big // 2, big - 1, big)}
    return sorted((n, k) for n, k in pairs if 0 <= k <= n)


def inputs_double_double(rng):
    """Non-overlapping pairs: hi is the double nearest to hi + lo."""
    his = [rng.uniform(-700.0, 700.0) for _ in range(320)]
    his += [signed(rng, x) for x in log_uniforms(rng, 1e-250, 1.0, 350)]
    his += log_uniforms(rng, 1e-280, 1e300, 400)
    his += [1.0] * 60 + around(rng, 1.0, 120)
    his += with_neighbours(powers_of_two(-20, 20, 2))
    his += with_neighbours([k * math.log(2) / 2 for k in range(-20, 21)])
    pairs = set()
    for hi in his:
        if hi == 0.0:
            continue
        half = math.ulp(hi) / 2.0
        lo = rng.choice([
            half * rng.uniform(-1.0, 1.0),
            half * rng.uniform(-1.0, 1.0),
            half * rng.uniform(-1.0, 1.0),
            signed(rng, half * log_uniform(rng, 1e-20, 1.0)),
            signed(rng, half * math.nextafter(1.0, 0.0)),
            0.0,
        ])
        if hi + lo == hi:
            pairs.add((hi, lo))
    return sorted(pairs)


def double_double_rows(pairs):
    """(hi, lo, exp, log) with an empty field where a function is out of its range."""
    for hi, lo in pairs:
        yield (
            hi,
            lo,
            proven(exp_of_pair, hi, lo) if abs(hi) <= 700.0 else "",
            proven(log_of_pair, hi, lo) if hi > 0.0 else "",
        )


def legendre_root(n, index):
    """(node, weight) of the n-point Gauss–Legendre rule on [−1, 1], DLMF 3.5(v)."""
    node, weight = arb.legendre_p_root(n, index, weight=True)
    return (arb(0) if 2 * index + 1 == n else node), weight


def gauss_legendre_rows():
    """(n, i, node, weight), the nodes ascending (Arb numbers them descending)."""
    for n in (2, 3, 5, 8, 16, 20, 32, 64, 100):
        for i in range(n):
            yield n, i, *proven(legendre_root, n, n - 1 - i)


# ---------------------------------------------------------------------------------------------


def write_real(name):
    function, column, inputs, low, high = REAL_FUNCTIONS[name]
    what = f"{name}: {function.__doc__.splitlines()[0].rstrip('.')}."
    points = distinct(inputs(rng_for(name)), low, high)
    write(f"special/{name}", what, (column, "value"), real_rows(function, points))


def write_complex(name, function, inputs):
    what = f"{name}: {function.__doc__.rstrip('.')}."
    header = ("re", "im", "value_re", "value_im")
    write(f"special/{name}", what, header, complex_rows(function, inputs(rng_for(name))))


def write_log_binomial():
    pairs = inputs_log_binomial(rng_for("log_binomial"))
    rows = ((n, k, proven(log_binomial, n, k)) for n, k in pairs)
    write("special/log_binomial", f"log_binomial: {log_binomial.__doc__}", ("n", "k", "value"), rows)


def write_gauss_legendre():
    what = f"gauss_legendre: {legendre_root.__doc__}"
    write("special/gauss_legendre", what, ("n", "i", "node", "weight"), gauss_legendre_rows())


def write_double_double():
    what = "double_double: exp and log of x = x_hi + x_lo, |x_lo| ≤ ulp(x_hi)/2, the sum exact."
    rows = double_double_rows(inputs_double_double(rng_for("double_double")))
    write("special/double_double", what, ("x_hi", "x_lo", "exp", "log"), rows)


def main(names):
    writers = {name: (lambda name=name: write_real(name)) for name in REAL_FUNCTIONS}
    writers["log_binomial"] = write_log_binomial
    writers["complex_expm1"] = lambda: write_complex(
        "complex_expm1", complex_expm1, inputs_complex_expm1
    )
    writers["complex_log1p"] = lambda: write_complex(
        "complex_log1p", complex_log1p, inputs_complex_log1p
    )
    writers["gauss_legendre"] = write_gauss_legendre
    writers["double_double"] = write_double_double
    for name in names or writers:
        writers[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
