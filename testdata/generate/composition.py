"""Write testdata/composition/: δ(ε) of composed mechanisms.

Run without arguments for every file, or with the names of some.
"""

import math
import sys
import time

from flint import arb, ctx

import golden
from closed_form import gaussian_delta
from compose import exact
from compose.contour import Contour
from compose.transform import Failed
from compose.uses import Use, expression, infinite, log_float
from golden import log_uniform, rng_for
from pairs import laws
from pairs.evaluate import divergence, float_loss
from pairs.evaluate import proven as proven_parts
from pairs.parts import ExponentialPart, GaussianPart, Infeasible, Undecided, VariancePart

#: Printed digits: two routes agree to more.
DIGITS = 36

HEADER = ["expression", "direction", "epsilon", "delta"]

LN10 = math.log(10)


def decimal(value):
    """A ball or a mid-point as `d.ddd…e±N` with `DIGITS` digits."""
    if value.is_zero():
        return "0"
    ctx.prec = 400
    old, golden.DIGITS = golden.DIGITS, DIGITS
    try:
        return golden.decimal(value.mid())
    finally:
        golden.DIGITS = old


def row(uses, sign, epsilon, delta):
    quoted = '"' + expression(uses).replace('"', '""') + '"'
    return quoted, "remove" if sign > 0 else "add", epsilon, decimal(delta)


# --- sampled Gaussians ---------------------------------------------------------------------------


def gaussian(sigma, sensitivity=1.0):
    return laws.made("gaussian", laws.gaussian, True, sigma=sigma, sensitivity=sensitivity)


def one_use(use, sign, epsilon):
    """δ of a single use, from the definition (57 proven digits)."""
    return proven_parts(lambda: divergence(use.build, use.gamma, sign, epsilon)[:1])[0]


def all_gaussian(uses, epsilon):
    """δ of unsampled Gaussians: one Gaussian (57 proven digits)."""

    def value():
        mu_squared = arb(0)
        for use in uses:
            mu_squared += use.count * use.build().parts[0].shifts[0] ** 2
        return gaussian_delta(mu_squared, arb(epsilon))[0]

    return golden.proven(value)


def some_target(rng, largest):
    """log δ: half log-uniform down to 10⁻³⁰⁰, half in the range that is used in practice."""
    lowest = -300 * LN10 if rng.random() < 0.5 else max(-16 * LN10, largest - 37)
    return rng.uniform(lowest, largest - 0.05)


def some_epsilon(rng, contour):
    """(ε, c) with ε > 0 for a random δ."""
    largest = contour.guess(contour.saddle(0.0))[1]
    epsilon, c = contour.epsilon_for(some_target(rng, min(largest, math.log(0.9))))
    if rng.random() < 0.3 and epsilon > 0.02:
        rounded = float(f"{epsilon:.2g}")
        epsilon, c = rounded, contour.saddle(rounded)
    return epsilon, c


COUNTS = [1, 2, 5, 10, 100, 10**3, 10**4, 10**5, 10**6, 10**8]


def some_count(rng, counts=COUNTS):
    if rng.random() < 0.7:
        return rng.choice(counts)
    return int(log_uniform(rng, 1, max(counts)))


def some_sampled_gaussian(rng):
    sigma = log_uniform(rng, 0.3, 100) if rng.random() < 0.5 else log_uniform(rng, 0.4, 5)
    count = some_count(rng)
    rate = log_uniform(rng, 1e-6, 1)
    if rng.random() < 0.6:  # a total that is neither nothing nor everything
        total = log_uniform(rng, 0.05, 20)
        rate = min(1.0, total * max(sigma, 0.6) / math.sqrt(count))
    if rng.random() < 0.25:
        sigma = rng.choice([0.5, 0.7, 0.8, 1.0, 1.1, 1.5, 2.0, 4.0, 10.0])
        rate = min(1.0, max(1e-6, float(f"{rate:.1g}")))
    rate = max(rate, 1e-6)
    return Use(gaussian(sigma), rate, count)


def sampled_gaussian_row(rng):
    use = some_sampled_gaussian(rng)
    sign = rng.choice([1, -1])
    contour = Contour([use], sign)
    epsilon, c = some_epsilon(rng, contour)
    if use.gamma == 1:
        return row([use], sign, epsilon, all_gaussian([use], epsilon))
    if use.count == 1:
        return row([use], sign, epsilon, one_use(use, sign, epsilon))
    return row([use], sign, epsilon, contour.delta(epsilon, c))


# --- any composition -----------------------------------------------------------------------------


def sizes(use):
    """How many atoms; `None` if there is more than atoms."""
    ctx.prec = 200
    pair = use.build()
    if pair.parts:
        return None
    return len(use.finite_atoms(1))


def some_tilt(rng, contour):
    """An ε from a random tilt, in units of the spread of the loss."""
    spread = math.sqrt(float(contour.cumulant(1e-3)[2]))
    far = log_uniform(rng, 0.3, 40) if rng.random() < 0.7 else log_uniform(rng, 5, 400)
    c = max(far / max(spread, 1e-9), 1e-3)
    epsilon, log_delta = contour.guess(c)
    if log_delta < -690:
        raise Failed("too small")
    if epsilon < 0:
        epsilon = rng.choice([0.0, -epsilon, spread * rng.random()])
    return epsilon


def atom_epsilon(rng, use, sign, contour):
    """An ε by tilt; or at, or beside, the loss of an outcome; or 0; or beyond every loss."""
    kind = rng.random()
    if kind < 0.65:
        return some_tilt(rng, contour)
    if kind < 0.7:
        return 0.0
    losses = [float(loss) for loss, _, _ in exact.all_atoms(use, sign)]
    if kind < 0.75:
        return use.count * max(losses) * rng.choice([1.0, 1.5])
    near = some_tilt(rng, contour)
    top, bottom = max(losses), min(losses)
    if top == bottom:
        return abs(near)
    hits = round((near - use.count * bottom) / (top - bottom))
    epsilon = hits * top + (use.count - hits) * bottom
    if rng.random() < 0.4:
        epsilon = math.nextafter(epsilon, rng.choice([-math.inf, math.inf]))
    return epsilon if abs(epsilon) > 1e-12 else 0.0


MOST_OUTCOMES = 40_000


def atoms_delta(use, sign, epsilon):
    """δ of many uses of a mechanism with atoms only."""
    ctx.prec = 400
    if lattice_only(use):
        count = None
    else:
        count = len(exact.all_atoms(use, sign))
        if count == 1:
            return exact.halves([use], sign, epsilon)
        if count == 2 and use.count > 60:
            return exact.two_atoms(use, sign, epsilon)
        if exact.outcomes(count, use.count - use.count // 2) <= MOST_OUTCOMES:
            return exact.halves([use], sign, epsilon)
    if exact.lattice(use):
        if count is not None:
            top = max(float(loss) for loss, _, _ in use.finite_atoms(sign)) * use.count
            if epsilon >= top * (1 - 1e-9):
                raise Failed("at the end")
        return exact.lattice_delta(use, sign, epsilon)
    raise Failed("too many outcomes")


def lattice_only(use):
    """A lattice so wide, or used so often, that its outcomes are not listed."""
    pair = use.build()
    return bool(pair.parts) and use.gamma == 1 and use.count > 1


def some_rate(rng):
    return rng.choice([0.5, 0.1, 0.01, log_uniform(rng, 1e-4, 1), log_uniform(rng, 1e-2, 1)])


def some_discrete(rng):
    """(base, how many uses at most)."""
    kind = rng.randrange(10)
    size = log_uniform(rng, 1e-3, 3)
    if kind == 0:
        return laws.made("randomized_response", laws.response, True, epsilon=size), 10**6
    if kind == 1:
        p = rng.uniform(0.5, 0.95)
        return laws.made("randomized_response", laws.response_by_chance, True, p=p), 10**6
    if kind in (2, 3):
        k = rng.choice([3, 4, 10, int(log_uniform(rng, 3, 1e5))])
        made = laws.made("k_randomized_response", laws.k_response, True, categories=k, epsilon=size)
        return made, 10**6
    if kind == 4:
        delta = rng.choice([0.0, log_uniform(rng, 1e-15, 1e-4)])
        return laws.made("dp", laws.approximate, True, epsilon=size, delta=delta), 10**6
    if kind in (5, 6):
        s = rng.choice([1, 2, 3, 5, 20])
        scale = s * log_uniform(rng, 0.3, 50)
        made = laws.made("discrete_laplace", laws.discrete_laplace, True, scale=scale, sensitivity=s)
        return made, 10**3
    if kind == 7:
        s = rng.choice([1, 1, 2, 5])
        sigma = s * log_uniform(rng, 0.4, 12)
        made = laws.made("discrete_gaussian", laws.discrete_gaussian, True, sigma=sigma, sensitivity=s)
        return made, 10**3
    if kind == 8:
        n = rng.choice([1, 2, 3, 5, 8, 12, 20, 40])
        p = rng.choice([0.5, 0.5, rng.uniform(0.1, 0.9)])
        return laws.made("binomial", laws.binomial, False, n=n, p=p, sensitivity=1), 10**3
    n = rng.choice([1, 2, 10, 50])
    m = rng.randint(1, n)
    size = min(size, 20.0 / n)
    made = laws.made("exponential", laws.exponential_count, False, epsilon_tilde=size, n=n, m=m)
    return made, 10**6


def some_staircase(rng):
    gamma = rng.choice([0.0, 0.3, 0.5, rng.random(), 1 / (1 + math.exp(0.5))])
    epsilon = log_uniform(rng, 1e-3, 3)
    return laws.made("staircase", laws.staircase, True, epsilon=epsilon, gamma=gamma), 10**6


def staircase_row(rng):
    return discrete_row(rng, some_staircase)


def discrete_row(rng, some_base=some_discrete):
    base, most = some_base(rng)
    rate = some_rate(rng) if rng.random() < 0.35 else 1.0
    choices = [1, 2, 3, 4, 5, 8, 10, 20, 50, 100, 300, 10**3, 10**4, 10**5, 10**6]
    count = rng.choice([k for k in choices if k <= most])
    if rng.random() < 0.3:
        count = int(log_uniform(rng, 1, most))
    use = Use(base, rate, count)
    sign = rng.choice([1, -1])
    ctx.prec = 200
    size = sizes(use)
    if size is None and use.gamma != 1:
        use.count = min(count, rng.choice([1, 2, 3, 4]))
        ctx.prec = 64
        if float(use.build().parts[0].sigma) > 4 and use.count > 1:
            return None
    elif size and size > 2 and not exact.lattice(use):
        while exact.outcomes(size, use.count - use.count // 2) > MOST_OUTCOMES:
            use.count = max(1, use.count * 2 // 3)
    contour = Contour([use], sign)
    epsilon = atom_epsilon(rng, use, sign, contour) + 0.0
    if not math.isfinite(epsilon) or epsilon > 700 or epsilon < -50:
        return None
    if use.count == 1:
        delta = one_use(use, sign, epsilon)
    else:
        delta = atoms_delta(use, sign, epsilon)
    return row([use], sign, epsilon, delta)


# --- Laplace, and others -------------------------------------------------------------------------


def laplace(scale, sensitivity=1.0):
    return laws.made("laplace", laws.laplace, True, scale=scale, sensitivity=sensitivity)


def exponential_type(use):
    """Atoms, or the ends and densities that `exact.residues` knows."""
    ctx.prec = 200
    return exact.ends(use, 1) is not None


def delta_of(use, sign, epsilon, c=None):
    """δ of many uses of one mechanism, by the method that suits it."""
    ctx.prec = 200
    if use.count == 1:
        return one_use(use, sign, epsilon)
    pair = use.build()
    if not pair.parts:
        return atoms_delta(use, sign, epsilon)
    part = pair.parts[0]
    if isinstance(part, VariancePart) and use.gamma == 1 and use.count <= 1000:
        return exact.variance_delta(use, sign, epsilon)
    if exponential_type(use) and use.count <= 300:
        return exact.residues([use], sign, epsilon)
    bounded = getattr(part, "low", None) is not None
    if bounded and use.count <= 3:
        span = float(part.high - part.low)
        if span > (4 if use.count == 3 else 60):
            raise Failed("nested too wide")
        try:
            return exact.nested_delta(use, sign, epsilon)
        except Failed:
            if use.count == 3:
                raise
            return exact.nested_delta(use, sign, epsilon, 2.2)
    return Contour([use], sign).delta(epsilon, c)


def bounded_epsilon(rng, use, sign, contour):
    if rng.random() < 0.06:
        return 0.0, None
    if rng.random() < 0.1 and use.count <= 10:
        ctx.prec = 200
        found = []
        for part in use.build().parts:
            if isinstance(part, ExponentialPart):
                found += [float_loss(float(x), use.gamma, sign) for x in (part.low, part.high)]
        if found:
            top, bottom = max(found), min(found)
            hits = rng.randint((use.count + 1) // 2, use.count)
            return abs(hits * top + (use.count - hits) * bottom), None
    if use.count <= 300:
        return some_tilt(rng, contour), None
    return some_epsilon(rng, contour)


LAPLACE_COUNTS = [1, 2, 3, 5, 10, 50, 100, 10**3, 10**4, 10**6]


def laplace_row(rng):
    rate = some_rate(rng) if rng.random() < 0.4 else 1.0
    count = some_count(rng, LAPLACE_COUNTS)
    if rng.random() < 0.3:
        count = rng.choice([1000, 10**4, 10**6])
    if rate == 1 and rng.random() < 0.15:
        count = rng.choice([200, 300, 2, 3])
    s = 1.0 if rng.random() < 0.7 else log_uniform(rng, 0.05, 20)
    scale = s * log_uniform(rng, 0.2, 20)
    if count >= 1000 or rate != 1 and count > 3:
        scale = s * max(0.3, math.sqrt(count) * log_uniform(rng, 0.03, 3))
        count = max(count, rng.choice([300, 1000]))
        if rng.random() < 0.3:
            scale = s * rng.choice([0.5, 1.0, 2.0, 10.0, 100.0])
    use = Use(laplace(scale, s), rate, count)
    sign = rng.choice([1, -1])
    contour = Contour([use], sign)
    epsilon, c = bounded_epsilon(rng, use, sign, contour)
    if epsilon > 700 and rng.random() < 0.7:
        return None
    return row([use], sign, epsilon, delta_of(use, sign, epsilon, c))


def some_other(rng):
    """(base, allowed counts, whether to sample)."""
    kind = rng.randrange(9)
    s = 1.0 if rng.random() < 0.7 else log_uniform(rng, 0.1, 10)
    many = [1, 2, 3, 30, 100, 300, 10**3, 10**4]
    if kind == 0:
        sigma = s * log_uniform(rng, 0.5, 60)
        bound = max(sigma * rng.uniform(2, 9), s * rng.uniform(0.6, 3))
        parameters = {"sigma": sigma, "bound": bound, "sensitivity": s}
        return laws.made("truncated_gaussian", laws.truncated_gaussian, True, **parameters), many
    if kind == 1:
        scale = s * log_uniform(rng, 0.3, 60)
        bound = max(scale * rng.uniform(2, 40), s * rng.uniform(0.6, 3))
        parameters = {"scale": scale, "bound": bound, "sensitivity": s}
        made = laws.made("truncated_laplace", laws.truncated_laplace, True, **parameters)
        return made, [1, 2, 3, 5, 10, 50, 100, 300, 1000, 10**4]
    if kind == 2:
        width = s * log_uniform(rng, 1.5, 1e6)
        return laws.made("uniform", laws.uniform, True, width=width, sensitivity=s), many
    if kind == 3:
        expression_, build, symmetric = laws.draw_mixture(rng)
        return (expression_, build, symmetric), [1, 2, 5, 10, 100, 10**3, 10**4]
    if kind == 4:
        return laws.draw_variance(rng), [1, 2, 5, 10, 50, 100, 10**3, 10**4]
    if kind == 5:
        epsilon = log_uniform(rng, 1e-2, 4)
        made = laws.made("exponential", laws.exponential, True, epsilon=epsilon)
        return made, [1, 2, 3, 5, 10, 30, 100, 200, 10**3, 10**4]
    if kind == 6:
        epsilon = log_uniform(rng, 1e-2, 3)
        delta = log_uniform(rng, 1e-12, 1e-2) * min(1.0, epsilon)
        made = laws.made("stability", laws.stability, False, epsilon=epsilon, delta=delta)
        return made, [1, 2, 3, 5, 10, 50, 100, 1000, 10**4]
    if kind == 7:
        sigma, ratio = log_uniform(rng, 0.3, 10), 1 + log_uniform(rng, 0.05, 1)
        both = (sigma, sigma * ratio) if rng.random() < 0.5 else (sigma * ratio, sigma)
        parameters = {"sigma1": both[0], "sigma2": both[1]}
        made = laws.made("gaussian_variance", laws.gaussian_variance, False, **parameters)
        return made, [1, 50, 100, 300, 1000]
    sigma = s * log_uniform(rng, 0.7, 20)
    return gaussian(sigma, s), [1, 2, 5, 10, 100, 10**3, 10**4]


def other_row(rng):
    base, counts = some_other(rng)
    count = rng.choice(counts) if rng.random() < 0.75 else int(log_uniform(rng, 1, max(counts)))
    plain = base[0].startswith("gaussian(")
    often = 0.7 if base[0].startswith("gaussian_variance") else 0.4
    rate = some_rate(rng) if plain or rng.random() < often else 1.0
    word = "subset" if plain or base[2] and rng.random() < 0.2 else "poisson"
    use = Use(base, rate, count, word)
    sign = rng.choice([1, -1])
    ctx.prec = 200
    if infinite([use], sign) > 0.95:
        return None
    contour = Contour([use], sign)
    if base[0].startswith("uniform"):
        epsilon, c = atom_epsilon(rng, use, sign, contour) if rate < 1 else rng.choice(
            [0.0, log_uniform(rng, 1e-3, 3), -log_uniform(rng, 1e-3, 1)]
        ), None
    elif base[0].startswith("gaussian") or base[0].startswith("truncated_gaussian"):
        epsilon, c = some_epsilon(rng, contour)
    else:
        epsilon, c = bounded_epsilon(rng, use, sign, contour)
    if not math.isfinite(epsilon) or epsilon > 700:
        return None
    return row([use], sign, epsilon, delta_of(use, sign, epsilon, c))


# --- different mechanisms together ---------------------------------------------------------------


def some_part(rng):
    kind = rng.randrange(5)
    if kind == 0:
        count = rng.choice([1, 1, 2, 10, 50])
        return Use(gaussian(math.sqrt(count) * log_uniform(rng, 0.7, 30)), 1.0, count)
    if kind == 1:
        count = rng.choice([1, 10, 100, 10**3, 10**4])
        sigma = log_uniform(rng, 0.7, 5)
        rate = min(1.0, log_uniform(rng, 0.02, 3) * sigma / math.sqrt(count))
        if rng.random() < 0.4:
            sigma, rate = float(f"{sigma:.2g}"), min(1.0, float(f"{rate:.1g}"))
        return Use(gaussian(sigma), rate, count)
    if kind == 2:
        count = rng.choice([1, 1, 2, 5, 12, 30])
        return Use(laplace(math.sqrt(count) * log_uniform(rng, 0.5, 20)), 1.0, count)
    count = rng.choice([1, 2, 5, 10, 20, 100])
    epsilon = log_uniform(rng, 0.01, 2) / math.sqrt(count)
    if rng.random() < 0.3:
        epsilon = float(f"{epsilon:.1g}")
    if kind == 3:
        made = laws.made("randomized_response", laws.response, True, epsilon=epsilon)
    else:
        delta = rng.choice([0.0, log_uniform(rng, 1e-15, 1e-3)])
        made = laws.made("dp", laws.approximate, True, epsilon=epsilon, delta=delta)
    return Use(made, 1.0, count)


def heterogeneous_row(rng):
    uses = [some_part(rng) for _ in range(rng.choice([2, 2, 3, 3, 4, 5, 6]))]
    sign = rng.choice([1, -1])
    contour = Contour(uses, sign)
    ctx.prec = 200
    smooth = any(isinstance(p, GaussianPart) for use in uses for p in use.build().parts)
    if smooth:
        if all(use.gamma == 1 and use.base.startswith("gaussian(") for use in uses):
            return None
        epsilon, c = some_epsilon(rng, contour)
        return row(uses, sign, epsilon, contour.delta(epsilon, c))
    terms = order = 1
    for use in uses:
        terms *= use.count + 1
        order += use.count if use.base.startswith("laplace") else 0
    if terms * order > 200_000:
        return None
    epsilon = some_tilt(rng, contour)
    return row(uses, sign, epsilon, exact.residues(uses, sign, epsilon))


# --- named cases ---------------------------------------------------------------------------------

#: (σ, sampling rate, steps) of published and customary training runs.
TRAINING = [
    (0.8, 4096 / 1.2e6, 26367),
    (1.1, 256 / 60000, 14063),
    (1.3, 250 / 60000, 3600),
    (0.7, 250 / 60000, 10800),
    (1.0, 512 / 50000, 4882),
    (4.0, 600 / 60000, 10000),
    (1.5, 4096 / 50000, 2500),
    (2.5, 16384 / 1281167, 5631),
    (1.2, 2048 / 1e6, 20000),
    (10.0, 0.1, 2000),
]


def solved(use, sign, delta):
    """(ε, δ(ε)) at the double nearest to the solution, by the secant rule on log δ."""
    contour = Contour([use], sign, patience=4)
    goal = math.log(delta)
    x = contour.epsilon_for(goal)[0]
    y = log_float(contour.delta(x)) - goal
    slope = -contour.saddle(x)
    for _ in range(12):
        following = x - y / slope
        value = contour.delta(following)
        ctx.prec = 400
        error = float((value / arb(repr(delta))).log())
        if following != x and error != y:
            slope = (error - y) / (following - x)
        done = abs(following - x) <= 2e-16 * abs(x) or abs(error / slope) < 1e-17 * abs(x)
        x, y = following, error
        if done:
            return x, value
    raise Failed("not solved")


def peer_rows():
    found = []
    use = Use(gaussian(100.0), 1.0, 10000)
    for sign in (1, -1):
        for epsilon in (7.0, 8.0):
            found.append(row([use], sign, epsilon, all_gaussian([use], epsilon)))
    cases = [(1.0, 0.01, 1000), (1.0, 0.01, 10000)] + TRAINING
    for sigma, rate, count in cases:
        use = Use(gaussian(sigma), rate, count)
        for delta in (1e-5, 1e-12):
            for sign in (1, -1):
                try:
                    found.append(row([use], sign, *solved(use, sign, delta)))
                except Failed as error:
                    print(f"  dropped: {use.text()} {delta} {sign}: {error}", flush=True)
    return found


# --- files ---------------------------------------------------------------------------------------

FILES = {
    "peers": (0, peer_rows, "δ(ε) of cases that other accountants publish, or are used in training."),
    "sampled_gaussian": (
        420,
        sampled_gaussian_row,
        "δ(ε) of Poisson-sampled Gaussian mechanisms.",
    ),
    "discrete": (260, discrete_row, "δ(ε) of mechanisms whose loss has atoms only."),
    "staircase": (80, staircase_row, "δ(ε) of staircase noise."),
    "laplace": (180, laplace_row, "δ(ε) of Laplace mechanisms, sampled or not."),
    "others": (240, other_row, "δ(ε) of the other mechanisms, sampled or not."),
    "heterogeneous": (230, heterogeneous_row, "δ(ε) of different mechanisms together."),
}


def rows(name, count, make):
    rng = rng_for(f"composition/{name}")
    found, reasons, started = [], {}, time.time()
    while len(found) < count:
        begun = time.time()
        try:
            made = make(rng)
        except (Failed, Infeasible, Undecided, golden.TooInaccurate, OverflowError) as error:
            reason = f"{type(error).__name__}: {str(error)[:20]}"
            reasons[reason] = reasons.get(reason, 0) + 1
            made = None
        if time.time() - begun > 15:
            print(f"  {time.time() - begun:.0f} s: {made and made[:3]}", file=sys.stderr)
        if made is None:
            continue
        if not (made[3] == "0" or int(made[3].split("e")[1]) > -305):
            continue
        found.append(made)
        if len(found) % 25 == 0:
            print(f"  {name}: {len(found)}, {time.time() - started:.0f} s", file=sys.stderr)
    print(f"{name}: {time.time() - started:.0f} s, dropped {reasons}", flush=True)
    return found


def write(name, what, found):
    path = golden.TESTDATA / "composition" / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"# {line}" for line in what.strip().splitlines()]
    lines.append(
        "# Generated by testdata/generate/composition.py: inputs are exact doubles or integers,"
        f" references have {DIGITS} digits."
    )
    lines.append(",".join(HEADER))
    for entry in found:
        lines.append(",".join(golden.field(value) for value in entry))
    path.write_text("\n".join(lines) + "\n")
    print(f"composition/{name}: {len(found)} rows, {path.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or FILES:
        count, make, what = FILES[name]
        write(name, what, rows(name, count, make) if count else make())
