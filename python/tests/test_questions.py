"""Calibration, risk, trade-off, explanations, and what notebooks show."""

from __future__ import annotations

import math
import pickle
import statistics

import hockeystick as hs
import numpy as np
import pytest

NORMAL = statistics.NormalDist()


def test_risk_of_a_gaussian_is_its_closed_form():
    for sigma in (0.7, 1.0, 3.0):
        found = hs.risk(hs.Gaussian(sigma), fpr=0.01)
        tpr = NORMAL.cdf(NORMAL.inv_cdf(0.01) + 1 / sigma)
        advantage = 2 * NORMAL.cdf(0.5 / sigma) - 1
        for interval, value in ((found.tpr, tpr), (found.advantage, advantage)):
            assert interval.lower * (1 - 1e-9) <= value <= interval.upper * (1 + 1e-9)
            assert interval.upper - interval.lower < 1e-9


def test_tradeoff_of_a_gaussian_is_its_closed_form():
    rates = np.linspace(0.01, 0.99, 21)
    curve = hs.tradeoff(hs.Gaussian(2.0), rates)
    values = [NORMAL.cdf(NORMAL.inv_cdf(1 - x) - 0.5) for x in rates]
    assert np.all(curve.lower - 1e-9 <= values) and np.all(values <= curve.upper + 1e-9)
    assert np.max(curve.upper - curve.lower) < 1e-6


def test_calibration_lands_on_the_private_side():
    found = hs.calibrate("poisson(gaussian(sigma=?), rate=0.01) * 100", epsilon=1, delta=1e-6)
    assert found.parameter == "sigma" and found.outcome == "found"
    assert found.mechanism.epsilon(1e-6).upper <= 1
    missing = hs.Gaussian(found.too_little).poisson(0.01) * 100
    assert missing.epsilon(1e-6).lower > 1
    assert float(found) == found.value


def test_calibration_says_when_there_is_no_value():
    found = hs.calibrate("dp(epsilon=2) + gaussian(sigma=?)", epsilon=1, delta=1e-6)
    assert found.outcome == "impossible" and found.value is None
    with pytest.raises(ValueError, match="no sigma meets the target"):
        float(found)
    with pytest.raises(TypeError, match="there is no target"):
        hs.calibrate("gaussian(sigma=?)", epsilon=1)
    with pytest.raises(ValueError, match="column"):
        hs.calibrate("gaussian(sigma=1)", epsilon=1, delta=1e-6)


def test_explanations():
    explanation = hs.explain("gaussian(sigma=1) * 10", delta=1e-6)
    assert explanation.answer == (hs.Gaussian(1.0) * 10).epsilon(1e-6)
    assert "closed form" in str(explanation) and "[Zhu22" in str(explanation)
    with pytest.raises(TypeError, match="give delta or epsilon"):
        hs.explain("gaussian(sigma=1)")


def test_answers_are_values():
    answer = hs.Gaussian(1.0).epsilon(1e-6)
    assert pickle.loads(pickle.dumps(answer)) == answer and hash(answer) == hash(answer)
    with pytest.raises(AttributeError):
        answer.upper = 0.0
    assert math.isclose(answer.width, answer.upper - answer.lower)


def test_an_answer_that_is_not_as_asked_says_so():
    answer = hs.ApproximateDp(0.5, 1e-3).epsilon(1e-6)
    assert math.isinf(answer.upper) and "no finite ε" in answer.shortfall


def test_notebooks_show_escaped_text_and_a_drawing():
    assert "<svg" in (hs.Gaussian(1.0) * 3)._repr_html_()
    assert "&lt;b&gt;" in hs.Pair(file="<b>.csv")._repr_html_()
    assert "certified" in hs.Gaussian(1.0).epsilon(1e-6)._repr_html_()


def test_shown_digits_contain_the_interval_and_at_most_double_it():
    from fractions import Fraction

    from hockeystick.digits import relation

    rng = np.random.default_rng(1)
    for _ in range(300):
        lower = float(10 ** rng.uniform(-300, 10))
        upper = lower * (1 + float(10 ** rng.uniform(-16, 1)))
        if lower == upper:
            continue
        shown = relation("certified", lower, upper)
        if shown.startswith("between "):
            low, high = (Fraction(part) for part in shown[len("between ") :].split(" and "))
        else:
            centre, radius = (Fraction(part) for part in shown[len("= ") :].split(" ± "))
            low, high = centre - radius, centre + radius
        assert low <= Fraction(lower) and Fraction(upper) <= high
        assert high - low <= 2 * (Fraction(upper) - Fraction(lower))
