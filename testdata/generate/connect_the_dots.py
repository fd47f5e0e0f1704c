"""ε of a sampled Gaussian on a lattice of spacing 0.005 ([Doroshenko22, Fig. 6 and 7]): what a peer's connect-the-dots answers,
what it should answer, and what the optimistic Algorithm 2 of the paper gives.

    pip install dp-accounting==0.6.0 numpy==2.4.6 scipy==1.17.1 python-flint
    python connect_the_dots.py > ../peers/connect_the_dots.csv

- pessimistic: the output of dp-accounting, a program of others. Its round-off puts some answers below the law that it builds.
- exact: that law, with masses from ball arithmetic of 200 bits, composed under an exponential tilt: good to 1e-11.
- optimistic: the paper's Algorithm 2 (tangents and convex hull) in double precision, as the paper's experiments are.
"""

import math

import numpy
import scipy.stats
from dp_accounting.pld import privacy_loss_distribution
from flint import arb, ctx

SIGMA, RATE, DELTA, SPACING = 1.0, 0.01, 1e-5, 0.005
COUNTS = sorted({round(10 ** (i / 16)) for i in range(65)})


def pessimistic(count):
    """The removal direction of the peer's accountant."""
    pld = privacy_loss_distribution.from_gaussian_mechanism(
        SIGMA, value_discretization_interval=SPACING, sampling_prob=RATE, use_connect_dots=True
    )
    composed = pld.self_compose(count) if count > 1 else pld
    return composed._pmf_remove.get_epsilon_for_delta(DELTA)


def exact_law():
    """Algorithm 1 with the erratum: first index, masses of P, mass at infinity."""
    ctx.prec = 200
    rate, spacing = arb(RATE), arb(SPACING)
    first, last = math.floor(math.log(1 - RATE) / SPACING) - 1, 1500

    def tail(x):
        return (x / arb(2).sqrt()).erfc() / 2

    def height(index):
        alpha = (spacing * index).exp()
        excess = alpha - 1 + rate
        if not excess > 0:
            return 1 - alpha
        threshold = (excess / rate).log() + arb(1) / 2
        q_tail = tail(threshold)
        return (1 - rate) * q_tail + rate * tail(threshold - 1) - alpha * q_tail

    heights = [height(i) for i in range(first, last + 1)]
    alphas = [(spacing * i).exp() for i in range(first, last + 1)]
    above = [(heights[i] - heights[i + 1]) / (alphas[i + 1] - alphas[i]) for i in range(len(heights) - 1)] + [arb(0)]
    q_masses = [1 - above[0]] + [above[i - 1] - above[i] for i in range(1, len(heights))]
    masses = [float((q * alpha).mid()) for q, alpha in zip(q_masses, alphas)]
    return first, numpy.array(masses), float(heights[-1].mid())


def exact(count, law, tilt=3.0, length=1 << 16):
    first, masses, infinite = law
    indices = numpy.arange(first, first + len(masses))
    tilted = masses * numpy.exp(tilt * SPACING * indices)
    scale = math.fsum(tilted)
    tilted /= scale
    composed = numpy.fft.irfft(numpy.fft.rfft(tilted, length) ** count, length)
    start = math.floor(count * float((tilted * indices).sum())) - length // 2
    composed = numpy.roll(composed, -((start - count * first) % length))
    losses = SPACING * (start + numpy.arange(length))

    def delta(epsilon):
        y = losses[losses > epsilon] - epsilon
        terms = composed[losses > epsilon] * numpy.exp(-tilt * y) * -numpy.expm1(-y)
        return math.exp(count * math.log(scale) - tilt * epsilon) * math.fsum(terms) - math.expm1(count * math.log1p(-infinite))

    return root(delta)


def root(delta):
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if delta(middle) > DELTA else (low, middle)
    return high


def curve(alpha):
    """h(α) and h′(α) of ((1−q)N(0,1) + qN(1,1), N(0,1)) for α above 1 − q."""
    loss = numpy.log((alpha - 1 + RATE) / RATE)
    threshold = loss + 0.5
    q_tail = scipy.stats.norm.sf(threshold)
    p_tail = (1 - RATE) * q_tail + RATE * scipy.stats.norm.sf(threshold - 1)
    return p_tail - alpha * q_tail, -q_tail


def optimistic_law():
    """Algorithm 2: tangents at the points of the lattice, evaluated at their neighbours towards 1, and the lower hull."""
    first, last = math.ceil(math.log(1 - RATE) / SPACING), round(8.0 / SPACING)
    indices = numpy.arange(first, last + 1)
    alphas = numpy.exp(indices * SPACING)
    height, slope = curve(alphas)
    points = []
    for i, index in enumerate(indices):
        if index == first:
            points.append((alphas[i], max(0.0, 1 - alphas[i])))
        elif index <= 0:
            points.append((alphas[i], height[i - 1] + (alphas[i] - alphas[i - 1]) * slope[i - 1]))
        if index >= 0:
            ahead = (height[i + 1] + (alphas[i] - alphas[i + 1]) * slope[i + 1]) if i + 1 < len(indices) else 0.0
            points.append((alphas[i], ahead))
    hull = []
    for point in points:
        while len(hull) >= 2 and (hull[-1][1] - hull[-2][1]) * (point[0] - hull[-2][0]) >= (point[1] - hull[-2][1]) * (
            hull[-1][0] - hull[-2][0]
        ):
            hull.pop()
        if hull and hull[-1][0] == point[0]:
            hull[-1] = (point[0], min(point[1], hull[-1][1]))
        else:
            hull.append(point)
    x, y = zip(*hull)
    f = numpy.interp(alphas, x, y)
    # Algorithm 1: masses of P from the slopes.
    q_above = numpy.append(-(f[1:] - f[:-1]) / (alphas[1:] - alphas[:-1]), 0.0)
    q_mass = numpy.append(1 - q_above[0], q_above[:-1] - q_above[1:])
    return indices[0], numpy.maximum(q_mass, 0) * alphas


def optimistic(count, law):
    first, masses = law
    length = 1 << math.ceil(math.log2(40.0 / SPACING + len(masses)))
    spectrum = numpy.fft.rfft(masses, length) ** count
    composed = numpy.maximum(numpy.fft.irfft(spectrum, length), 0)
    # The window begins well below the mean.
    mean = count * float((masses * (first + numpy.arange(len(masses)))).sum())
    start = math.floor(mean) - length // 3
    losses = SPACING * (start + numpy.arange(length))
    composed = numpy.roll(composed, -((start - count * first) % length))

    def delta(epsilon):
        above = losses > epsilon
        return float((composed[above] * -numpy.expm1(epsilon - losses[above])).sum())

    return root(delta)


def main():
    print("# ε at δ = 1e-5 of poisson(gaussian(sigma=1), rate=0.01) * count, removing a record, on a lattice of spacing 0.005.")
    print("# Generated by testdata/generate/connect_the_dots.py: dp-accounting 0.6.0, and Algorithm 2 of the paper in doubles.")
    print("count,pessimistic,exact,optimistic")
    pessimistic_law, law = exact_law(), optimistic_law()
    for count in COUNTS:
        print(f"{count},{float(pessimistic(count))!r},{exact(count, pessimistic_law)!r},{optimistic(count, law)!r}")


if __name__ == "__main__":
    main()
