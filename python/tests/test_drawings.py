"""Curves as numbers, as SVG, and on matplotlib's axes."""

from __future__ import annotations

import math
import statistics
import xml.etree.ElementTree as ElementTree

import hockeystick as hs
import numpy as np
import pytest
from hockeystick import curves, plot

GAUSSIAN = hs.Gaussian(1.0)
TRAINING = hs.Gaussian(1.0).poisson(0.01) * 100


@pytest.mark.parametrize(
    "picture",
    [
        curves.profile(TRAINING),
        curves.tradeoff(TRAINING),
        curves.losses(TRAINING),
        curves.steps(hs.Gaussian(1.0).poisson(0.01), 100, 1e-6),
    ],
    ids=["profile", "tradeoff", "losses", "steps"],
)
def test_pictures_are_drawn_without_other_packages(picture):
    drawing = ElementTree.fromstring(picture.svg("a title"))
    assert drawing.tag.endswith("svg") and picture.x[0] in "".join(drawing.itertext())
    for curve in picture.curves:
        assert len(curve.x) == len(curve.upper) > 30 and (curve.lower <= curve.upper).all()


def test_the_chances_of_losses_are_those_of_a_gaussian():
    """The loss of a Gaussian with μ = 1 is N(1/2, 1) with the record, and N(−1/2, 1) without it."""
    tails = hs.losses(GAUSSIAN, [-1.0, 0.0, 0.5, 2.0])
    for law, chances in ((statistics.NormalDist(0.5), tails.present), (statistics.NormalDist(-0.5), tails.absent)):
        expected = np.array([1 - law.cdf(x) for x in tails.at])
        assert (chances.lower - 1e-12 <= expected).all() and (expected <= chances.upper + 1e-12).all()
        assert (chances.upper - chances.lower < 1e-6).all()


def test_notebooks_show_what_was_spent_with_its_profile():
    accountant = hs.Accountant()
    assert "nothing was spent" in accountant._repr_html_()
    accountant.step(GAUSSIAN, 3)
    assert "3 steps" in accountant._repr_html_() and "<svg" in accountant._repr_html_()


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib", reason="the drawings with matplotlib need it: an optional extra")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_helpers_on_matplotlib(pyplot):
    axes = plot.profile(TRAINING, label="one")
    assert plot.profile(TRAINING * 2, ax=axes) is axes and len(axes.lines) == 2
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_yscale()) == ("ε", "δ", "log")
    assert [text.get_text() for text in axes.get_legend().get_texts()][0] == "one"
    line = axes.lines[0]
    assert np.array_equal(line.get_ydata(), TRAINING.delta(line.get_xdata()).upper)
    assert len(plot.tradeoff(GAUSSIAN, [0.1, 0.5]).lines) == 1
    assert len(plot.losses(GAUSSIAN).lines) == 2
    assert plot.steps(GAUSSIAN, 10, 1e-6).lines[0].get_ydata()[-1] == (GAUSSIAN * 10).epsilon(1e-6).upper


def _lines(svg, colour="#0072b2"):
    """The points of all lines of a colour, without those of the legend."""
    lines = [line for line in ElementTree.fromstring(svg).iter() if line.tag.endswith("polyline")]
    points = [line.get("points").split() for line in lines if line.get("stroke") == colour]
    found = [[tuple(map(float, point.split(","))) for point in line] for line in points]
    return [line for line in found if not (len(line) == 2 and abs(line[1][0] - line[0][0] - 30.0) < 0.02)]


def test_single_losses_are_stems(pyplot):
    """Three responses with odds of 3 to 2: losses (2k − 3) ln 1.5 with binomial chances."""
    response = hs.RandomizedResponse(0.6) * 3
    picture = curves.loss_distribution(response)
    chances = [math.comb(3, k) * 0.6**k * 0.4 ** (3 - k) for k in range(4)]
    present, absent = picture.curves
    for curve, expected in ((present, chances), (absent, chances[::-1])):
        assert np.allclose(curve.x, [(2 * k - 3) * math.log(1.5) for k in range(4)], rtol=1e-12)
        assert (curve.lower <= np.array(expected) + 1e-15).all() and (expected <= curve.upper + 1e-15).all()
    stems = [line for line in _lines(picture.svg()) if line[0][1] > line[1][1] + 11.0]
    assert len(stems) == 4 and all(foot[0] == head[0] for foot, head in stems)
    axes = plot.losses(response)
    assert [line.get_linestyle() for line in axes.lines] == ["None", "None"] and axes.get_ylabel() == "probability"
    assert np.array_equal(axes.lines[0].get_ydata(), present.upper)
    assert len(axes.collections[0].get_segments()) == 4
    _assert_within(axes, present)
    _assert_within(axes, absent)


def _assert_within(axes, curve):
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    assert left < curve.x.min() and curve.x.max() < right and bottom == 0.0 and curve.upper.max() < top < 2 * curve.upper.max()


def test_a_mixed_law_has_stems_beside_a_density(pyplot):
    """A Laplace loss at distance 1 has ½ at 1, and the density ¼e^{−(1 − L)/2} between −1 and 1."""
    picture = curves.loss_distribution(hs.Laplace(1.0))
    density, _, present, _ = picture.curves
    assert picture.y == ("density", False) and picture.right == ("probability of a single loss", False)
    assert np.allclose(present.x, [-1.0, 1.0]) and np.allclose(present.upper, [0.5 * math.exp(-1.0), 0.5])
    inside = (density.x > -0.99) & (density.x < 0.95)
    at = density.x[inside]
    assert (density.upper[inside] >= 0.25 * np.exp(-(1 - at) / 2) - 1e-6).all()
    assert (density.lower[inside] <= 0.25 * np.exp(-(1 - at - 0.1) / 2)).all()
    assert np.isnan(density.upper[np.searchsorted(density.x, 1.0) - 1]), "the atom is no part of the density"
    assert curves.loss_distribution(hs.Laplace(1.0), "replace").curves[1].name == "with another in its place"
    axes = plot.losses(hs.Laplace(1.0))
    assert len(axes.figure.axes) == 2 and len(axes.lines) == 2 and len(axes.figure.axes[1].lines) == 2
    assert len(axes.get_legend().get_texts()) == 4
    _assert_within(axes.figure.axes[1], present)


def test_chances_of_larger_losses_are_not_connected_across_jumps(pyplot):
    """Between two numbers a chance is that at one of them or between: the line is level, and the band holds both."""
    response = hs.RandomizedResponse(0.75)
    at = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    x, lower, upper = curves.losses(response, at).curves[0].outline()
    assert x.tolist() == [-2, -1, -1, 0, 0, 1, 1, 2]
    # The losses are −ln 3 and ln 3.
    for loss, chance in ((-1.5, 1.0), (-0.5, 0.75), (0.5, 0.75), (1.5, 0.0), (1.05, 0.75)):
        cell = np.searchsorted(x, loss)
        assert lower[cell] - 1e-9 <= chance <= upper[cell] + 1e-9
    assert (np.diff(plot.losses(response, at).lines[0].get_xdata()) >= 0).all()


def test_gaps_are_gaps(pyplot):
    """What is not known is not connected, and a value alone is a dot."""
    upper = np.array([1.0, 2.0, np.nan, 4.0, np.nan, np.inf, 7.0, 8.0])
    x = np.arange(8.0)
    picture = curves.Picture(("x", False), ("y", False), (curves.Curve("", x, upper / 2, upper),))
    svg = picture.svg()
    wide = [line for line in _lines(svg) if line[0][0] != line[1][0]]
    assert len(wide) == 2 and svg.count("<circle") == 1
    axes = plot._draw(picture, None, None)
    assert axes.lines[0].get_marker() == "."


def test_lower_ends_of_0_do_not_stretch_an_axis(pyplot):
    x = np.arange(4.0)
    upper = np.array([1.0, 0.1, 0.01, 1e-310])
    lower = np.array([0.9, 0.09, 1e-300, 0.0])
    picture = curves.Picture(("x", False), ("y", True), (curves.Curve("", x, lower, upper),))
    assert "−300" not in picture.svg() and "−310" not in picture.svg()
    bottom, top = plot._draw(picture, None, None).get_ylim()
    assert 1e-4 < bottom < 0.01 and 1.0 < top < 10.0
    # δ of Laplace noise is 0 from ε = 1 on: the line ends.
    axes = plot.profile(hs.Laplace(1.0), [0.0, 0.5, 1.0, 2.0])
    assert np.isnan(axes.lines[0].get_ydata()[2:]).all() and axes.get_ylim()[0] > 0.01 and axes.get_xlim()[1] > 2.0
    # A second line on the same axes does not cut off the first.
    below = plot.profile(hs.Gaussian(1.0), [0.0, 5.0], ax=axes).get_ylim()
    assert below[0] < hs.Gaussian(1.0).delta(5.0).lower and below[1] > 0.4


def test_few_false_alarms_are_drawn_on_logarithmic_axes(pyplot):
    """TPR = Φ(Φ⁻¹(FPR) + 1) for a Gaussian with μ = 1."""
    rates = np.geomspace(1e-6, 1.0, 13)
    curve = curves.tradeoff(GAUSSIAN, rates).curves[0]
    normal = statistics.NormalDist()
    for rate, lower, upper in zip(rates[:-1], curve.lower, curve.upper):
        truth = normal.cdf(normal.inv_cdf(rate) + 1.0)
        assert lower <= truth * (1 + 1e-9) and upper >= truth * (1 - 1e-9) and upper - lower < 1e-6 * upper
    axes = plot.tradeoff(GAUSSIAN, rates)
    assert (axes.get_xscale(), axes.get_yscale(), axes.get_ylabel()) == ("log", "log", "true positive rate")
    for whole in (None, [0.0, 1e-6, 1.0], [0.1, 0.5]):
        axes = plot.tradeoff(GAUSSIAN, whole)
        assert (axes.get_xscale(), axes.get_ylabel()) == ("linear", "false negative rate")
