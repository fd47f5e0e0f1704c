"""A second opinion on a sample of every golden file, by routes that avoid the generators.

Special functions are compared with mpmath (which shares no code with Arb), quantiles by their
inverse, Gauss–Legendre rules by the moments they must integrate.  The δ(ε) are compared with the
definition: numerical integrals of densities, term-by-term sums over outcomes.
"""

import csv
import itertools
import math
from collections import Counter
from fractions import Fraction

from mpmath import mp, mpc, mpf

from golden import TESTDATA

#: Relative agreement demanded where the second route is a plain evaluation.
TIGHT = mpf(10) ** -48

#: The same where it is numerical quadrature.
QUADRATURE = mpf(10) ** -30

#: How many references of each file were compared.
compared = Counter()


def read(name, most):
    """At most `most` rows of a golden file, evenly spread, as dictionaries of strings."""
    with open(TESTDATA / f"{name}.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return rows[:: max(1, len(rows) // most)]


def number(text):
    """The exact value of an input (doubles and integers are exact in mpf)."""
    return mpf(int(text)) if text.lstrip("-").isdigit() else mpf(float(text))


def compare(name, row, reference, ours, tolerance=TIGHT):
    """Demand relative agreement (exact, of zeros)."""
    compared[name] += 1
    reference = mpf(reference)
    error = abs(ours - reference)
    if error > tolerance * abs(reference):
        raise SystemExit(f"{name}: {row}: second opinion {mp.nstr(ours, 55)}")


# ---------------------------------------------------------------------------------------------

SPECIAL = {
    "erfc": mp.erfc,
    "log_erfc": lambda x: mp.log(mp.erfc(x)),
    "erfcx": lambda x: mp.exp(x * x) * mp.erfc(x),
    "normal_cdf": mp.ncdf,
    "normal_log_cdf": lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2),
    "log_gamma": mp.loggamma,
    "exp": mp.exp,
    "log": mp.log,
    "expm1": lambda x: mp.exp(x) - 1,
    "log1p": lambda x: mp.log(1 + x),
    "log1mexp": lambda x: mp.log(1 - mp.exp(-x)),
}


def check_special():
    """Naive formulas at 700 digits: enough for any cancellation between doubles."""
    for name, function in SPECIAL.items():
        for row in read(f"special/{name}", 60):
            x = number(row["x"])
            mp.dps = 700 if abs(x) < 1e6 and name != "log_gamma" else 120
            if name == "log_gamma" and abs(x) < 1e-20:
                mp.dps = 400
            compare(name, row, row["value"], function(x))
    mp.dps = 80
    for row in read("special/normal_quantile", 200):
        # dp/p = φ(x)/Φ(x) dx, on the nearer tail.
        p, x = number(row["p"]), mpf(row["value"])
        if x == 0:
            assert p == mpf("0.5")
            continue
        slack = (mp.ncdf(x) - p) / mp.npdf(x)
        assert abs(slack) < TIGHT * abs(x), row
        compared["normal_quantile"] += 1
    mp.dps = 100
    for row in read("special/log_binomial", 200):
        n, k = int(row["n"]), int(row["k"])
        small = min(k, n - k)
        if small < 2000:
            ours = mp.log(mpf(math.prod(range(n - small + 1, n + 1))) / math.factorial(small))
        else:
            ours = mp.loggamma(n + 1) - mp.loggamma(k + 1) - mp.loggamma(n - k + 1)
        compare("log_binomial", row, row["value"], ours)
    mp.dps = 800
    for name, function in {
        "complex_expm1": lambda z: mp.exp(z) - 1,
        "complex_log1p": lambda z: mp.log(1 + z),
    }.items():
        for row in read(f"special/{name}", 200):
            value = function(mpc(number(row["re"]), number(row["im"])))
            compare(name, row, row["value_re"], value.real)
            compare(name, row, row["value_im"], value.imag)
    for row in read("special/double_double", 200):
        x = number(row["x_hi"]) + number(row["x_lo"])
        if row["exp"]:
            compare("double_double", row, row["exp"], mp.exp(x))
        if row["log"]:
            compare("double_double", row, row["log"], mp.log(x))
    mp.dps = 80
    rules = read("special/gauss_legendre", 10**9)
    for n, rule in itertools.groupby(rules, key=lambda row: int(row["n"])):
        points = [(mpf(row["node"]), mpf(row["weight"])) for row in rule]
        assert len(points) == n and points == sorted(points)
        for degree in {0, 1, 2, n - 1, n, 2 * n - 2, 2 * n - 1}:
            exact = mpf(0) if degree % 2 else mpf(2) / (degree + 1)
            assert abs(sum(w * x**degree for x, w in points) - exact) < mpf(10) ** -47, n
        compared["gauss_legendre"] += 2 * n


# ---------------------------------------------------------------------------------------------


def gaussian_by_integral(mu, epsilon):
    """(δ, 1 − δ) = ∫ φ(t)(1 − e^{−μ(t−a)})₊ dt with L = μ²/2 + μt > ε exactly for t > a."""
    a = epsilon / mu - mu / 2
    # Quadrature stops at an absolute error, so the densities are taken relative to the largest.
    if a > 0:
        scale = 1 / max(mpf(1), a)
        points = [a + scale * k for k in (0, 1, 2, 4, 8, 16, 32, 64, 128)]
        peak = a
    else:
        points = [a] + [mpf(k) for k in range(int(mp.floor(a)) + 1, 20) if k > -20]
        peak = mpf(0)
    factor = mp.npdf(peak)

    def density(t):
        return mp.exp((peak - t) * (peak + t) / 2)

    size = min(mu * (points[-1] - a), mpf(1))  # of the integrand where μ is small
    delta = mp.quad(lambda t: density(t) * -mp.expm1(-mu * (t - a)) / size, points) * size
    above = mp.quad(lambda t: density(t) * mp.exp(-mu * (t - a)), cut(points, a, mu))
    return factor * delta, mp.ncdf(a) + factor * above


def cut(points, a, mu):
    """Points for an integrand that also falls like e^{−μ(t−a)}."""
    near = [a + mpf(k) / mu for k in (1, 4, 16, 64, 128) if a + mpf(k) / mu < points[-1]]
    return sorted(set(points + near))


def parse(terms):
    """`a:b:c;…` as tuples of exact numbers."""
    return [tuple(number(part) for part in term.split(":")) for term in terms.split(";")]


def check_gaussians():
    mp.dps = 60
    for row in read("closed_form/gaussian", 80):
        mu = mp.sqrt(number(row["count"])) * number(row["sensitivity"]) / number(row["sigma"])
        delta, complement = gaussian_by_integral(mu, number(row["epsilon"]))
        compare("gaussian", row, row["delta"], delta, QUADRATURE)
        compare("gaussian", row, row["complement"], complement, QUADRATURE)
    for row in read("closed_form/gaussian_sum", 30):
        mu = mp.sqrt(sum(count * (s / sigma) ** 2 for sigma, s, count in parse(row["terms"])))
        delta, complement = gaussian_by_integral(mu, number(row["epsilon"]))
        compare("gaussian_sum", row, row["delta"], delta, QUADRATURE)
        compare("gaussian_sum", row, row["complement"], complement, QUADRATURE)
    mp.dps = 120
    for row in read("closed_form/pdp_gaussian", 300):
        mu = mp.sqrt(number(row["count"])) / number(row["sigma"])
        compare("pdp_gaussian", row, row["delta"], mp.ncdf(mu / 2 - number(row["epsilon"]) / mu))
    for row in read("closed_form/pdp_optimal_sigma", 200):
        # A unit in the last digit of σ moves the argument of Φ (at most 40 or so) by little.
        mu = mp.sqrt(number(row["count"])) / mpf(row["sigma"])
        value = mp.ncdf(mu / 2 - number(row["epsilon"]) / mu)
        compare("pdp_optimal_sigma", row, number(row["delta"]), value, mpf(10) ** -45)


def loss_terms(epsilon0, count, start=0):
    """(2j − count, P(j)) for j = start, …, count, each from log-gamma in mpmath."""
    log_p = -mp.log1p(mp.exp(-epsilon0))
    for j in range(start, count + 1):
        log_choose = mp.loggamma(count + 1) - mp.loggamma(j + 1) - mp.loggamma(count - j + 1)
        yield 2 * j - count, mp.exp(log_choose + count * log_p - (count - j) * epsilon0)


def check_responses():
    """The definition, outcome by outcome, for counts where that is quick."""
    mp.dps = 100
    for row in read("closed_form/randomized_response", 400):
        count, epsilon = int(row["count"]), number(row["epsilon"])
        if count > 1000:
            continue
        epsilon0, delta0 = number(row["epsilon0"]), number(row["delta0"])
        exact0, exact = Fraction(float(row["epsilon0"])), Fraction(float(row["epsilon"]))
        delta = complement = mpf(0)
        for steps, p in loss_terms(epsilon0, count):
            if exact0 * steps > exact:
                kept = mp.exp(epsilon - epsilon0 * steps)
                delta += p * (1 - kept)
                complement += p * kept
            else:
                complement += p
        hidden = (1 - delta0) ** count
        shown = -mp.expm1(count * mp.log1p(-delta0))
        compare("randomized_response", row, row["delta"], hidden * delta + shown)
        compare("randomized_response", row, row["complement"], hidden * complement)


def check_large_responses():
    """The definition again, for large counts, by recurrence away from the mode in mpmath."""
    mp.dps = 400
    done = 0
    for row in read("closed_form/randomized_response", 10**9)[::7]:
        count, epsilon = int(row["count"]), number(row["epsilon"])
        epsilon0, delta0 = number(row["epsilon0"]), number(row["delta0"])
        if count <= 1000 or done >= 40:
            continue
        done += 1
        exact0, exact = Fraction(float(row["epsilon0"])), Fraction(float(row["epsilon"]))
        odds = mp.exp(epsilon0)
        mode = int(count * odds / (1 + odds))
        log_choose = (
            mp.loggamma(count + 1) - mp.loggamma(mode + 1) - mp.loggamma(count - mode + 1)
        )
        top = mp.exp(log_choose + mode * epsilon0 - count * mp.log1p(odds))
        delta = complement = mpf(0)
        for step in (1, -1):
            j, term = mode, top
            shrink = mp.exp(-2 * step * epsilon0)
            kept = mp.exp(epsilon - epsilon0 * (2 * j - count))
            while 0 <= j <= count and term > mpf(10) ** -380:
                if step == 1 or j != mode:
                    if exact0 * (2 * j - count) > exact:
                        delta += term * (1 - kept)
                        complement += term * kept
                    else:
                        complement += term
                if step == 1:
                    term *= odds * (count - j) / (j + 1)
                else:
                    term *= j / (odds * (count - j + 1))
                j += step
                kept *= shrink
        hidden = (1 - delta0) ** count
        shown = -mp.expm1(count * mp.log1p(-delta0))
        compare("randomized_response", row, row["delta"], hidden * delta + shown)
        compare("randomized_response", row, row["complement"], hidden * complement)


def check_mixtures():
    mp.dps = 50
    for row in read("closed_form/gaussian_plus_response", 300):
        if int(row["response_count"]) > 12:
            continue
        mu = mp.sqrt(number(row["gaussian_count"])) / number(row["sigma"])
        epsilon0, delta0 = number(row["epsilon0"]), number(row["delta0"])
        count = int(row["response_count"])
        delta = complement = mpf(0)
        for steps, p in loss_terms(epsilon0, count):
            here = gaussian_by_integral(mu, number(row["epsilon"]) - epsilon0 * steps)
            delta += p * here[0]
            complement += p * here[1]
        hidden = (1 - delta0) ** count
        shown = -mp.expm1(count * mp.log1p(-delta0))
        compare("gaussian_plus_response", row, row["delta"], hidden * delta + shown, QUADRATURE)
        compare("gaussian_plus_response", row, row["complement"], hidden * complement, QUADRATURE)
    mp.dps = 100
    for row in read("closed_form/response_sum", 300):
        terms, epsilon = parse(row["terms"]), number(row["epsilon"])
        if math.prod(int(count) + 1 for _, _, count in terms) > 500:
            continue
        delta = complement = mpf(0)
        kinds = [
            [(steps * Fraction(float(e)), p) for steps, p in loss_terms(e, int(count))]
            for e, _, count in terms
        ]
        for outcome in itertools.product(*kinds):
            loss = sum(loss for loss, _ in outcome)
            p = math.prod((p for _, p in outcome), start=mpf(1))
            excess = loss - Fraction(float(row["epsilon"]))
            if excess > 0:
                kept = mp.exp(-mpf(excess.numerator) / excess.denominator)
                delta += p * (1 - kept)
                complement += p * kept
            else:
                complement += p
        hidden = math.prod(((1 - delta0) ** count for _, delta0, count in terms), start=mpf(1))
        shown = -mp.expm1(sum(count * mp.log1p(-delta0) for _, delta0, count in terms))
        compare("response_sum", row, row["delta"], hidden * delta + shown)
        compare("response_sum", row, row["complement"], hidden * complement)


def check_laplace():
    """∫ (p − e^ε q)₊ of the two Laplace densities, in units of the scale."""
    mp.dps = 60
    for row in read("closed_form/laplace", 100):
        d = number(row["sensitivity"]) / number(row["scale"])
        epsilon = number(row["epsilon"])
        if epsilon >= d:
            assert row["delta"] == "0" and mpf(row["complement"]) == 1, row
            continue
        if d > 1000:
            continue
        # p is centred at 0 and q at d, so that L(x) = |x − d| − |x|: ε is crossed at (d − ε)/2.
        crossing = (d - epsilon) / 2

        def excess(x):
            return mp.exp(-abs(x)) / 2 * -mp.expm1(epsilon - abs(x - d) + abs(x))

        inner = [mpf(0), crossing] if crossing <= 40 else [mpf(0), mpf(10), mpf(40), crossing]
        delta = mp.quad(excess, [-160, -40, -10, -1, *inner])
        compare("laplace", row, row["delta"], delta, QUADRATURE)


if __name__ == "__main__":
    for check in (
        check_special,
        check_gaussians,
        check_responses,
        check_large_responses,
        check_mixtures,
        check_laplace,
    ):
        check()
        print(f"{check.__name__}: agrees", flush=True)
    for name, count in compared.items():
        print(f"{name}: {count} references compared")
