"""Write testdata/pair/: one worst-case pair each, unsampled and sampled, from the definition."""

import math
import sys
import time
from fractions import Fraction

from flint import arb, ctx

import golden
from golden import log_uniform, rng_for, write
from pairs import laws
from pairs.evaluate import (
    divergence,
    float_loss,
    moments,
    proven,
    transform,
)
from pairs.parts import Infeasible, LatticePart, VariancePart

#: Nonzero references smaller than this are left out.
SMALLEST = 1e-305

HEADER = [
    "expression",
    "direction",
    "epsilon",
    "delta",
    "p_tail",
    "q_tail",
    "p_infinite",
    "q_only",
    "z_re",
    "z_im",
    "m_re",
    "m_im",
    "mean",
    "variance",
    "third",
]

FILES = {
    "gaussian": laws.draw_gaussian,
    "gdp": laws.draw_gdp,
    "laplace": laws.draw_laplace,
    "discrete_gaussian": laws.draw_discrete_gaussian,
    "discrete_laplace": laws.draw_discrete_laplace,
    "randomized_response": laws.draw_response,
    "k_randomized_response": laws.draw_k_response,
    "dp": laws.draw_dp,
    "exponential": laws.draw_exponential,
    "binomial": laws.draw_binomial,
    "skellam": laws.draw_skellam,
    "truncated_gaussian": laws.draw_truncated_gaussian,
    "truncated_laplace": laws.draw_truncated_laplace,
    "uniform": laws.draw_uniform,
    "staircase": laws.draw_staircase,
    "gaussian_mixture": laws.draw_mixture,
    "gaussian_variance": laws.draw_variance,
    "stability": laws.draw_stability,
    "sampled_composition": laws.draw_composition,
}

#: Outcomes without end, of which those that matter are listed.
ENDLESS = ["skellam"]

#: Lattices with more noise than this get no transform and no moments: they are slow.
WIDEST_LATTICE = 130.0


def in_range(value):
    """Zero, or surely a normal double."""
    return value.is_zero() or (abs(value) > SMALLEST and abs(value) < golden.LARGEST)


def some_rate(rng):
    kind = rng.random()
    if kind < 0.06:
        return 1.0
    if kind < 0.16:
        return rng.choice([0.5, 0.25, 0.01, 0.001])
    if kind < 0.24:
        return 1 - log_uniform(rng, 1e-6, 0.5)
    if kind < 0.6:
        return log_uniform(rng, 1e-3, 1)
    return log_uniform(rng, 1e-6, 1)


def sampled(rng, index, name, base):
    """(expression, γ) of the base, unsampled or sampled."""
    expression, _, symmetric = base
    rate = some_rate(rng)
    if name == "sampled_composition":
        if index % 4 == 3:
            outer = some_rate(rng)
            both = f"poisson(poisson({expression}, rate={rate!r}), rate={outer!r})"
            return both, Fraction(rate) * Fraction(outer)
        return f"poisson({expression}, rate={rate!r})", Fraction(rate)
    kind = index % 5
    if kind < 2:
        return expression, Fraction(1)
    word = "subset" if kind == 4 and symmetric else "poisson"
    return f"{word}({expression}, rate={rate!r})", Fraction(rate)


def special_losses(pair, gamma, sign):
    """Doubles nearest to atoms and ends of parts."""
    found = [float(atom.loss) for atom in pair.atoms]
    for part in pair.parts:
        for end in (getattr(part, "low", None), getattr(part, "high", None)):
            if end is not None:
                loss = part.real_loss(end) if hasattr(part, "real_loss") else end
                found.append(float(loss.mid()))
        if isinstance(part, VariancePart):
            found.append(float(part.loss(arb(0)).mid()))
    losses = [float_loss(loss, gamma, sign) for loss in found]
    if gamma != 1 and not pair.q_only.is_zero():
        losses.append(sign * math.log1p(-float(gamma)))
    return losses


def some_epsilon(rng, pair, gamma, sign):
    """In the bulk, in the tails, at or beside an atom or the largest loss, 0, or negative."""
    kind = rng.random()
    special = special_losses(pair, gamma, sign)
    if kind < 0.08 or not (special or pair.parts):
        return rng.choice([0.0, 0.0, log_uniform(rng, 1e-3, 3), -log_uniform(rng, 1e-3, 3)])
    if special and (kind < 0.3 or not pair.parts):
        epsilon = max(special) if rng.random() < 0.4 else rng.choice(special)
        how = rng.random()
        if how < 0.25:
            return epsilon
        if how < 0.5:
            if abs(epsilon) < 1e-300:  # its neighbours are not normal doubles
                return rng.choice([-1, 1]) * log_uniform(rng, 1e-20, 1e-6)
            return math.nextafter(epsilon, rng.choice([-math.inf, math.inf]))
        if how < 0.7:
            return epsilon * (1 + rng.choice([-1, 1]) * log_uniform(rng, 1e-14, 1e-2))
        if how < 0.8:
            return -epsilon
        return epsilon * rng.uniform(0, 1)
    if not pair.parts:
        return rng.uniform(-1, 1) * max(map(abs, special))
    part = rng.choice(pair.parts)
    epsilon = float_loss(part.sample(rng, tail=rng.random() < 0.5), gamma, sign)
    if rng.random() < 0.1:
        epsilon = -epsilon
    return epsilon


def real_range(pair, gamma, sign):
    """Ends of the real z to draw from (within the strip, with room)."""
    low, high = -1.0, 10.0
    for part in pair.parts:
        if isinstance(part, VariancePart):
            slope = float(part.slope)
            if sign > 0 and slope > 0:
                high = min(high, 0.9 * float(1 / (part.r**2 - 1)))
            if sign < 0 and slope < 0 and gamma == 1:
                high = min(high, 0.9 * float(part.r**2 / (1 - part.r**2)))
    return low, high


def some_z(rng, low, high, width, attempt):
    """z for M, tamer in later attempts."""
    shrink = 3.0**-attempt
    kind = rng.random()
    if kind < 0.07:
        return 0.0, 0.0
    if kind < 0.14:
        return -1.0, 0.0
    where = rng.random()
    if where < 0.4:
        re = rng.uniform(low, 0)
    elif where < 0.5:
        re = 0.0
    else:
        re = min(high, log_uniform(rng, high / 100, high)) * shrink
    if kind < 0.3:
        return re, 0.0
    return re, log_uniform(rng, 0.02, 50) / width * shrink


def evaluate_row(rng, name, index, base):
    """One row, or `None` if these inputs have no normal doubles for an answer."""
    _, build, _ = base
    expression, gamma = sampled(rng, index, name, base)
    direction = rng.choice(["remove", "add"])
    sign = 1 if direction == "remove" else -1
    ctx.prec = 128
    pair = build()
    for _ in range(8):
        epsilon = some_epsilon(rng, pair, gamma, sign) + 0.0
        if not math.isfinite(epsilon) or abs(epsilon) > 700:
            continue
        try:
            masses = proven(lambda: divergence(build, gamma, sign, epsilon))
        except Infeasible:
            continue
        # Beyond the outcomes that are listed nothing is exactly 0.
        lost = name in ENDLESS and any(value.is_zero() for value in masses[:3])
        if all(map(in_range, masses)) and not lost:
            break
    else:
        return None
    blank = ""
    z, m, centre = (blank, blank), (blank, blank), (blank, blank, blank)
    wide = any(isinstance(p, LatticePart) and p.cost() > WIDEST_LATTICE for p in pair.parts)
    if not wide:
        try:
            found = proven(lambda: moments(build, gamma, sign), 280, 900)
            if len(found) == 3 and all(map(in_range, found)):
                centre = found
        except Infeasible:
            pass
        low, high = real_range(pair, gamma, sign)
        width = float(centre[1]) ** 0.5 if centre[1] != blank else 1.0
        width = width or 1.0
        for attempt in range(6):
            here = some_z(rng, low, high, width, attempt)
            try:
                values = proven(lambda: transform(build, gamma, sign, *here), 280, 900)
            except Infeasible:
                continue
            if all(map(in_range, values)):
                z, m = here, values
                break
    quoted = '"' + expression.replace('"', '""') + '"'
    return (quoted, direction, epsilon, *masses, *z, *m, *centre)


def rows(name, count):
    rng = rng_for(f"pair/{name}")
    draw = FILES[name]
    filled, index = 0, 0
    started = time.time()
    result = []
    while len(result) < count:
        nested = name == "sampled_composition" and index % 4 == 3
        base = (laws.draw_nested if nested else draw)(rng)
        begun = time.time()
        row = evaluate_row(rng, name, index, base)
        if time.time() - begun > 8:
            print(f"  slow ({time.time() - begun:.0f} s): {row and row[:3]}", file=sys.stderr)
        index += 1
        if row is None:
            continue
        result.append(row)
        filled += row[10] != "" and (row[12] != "" or not row[5] and row[6] == 1)
    print(f"{name}: {filled} rows with M and moments, {time.time() - started:.0f} s", flush=True)
    return result


def some_negative_epsilon(rng, pair, gamma, sign):
    """Below, at, beside and above log(1 − γ), where a sampled loss ends; mirrored from the bulk; next to 0."""
    kind = rng.random()
    if gamma != 1 and kind < 0.6:
        end = math.log1p(-float(gamma))
        if kind < 0.1:
            return rng.choice([end, math.nextafter(end, 0.0), math.nextafter(end, -math.inf)])
        if kind < 0.2:
            return end * (1 + rng.choice([-1, 1]) * log_uniform(rng, 1e-14, 1e-2))
        if kind < 0.3:
            return end * rng.uniform(0, 1)
        return end * rng.uniform(1, 4) if kind < 0.45 else end - log_uniform(rng, 1e-3, 40)
    if kind < 0.7:
        return -log_uniform(rng, 1e-12, 1e-3)
    return -abs(some_epsilon(rng, pair, gamma, sign))


def replacing(build, gamma, epsilon):
    """The masses of the curve H_α(W‖Q) for α ≥ 1, H_α(Q‖W) below (the base is its own mirror image)."""
    half = divergence(build, gamma, 1 if epsilon >= 0 else -1, epsilon)
    if gamma == 1:
        return half
    both = divergence(build, gamma, 1, 0.0)[3]
    return (*half[:3], both, both)


def negative_row(rng, name, index, base):
    """A row at a negative ε, without M and moments, or `None` if it has no normal doubles for an answer."""
    _, build, symmetric = base
    expression, gamma = sampled(rng, index, name, base)
    direction = rng.choice(["remove", "remove", "add"])
    if symmetric and name != "sampled_composition" and not expression.startswith("poisson"):
        direction = rng.choice([direction, "replace"])
    sign = -1 if direction == "add" else 1
    ctx.prec = 128
    pair = build()
    for _ in range(8):
        epsilon = some_negative_epsilon(rng, pair, gamma, sign)
        if not -700 < epsilon < 0:
            continue
        try:
            if direction == "replace":
                masses = proven(lambda: replacing(build, gamma, epsilon))
            else:
                masses = proven(lambda: divergence(build, gamma, sign, epsilon))
        except Infeasible:
            continue
        lost = name in ENDLESS and any(value.is_zero() for value in masses[:3])
        if all(map(in_range, masses)) and not lost:
            quoted = '"' + expression.replace('"', '""') + '"'
            return (quoted, direction, epsilon, *masses, *[""] * 7)
    return None


def negative_rows(name, count):
    """Rows at negative ε, after the others, which stay as they are."""
    rng = rng_for(f"pair/{name}/negative")
    result, index = [], 0
    while len(result) < count:
        nested = name == "sampled_composition" and index % 4 == 3
        base = (laws.draw_nested if nested else FILES[name])(rng)
        row = negative_row(rng, name, index, base)
        index += 1
        if row is not None:
            result.append(row)
    return result


if __name__ == "__main__":
    for name in sys.argv[1:] or FILES:
        what = f"{name}: a worst-case pair (P, Q), unsampled and sampled, from the definition.\n"
        what += "Empty cells: not computed (or, mean and beyond, no finite loss)."
        write(f"pair/{name}", what, HEADER, rows(name, 260) + negative_rows(name, 48), script="pairs.py")
