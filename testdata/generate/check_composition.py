"""A rough second opinion on testdata/composition/, by a route that shares nothing with the generator.

Each expression is read again into outcomes and densities (`check_pairs`), the losses are cut into
cells and put on a lattice that keeps their mean, tilted so that the answer is in the bulk, and
composed by a plain FFT in doubles.  That gives two digits whatever the size of δ: enough to see a
wrong pair, direction, count or probability of L = ∞, not to see the last digits.  Rows that need too
fine a lattice are passed over, and so are the mechanisms that are defined by a profile.
"""

import ast
import cmath
import csv
import math
import random
import sys

from mpmath import mp

from check_pairs import Skip, read_law
from golden import TESTDATA

TOLERANCE = 0.03

MOST_CELLS, MOST_POINTS = 60_000, 1 << 18


def parts(node):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return parts(node.left) + parts(node.right)
    if isinstance(node, ast.BinOp):
        return [(node.left, node.right.value)]
    return [(node, 1)]


def cells(node, direction, power, fine):
    """([(L, log P)], P(L = ∞)) of one use."""
    try:
        law = read_law(node, mp.mpf(power), mp.mpf(0))
    except KeyError:
        raise Skip
    if direction == "add":
        law = law.swapped()
    found, lost = [], 0.0
    for p, q in law.outcomes:
        if p and q:
            found.append((float(mp.log(p / q)), float(mp.log(p))))
        elif p:
            lost += float(p)
    for piece in law.pieces:
        count = max(400, math.ceil(float((piece.high - piece.low) * piece.speed) / fine))
        if count > MOST_CELLS:
            raise Skip
        dx = (piece.high - piece.low) / count
        for i in range(count):
            x = piece.low + dx * (i + mp.mpf(1) / 2)
            p, q = piece.p(x), piece.q(x)
            if p and q:
                found.append((float(mp.log(p / q)), float(mp.log(p * dx))))
    return found, lost


def tilted(found, c):
    """(log M, mean, variance) under the tilt."""
    top = max(w + c * loss for loss, w in found)
    weights = [math.exp(w + c * loss - top) for loss, w in found]
    total = sum(weights)
    mean = sum(w * loss for w, (loss, _) in zip(weights, found)) / total
    variance = sum(w * (loss - mean) ** 2 for w, (loss, _) in zip(weights, found)) / total
    return top + math.log(total), mean, variance


def solve(all_cells, epsilon):
    low, high = 1e-3, 1e5
    for _ in range(45):
        c = math.sqrt(low * high)
        mean = sum(count * tilted(found, c)[1] for found, count in all_cells)
        if mean - 1 / c - 1 / (c + 1) < epsilon:
            low = c
        else:
            high = c
    return high


def fft(values, sign):
    n = len(values)
    values = list(values)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            values[i], values[j] = values[j], values[i]
    size = 2
    while size <= n:
        roots = [cmath.exp(sign * 2j * math.pi * i / size) for i in range(size // 2)]
        half = size // 2
        for start in range(0, n, size):
            for i in range(half):
                a, b = values[start + i], values[start + half + i] * roots[i]
                values[start + i], values[start + half + i] = a + b, a - b
        size *= 2
    return values


def estimate(row):
    epsilon = float(row["epsilon"])
    terms = parts(ast.parse(row["expression"], mode="eval").body)
    if sum(count for _, count in terms) > 20_000:
        raise Skip
    coarse = [(cells(node, row["direction"], 4, 0.05)[0], count) for node, count in terms]
    if max(sum(count * max(loss for loss, _ in found) for found, count in coarse), 0) < epsilon:
        raise Skip
    c = solve(coarse, epsilon)
    if c > 300:
        raise Skip
    uses = sum(count for _, count in terms)
    fine = min(0.05, 0.4 / (c * math.sqrt(uses)))
    everything, hidden = [], 1.0
    for node, count in terms:
        found, lost = cells(node, row["direction"], c + 2, fine)
        if not found or lost >= 1:
            raise Skip
        everything.append((found, count))
        hidden *= (1 - lost) ** count
    c = solve(everything, epsilon)
    log_total = mean = variance = 0.0
    for found, count in everything:
        k, m, v = tilted(found, c)
        log_total, mean, variance = log_total + count * k, mean + count * m, variance + count * v
    largest = max(abs(loss) for found, _ in everything for loss, _ in found)
    window = 36 * math.sqrt(variance) + 2 * min(largest, 40 / c) + 80 / c
    points = 1 << max(14, math.ceil(math.log2(window * c * math.sqrt(uses / 0.002))))
    if points > MOST_POINTS:
        raise Skip
    step = window / points
    product = [complex(1)] * points
    for found, count in everything:
        k, centre, _ = tilted(found, c)
        masses = [0.0] * points
        for loss, w in found:
            weight = math.exp(w + c * loss - k)
            if weight < 1e-30:
                continue
            at = (loss - centre) / step
            low = math.floor(at)
            masses[low % points] += weight * (low + 1 - at)
            masses[(low + 1) % points] += weight * (at - low)
        values = fft(masses, 1)
        product = [x * y**count for x, y in zip(product, values)]
    masses = fft(product, -1)
    total = 0.0
    for i, value in enumerate(masses):
        offset = (i if i < points // 2 else i - points) * step
        if mean + offset > epsilon:
            excess = mean + offset - epsilon
            total += value.real / points * math.exp(-c * offset) * -math.expm1(-excess)
    if total <= 0:
        raise Skip
    log_finite = log_total - c * mean + math.log(total)
    return math.exp(log_finite) + (1 - hidden if hidden < 1 else 0.0)


def main(names, most):
    mp.dps = 20
    bad = 0
    for name in names:
        with open(TESTDATA / "composition" / f"{name}.csv") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        random.Random(name).shuffle(rows)
        compared = 0
        worst = 0.0
        for row in rows:
            if compared >= most or row["delta"] == "0":
                continue
            try:
                ours = estimate(row)
            except (Skip, OverflowError, ZeroDivisionError):
                continue
            compared += 1
            error = abs(ours / float(row["delta"]) - 1)
            worst = max(worst, error)
            if error > TOLERANCE:
                bad += 1
                print(f"  {name}: {row}: {ours:.6e}", flush=True)
        print(f"{name}: {compared} of {len(rows)} rows, worst {worst:.1e}", flush=True)
    return bad


if __name__ == "__main__":
    chosen = sys.argv[1:] or sorted(path.stem for path in (TESTDATA / "composition").glob("*.csv"))
    sys.exit(1 if main(chosen, 12) else 0)
