"""Write testdata/composition/contour.csv: δ(ε) of compositions of every kind, up to 10⁹ uses.

All mechanisms, alone and in sums of two to five, plain or sampled either way, in all directions
(`replace` among them, also of samples of fixed size), with δ from 0.9 down to 10⁻³⁰⁰.  The methods are
those of `composition.py`.

Every row has a random generator of its own, so that rows can be made in any order: `contour.py N`
uses N processes.
"""

import math
import sys
from multiprocessing import Pool

from flint import arb, ctx

import composition
import golden
from composition import (
    all_gaussian,
    atoms_delta,
    exponential_type,
    gaussian,
    laplace,
    one_use,
    some_epsilon,
    some_tilt,
)
from compose import contour as method
from compose import exact
from compose.contour import Contour
from compose.joined import JoinedUse
from compose.transform import Failed
from compose.uses import Use, expression, infinite
from golden import log_uniform, rng_for
from pairs import laws
from pairs.parts import GaussianPart, Infeasible, LatticePart, Undecided, VariancePart

ROWS = 1058

#: As a part of what `composition.py` spends on a row at most.
PATIENCE = 0.12

#: Fewer digits than there, but three times as many rows in the same time.
DIGITS = 28
method.PRECISIONS = (250, 300)
for module in (method, exact):
    module.TARGET, module.AGREEMENT = 78.0, arb(10) ** -30

MOST_USES = 1e9


def decimal(value):
    composition.DIGITS, old = DIGITS, composition.DIGITS
    try:
        return composition.decimal(value)
    finally:
        composition.DIGITS = old


def some_count(rng):
    count = int(log_uniform(rng, 1, MOST_USES))
    return 10 ** round(math.log10(count)) if rng.random() < 0.2 else count


def some_spread(rng, count):
    """The standard deviation that a single use should have, so that all together have a usual one."""
    total = log_uniform(rng, 0.02, 12) if rng.random() < 0.85 else log_uniform(rng, 1e-4, 60)
    return total / math.sqrt(count)


def rounded(rng, value, digits=2):
    return float(f"{value:.{digits}g}") if rng.random() < 0.25 else value


def some_gaussian(rng, count):
    """(base, rate)."""
    spread = some_spread(rng, count)
    if rng.random() < 0.2:
        return gaussian(rounded(rng, 1 / spread)), 1.0
    low = max(0.3, min(50.0, 1e-6 / spread))
    sigma = log_uniform(rng, low, 100) if rng.random() < 0.3 else log_uniform(rng, low, max(2 * low, 4.0))
    # Standard deviation of the loss of a rare sample: q·√(e^{1/σ²} − 1).
    rate = spread / math.sqrt(math.expm1(min(1 / sigma**2, 20.0)))
    if rng.random() < 0.15:
        rate = log_uniform(rng, 1e-6, 1)
    return gaussian(rounded(rng, sigma)), min(1.0, max(1e-6, rounded(rng, rate, 1)))


def some_base(rng, spread):
    """A mechanism whose loss has about that standard deviation (where it can)."""
    kind = rng.randrange(13)
    small = min(max(spread, 1e-6), 4.0)
    if kind <= 1:
        return laplace(rounded(rng, 1 / max(spread, 1e-7)))
    if kind == 2:
        sigma, s = max(0.3, 1 / spread), 1.0
        bound = max(sigma * rng.uniform(3, 8.5), 0.6 * s)
        return laws.made("truncated_gaussian", laws.truncated_gaussian, True, sigma=sigma, bound=bound, sensitivity=s)
    if kind == 3:
        scale = max(0.3, 1 / spread)
        bound = max(scale * rng.uniform(4, 45), 0.6)
        return laws.made("truncated_laplace", laws.truncated_laplace, True, scale=scale, bound=bound, sensitivity=1.0)
    if kind == 4:
        sigma = max(0.3, 2 / spread)
        shifts = sorted(rng.choice([0.0, 1.0, 2.0, rng.uniform(0.1, 3)]) for _ in range(rng.choice([2, 3])))
        if shifts[-1] == 0:
            shifts[-1] = 1.0
        weights = [0.25, 0.75] if len(shifts) == 2 else [0.5, 0.375, 0.125]
        shown = laws.text(
            "gaussian_mixture", sigma=sigma, shifts=",".join(map(repr, shifts)), weights=",".join(map(repr, weights))
        )
        return shown, (lambda: laws.gaussian_mixture(sigma, shifts, weights)), False
    if kind == 5:
        ratio = 1 + min(spread, 2.0)
        both = (1.0, ratio) if rng.random() < 0.5 else (ratio, 1.0)
        return laws.made("gaussian_variance", laws.gaussian_variance, False, sigma1=both[0], sigma2=both[1])
    if kind == 6:
        return laws.made("exponential", laws.exponential, True, epsilon=2 * small)
    if kind == 7:
        delta = log_uniform(rng, 1e-14, 1e-6) * min(1.0, small)
        return laws.made("stability", laws.stability, False, epsilon=small, delta=delta)
    if kind == 8:
        return laws.made("randomized_response", laws.response, True, epsilon=small)
    if kind == 9:
        k = rng.choice([3, 10, int(log_uniform(rng, 3, 1e4))])
        return laws.made("k_randomized_response", laws.k_response, True, categories=k, epsilon=small)
    if kind == 10:
        delta = rng.choice([0.0, log_uniform(rng, 1e-16, 1e-9)])
        return laws.made("dp", laws.approximate, True, epsilon=small, delta=delta)
    if kind == 11:
        s = rng.choice([1, 2, 3, 5])
        scale = min(s / max(spread, 1e-6), 1e6)
        return laws.made("discrete_laplace", laws.discrete_laplace, True, scale=scale, sensitivity=s)
    s = rng.choice([1, 1, 2])
    sigma = min(max(0.4, s / spread), 15.0)
    return laws.made("discrete_gaussian", laws.discrete_gaussian, True, sigma=sigma, sensitivity=s)


def some_rate(rng):
    return rounded(rng, log_uniform(rng, 1e-4, 0.9), 1)


def some_use(rng, count, relation):
    if rng.random() < 0.35:
        base, rate = some_gaussian(rng, count)
        if rate == 1:
            return Use(base, 1.0, count)
        sampled = True
    else:
        sampled = rng.random() < 0.5
        rate = some_rate(rng) if sampled else 1.0
        base = some_base(rng, min(some_spread(rng, count) / rate, 3.0))
    if relation == "replace" and not base[2]:
        raise Failed("not symmetric")
    if not sampled:
        return Use(base, 1.0, count)
    if relation == "replace":
        return JoinedUse(base, rate, count)
    word = "subset" if base[2] and rng.random() < 0.4 else "poisson"
    return Use(base, rate, count, word)


def finite_epsilon(rng, contour, uses):
    if rng.random() < 0.04:
        return 0.0
    smooth = any(isinstance(p, (GaussianPart, VariancePart)) for use in uses for p in use.build().parts)
    if smooth or sum(use.count for use in uses) > 300:
        return some_epsilon(rng, contour)[0]
    return some_tilt(rng, contour)


def delta_of(uses, sign, epsilon, contour):
    """By whatever suits the composition."""
    if all(use.gamma == 1 and use.base.startswith("gaussian(") for use in uses):
        return all_gaussian(uses, epsilon)
    if len(uses) > 1 or isinstance(uses[0], JoinedUse):
        if not any(isinstance(use, JoinedUse) for use in uses) and all(exponential_type(use) for use in uses):
            terms = order = 1
            for use in uses:
                terms *= use.count + 1
                order += use.count if use.build().parts else 0
            if terms * order < 100_000:
                return exact.residues(uses, sign, epsilon)
        return contour.delta(epsilon)
    use = uses[0]
    if use.count == 1:
        return one_use(use, sign, epsilon)
    pair = use.build()
    if not pair.parts:
        if len(exact.all_atoms(use, sign)) == 2 and use.count > 10**6:
            raise Failed("too many uses")
        return atoms_delta(use, sign, epsilon)
    part = pair.parts[0]
    if isinstance(part, VariancePart) and use.gamma == 1 and use.count <= 300:
        return exact.variance_delta(use, sign, epsilon)
    if use.count <= 100 and exponential_type(use):
        return exact.residues([use], sign, epsilon)
    return contour.delta(epsilon)


def draw(rng):
    """(relation, uses)."""
    relation = rng.choice(["add", "remove", "add", "remove", "replace"])
    many = 1 if rng.random() < 0.7 else rng.choice([2, 2, 3, 4, 5])
    return relation, [some_use(rng, some_count(rng), relation) for _ in range(many)]


def make(rng):
    relation, uses = draw(rng)
    sign = -1 if relation == "add" else 1
    ctx.prec = 200
    if any(isinstance(part, LatticePart) for use in uses for part in use.build().parts):
        raise Failed("along the line |M| comes back: discrete.csv has such rows, by other methods")
    if infinite(uses, sign) > 0.9:
        return None
    contour = Contour(uses, sign, PATIENCE)
    epsilon = finite_epsilon(rng, contour, uses)
    if not 0 <= epsilon < 1e5:
        return None
    delta = delta_of(uses, sign, epsilon, contour)
    ctx.prec = 200
    if not 1e-305 < delta < 1:
        return None
    quoted = '"' + expression(uses).replace('"', '""') + '"'
    return quoted, relation, epsilon, decimal(delta)


def attempt(index):
    try:
        return make(rng_for(f"contour/{index}"))
    except (Failed, Infeasible, Undecided, golden.TooInaccurate, OverflowError, ZeroDivisionError, ValueError):
        return None


def main(processes):
    found = []
    with Pool(processes) as pool:
        for index, made in enumerate(pool.imap(attempt, range(100_000))):
            if made:
                found.append(made)
            if index % 100 == 0:
                print(f"{index}: {len(found)}", file=sys.stderr, flush=True)
            if len(found) == ROWS:
                pool.terminate()
                break
    path = golden.TESTDATA / "composition" / "contour.csv"
    lines = [
        "# δ(ε) of compositions of all mechanisms, directions and samplers, up to 10⁹ uses.",
        "# Generated by testdata/generate/contour.py: inputs are exact doubles or integers,"
        f" references have {DIGITS} digits.",
        ",".join(composition.HEADER),
    ]
    lines += [",".join(golden.field(value) for value in entry) for entry in found]
    path.write_text("\n".join(lines) + "\n")
    print(f"composition/contour: {len(found)} rows, {path.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
