"""Curves as numbers, as SVG, and on matplotlib's axes."""

from __future__ import annotations

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


def test_helpers_on_matplotlib():
    matplotlib = pytest.importorskip("matplotlib", reason="the drawings with matplotlib need it: an optional extra")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    axes = plot.profile(TRAINING, label="one")
    assert plot.profile(TRAINING * 2, ax=axes) is axes and len(axes.lines) == 2
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_yscale()) == ("ε", "δ", "log")
    assert [text.get_text() for text in axes.get_legend().get_texts()][0] == "one"
    line = axes.lines[0]
    assert np.array_equal(line.get_ydata(), TRAINING.delta(line.get_xdata()).upper)
    assert len(plot.tradeoff(GAUSSIAN, [0.1, 0.5]).lines) == 1
    assert len(plot.losses(GAUSSIAN).lines) == 2
    assert plot.steps(GAUSSIAN, 10, 1e-6).lines[0].get_ydata()[-1] == (GAUSSIAN * 10).epsilon(1e-6).upper
    pyplot.close("all")
