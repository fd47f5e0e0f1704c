"""Answers as numbers: whatever is asked of them, no more privacy is promised than was proven."""

from __future__ import annotations

import copy
import importlib.metadata
import json
import math
import pickle
import random
from decimal import Decimal
from fractions import Fraction

import hockeystick as hs
import numpy as np
import pytest
from hockeystick import curves
from hockeystick.attack import Between
from hypothesis import given
from hypothesis import strategies as st

EPSILON = (hs.Gaussian(4.0) * 10).epsilon(1e-5)
BUDGET = hs.Budget(0.0, 0.0, 0.0, 0.0, 0.0)


def answer(lower: float | None, upper: float, guarantee: str = "certified", unknown: str = "epsilon") -> hs.Answer:
    return hs.Answer(unknown, 1e-5, lower, upper, guarantee, "contour", "remove", BUDGET, None, ())


doubles = st.floats(0.0, 1e300)
SPECIFICATIONS = [".0f", ".1f", ".4f", ".12f", ".40f", ".0e", ".3e", ".17e", ".1g", ".3g", ".30g", ".2%", ".3", "f", "e", "g", "%", "F", "E", "G"]


@given(doubles, st.sampled_from(SPECIFICATIONS))
def test_formats_never_round_epsilon_down(number, specification):
    """f"{answer:.4f}" once raised; as a plain float it would have rounded to nearest."""
    written = format(answer(0.0, number), specification)
    nearest = format(number, specification)
    if written == nearest:
        assert value(written) >= number
        return
    # The nearest would have been below, and what is shown is one unit of its last place more; or of the double, if that is more.
    assert value(nearest) < number <= value(written)
    alternate = format(number, "#" + specification if specification[-1] in "gG3" else specification)
    unit = Fraction(10) ** Decimal(alternate.rstrip("%")).as_tuple().exponent / (100 if "%" in written else 1)
    if not math.isinf(value(written)):
        assert fraction(written) - fraction(nearest) <= max(unit, 4 * Fraction(math.ulp(number)))


def fraction(written: str) -> Fraction:
    return Fraction(written.rstrip("%")) / (100 if "%" in written else 1)


def value(written: str) -> float:
    """The double that a text reads back as."""
    try:
        return float(fraction(written))
    except (ValueError, OverflowError):
        return math.inf


@given(doubles, st.integers(-5, 20))
def test_round_goes_up_for_epsilon_and_down_for_false_negative_rates(number, digits):
    up, down = round(answer(0.0, number), digits), round(answer(number, math.inf, unknown="fnr"), digits)
    assert down <= number <= up and type(up) is float
    for rounded in (up, down):
        assert abs(Fraction(rounded) - Fraction(number)) <= Fraction(10) ** -digits + Fraction(math.ulp(rounded))
        # What has so few digits stays what it is.
        assert round(answer(0.0, rounded), digits) == rounded == round(answer(rounded, 1e308, unknown="fnr"), digits)


def test_formats_are_those_of_floats():
    ends = answer(1.0, 3.25)
    for specification in ("10.2f", "<10.2f", "*^12.3f", "+.2f", "010.1f", ",.2f", "_.2f", " .3f", ".2f"):
        assert format(ends, specification) == format(3.25 if ".1" not in specification else 3.3, specification)
    assert f"{answer(1.0, 12345.678):,.1f}" == "12,345.7" and f"{answer(1.0, 12345.61):,.1f}" == "12,345.7"
    assert f"{answer(0.0, math.inf):.3f}" == "inf" and f"{answer(0.5, 0.5):>6}" == "   0.5"
    assert f"{ends}" == str(ends) and f"{ends:>60s}" == str(ends).rjust(60)
    assert round(answer(1.0, 2.1)) == 3 and type(round(answer(1.0, 2.1))) is int and math.ceil(answer(1.0, 2.1)) == 3
    for bad in (".4q", "x", "d", "hello"):
        with pytest.raises(ValueError, match="format"):
            format(ends, bad)


def test_int_and_percent_d_are_refused():
    """They cut digits off: an ε of 3.9 would be 3."""
    for cut in (int, math.trunc):
        with pytest.raises(TypeError, match="promise too much"):
            cut(EPSILON)
    with pytest.raises(TypeError):
        "%d" % EPSILON


@given(doubles, doubles, doubles)
def test_a_comparison_is_true_only_if_it_is_proven(lower, width, bound):
    ends = answer(lower, lower + width)
    for number in (bound, Decimal(bound), Fraction(bound), np.float64(bound), np.array(bound)):
        assert bool(ends <= number) == bool(number >= ends) == (Fraction(bound) >= Fraction(ends.upper))
        assert bool(ends < number) == bool(number > ends) == (Fraction(bound) > Fraction(ends.upper))
        # In doubt it is too much: exactly one of the two holds.
        assert bool(ends > number) == (not ends <= number) and bool(ends >= number) == (not ends < number)
        assert bool(number < ends) == bool(ends > number) and bool(number <= ends) == bool(ends >= number)


def test_comparisons_with_short_floats_are_exact():
    """NumPy would shorten the answer to the digits of the other number, and 3 + 1e-9 is not at most 3."""
    ends = answer(1.0, 3.000000001)
    for three in (np.float32(3), np.float16(3), np.array(3, dtype=np.float32), np.array([3, 3], dtype=np.float32)):
        assert not np.any(ends <= three) and not np.any(three >= ends) and np.all(ends > three) and np.all(three < ends)
        assert not np.any(ends == three) and np.all(three != ends)
    assert ends <= np.int64(4) and np.int64(4) >= ends and (ends <= np.array([3.0, 4.0])).tolist() == [False, True]


def test_order_is_that_of_private_ends():
    answers = [answer(lower, upper) for lower, upper in ((0.0, 3.0), (2.0, 2.5), (1.0, 1.0), (None, 2.0))]
    assert [ends.upper for ends in sorted(answers)] == [1.0, 2.0, 2.5, 3.0]
    assert max(answers) is answers[0] and min(answers) is answers[2] and max(*answers, 2.9) is answers[0]


def test_equality_is_of_all_parts_and_hashes_agree():
    one, same, other = answer(1.0, 2.0), answer(1.0, 2.0), answer(1.5, 2.0)
    assert one == same and hash(one) == hash(same) and one != other and {one, same, other} == {one, other}
    # With a number it is that of the private end.
    assert one == 2.0 and 2.0 == one and one != 1.0 and hash(one) == hash(2.0) and one != "2" and one != None  # noqa: E711
    assert math.isclose(EPSILON, EPSILON.upper) and EPSILON == pytest.approx(EPSILON.upper)


def test_what_proves_nothing_cannot_be_compared():
    estimate = answer(None, 1.0, "estimate")
    for compare in (lambda: estimate <= 2.0, lambda: 2.0 >= estimate, lambda: sorted([EPSILON, estimate]), lambda: EPSILON > estimate):
        with pytest.raises(TypeError, match="estimate proves nothing"):
            compare()
    assert float(estimate) <= 2.0 and str(estimate).startswith("ε ≈")
    found = (hs.Gaussian(4.0) * 10).epsilon(1e-5, method="clt")
    assert found.guarantee == "estimate"
    with pytest.raises(TypeError):
        found < 10
    with pytest.raises(TypeError, match="estimates prove nothing"):
        (hs.Gaussian(4.0) * 10).epsilon([1e-5], method="clt") <= 10


def test_what_means_nothing_is_refused():
    with pytest.raises(TypeError, match="ε cannot be compared with δ"):
        EPSILON <= hs.Gaussian(4.0).delta(1.0)
    for nan in (math.nan, np.float64("nan"), np.float32("nan"), np.array(np.nan)):
        with pytest.raises(ValueError, match="NaN"):
            EPSILON > nan
    for other in ("3", None, True, [3]):
        with pytest.raises(TypeError):
            EPSILON <= other


def test_arithmetic_is_that_of_the_private_end():
    upper = EPSILON.upper
    for found, expected in (
        (EPSILON * 2, upper * 2),
        (2 * EPSILON, 2 * upper),
        (EPSILON + 1, upper + 1),
        (1 - EPSILON, 1 - upper),
        (EPSILON / 2, upper / 2),
        (1 / EPSILON, 1 / upper),
        (-EPSILON, -upper),
        (abs(EPSILON), upper),
        (EPSILON**2, upper**2),
        (EPSILON + EPSILON, upper + upper),
        (sum([EPSILON, EPSILON]), upper + upper),
    ):
        assert type(found) is float and found == expected
    # What is left of a budget is at most what is left.
    assert 4.0 - EPSILON == 4.0 - upper
    assert (EPSILON * np.array([1.0, 2.0])).tolist() == (np.array([1.0, 2.0]) * EPSILON).tolist() == [upper, 2 * upper]
    assert np.float32(2) * EPSILON == EPSILON * np.float32(2) == 2 * upper
    assert math.exp(EPSILON) == math.exp(upper) and np.sqrt(EPSILON) == np.sqrt(upper)
    with pytest.raises(TypeError):
        EPSILON + "1"


def test_arrays_hold_private_ends():
    assert np.asarray(EPSILON).dtype == np.float64 and np.asarray(EPSILON) == EPSILON.upper
    assert np.array([EPSILON, EPSILON]).tolist() == [EPSILON.upper] * 2
    missed = hs.tradeoff(hs.Gaussian(1.0), [0.05, 0.5])
    assert np.array_equal(np.asarray(missed), missed.lower)


def test_json():
    assert json.loads(json.dumps({"spent": EPSILON})) == {"spent": EPSILON.upper}
    known = json.loads(EPSILON.to_json())
    assert (known["lower"], known["upper"], known["delta"]) == (EPSILON.lower, EPSILON.upper, 1e-5)
    assert known["query"] == "epsilon" and known["guarantee"] == "certified" and known["budget"] == EPSILON.budget._asdict()
    unbounded = json.loads(hs.ApproximateDp(0.5, 1e-3).epsilon(1e-6).to_json())
    assert unbounded["upper"] == "inf" and "no finite ε" in unbounded["shortfall"]
    assert json.loads(hs.renyi(hs.Gaussian(1.0), [math.inf])[0].to_json())["order"] == "inf"
    assert json.loads(answer(None, 1.0, "upper-bound").to_json())["lower"] is None


def test_answers_are_values():
    for ends in (EPSILON, hs.Gaussian(2.0).epsilon([1e-5])[0]):
        for again in (pickle.loads(pickle.dumps(ends)), copy.copy(ends), copy.deepcopy(ends)):
            assert again == ends and type(again) is type(ends) and float(again) == float(ends)
        with pytest.raises(AttributeError):
            ends.upper = 0.0


def test_answers_index_and_iterate():
    deltas = np.geomspace(1e-9, 1e-3, 12).reshape(3, 4)
    answers = hs.Gaussian(2.0).epsilon(deltas)
    flat = hs.Gaussian(2.0).epsilon(deltas.ravel())
    assert [float(one) for one in flat] == flat.upper.tolist() and len(list(answers)) == 3
    assert isinstance(flat[0], hs.Reading) and not isinstance(answers[0], hs.Reading)
    assert flat[-1] == flat[11] and flat[np.int64(2)].given == deltas.ravel()[2]
    assert (answers[1, 2].lower, answers[1, 2].upper) == (answers.lower[1, 2], answers.upper[1, 2])
    assert np.array_equal(answers[1:].upper, answers.upper[1:]) and np.array_equal(answers[:, 0].given, deltas[:, 0])
    assert flat[flat <= 2.0].upper.max() <= 2.0 < flat[flat > 2.0].upper.min()
    assert (2.0 >= flat).tolist() == (flat <= 2.0).tolist() == [bool(one <= 2.0) for one in flat]
    with pytest.raises(IndexError):
        flat[12]
    with pytest.raises(ValueError, match="NaN"):
        flat <= math.nan
    bound = (hs.Gaussian(2.0) * 3).epsilon([1e-5], method="basic")[0]
    assert bound.lower is None and bound.guarantee == "upper-bound" and str(bound).startswith("ε ≤")
    missed = hs.tradeoff(hs.Gaussian(1.0), [0.05])[0]
    assert float(missed) == missed.lower and repr(missed).startswith("<FNR ≥") and round(missed, 2) <= missed.lower


def test_the_version_is_that_of_the_package():
    assert hs.__version__ == importlib.metadata.version("hockeystick")


def test_rates_of_an_attack_are_rounded_up():
    risk = hs.risk(hs.Gaussian(1.0), fpr=0.01)
    for ends in (risk.tpr, risk.advantage):
        assert float(f"{ends:.3f}") >= ends.upper and round(ends, 3) >= ends.upper
    assert f"{Between(0.1, 0.1234):.2%}" == "12.34%" and f"{Between(0.1, 0.12341):.2%}" == "12.35%"


def test_parameters_are_attributes():
    from hockeystick import _engine

    for entry in _engine.catalogue():
        mechanism = hs.parse(entry["example"])
        for parameter in entry["parameters"]:
            name = parameter["name"]
            if name in ("epsilon", "delta"):
                # These are the questions.
                assert callable(getattr(mechanism, name))
            else:
                assert getattr(mechanism, name) == mechanism.parameters.get(name), (entry["name"], name)
                assert type(mechanism).__dict__[name]._name == name
    with pytest.raises(AttributeError):
        hs.Gaussian(1.0).sigm
    with pytest.raises(AttributeError):
        hs.Gaussian(1.0).sigma = 2.0


def test_a_class_of_ones_own_is_what_it_extends():
    class Release(hs.Gaussian):
        """Noise as we use it."""

    assert Release(2.0) == hs.Gaussian(2.0) and Release(2.0).sigma == 2.0
    assert type(hs.parse("gaussian(sigma=2)")) is hs.Gaussian


def test_what_is_wrong_is_said_where_it_is_given():
    """It was said at the first question."""
    for bad in (
        lambda: hs.Pair([0.5, 0.5], [0.5, 0.4]),
        lambda: hs.Renyi([0.5], [1.0]),
        lambda: hs.Profile([0.0, 1.0], [0.3, 2.0]),
        lambda: hs.Profile.of(lambda epsilon: 2.0),
        lambda: hs.Accountant(relation="swap"),
        lambda: hs.Accountant(method="magic"),
        lambda: hs.Accountant(tolerance=2.0),
    ):
        with pytest.raises(ValueError):
            bad()
    accountant = hs.Accountant()
    for name, value in (("relation", "swap"), ("method", "magic"), ("tolerance", -1.0)):
        with pytest.raises(ValueError):
            setattr(accountant, name, value)
        with pytest.raises(ValueError):
            accountant.load_state_dict({**accountant.state_dict(), name: value})
    assert (accountant.relation, accountant.method, accountant.tolerance) == ("add-remove", "auto", None)


def test_every_result_is_shown_in_notebooks():
    training = hs.Gaussian(1.0).poisson(0.01) * 10
    for result, shown in (
        (EPSILON, "certified"),
        (training.epsilon([1e-5, 1e-6]), "1e-06"),
        (training.epsilon([[1e-5], [1e-6]])[0], "1e-05"),
        (hs.calibrate("gaussian(sigma=?)", epsilon=1, delta=1e-6), "sigma"),
        (hs.calibrate("dp(epsilon=2) + gaussian(sigma=?)", epsilon=1, delta=1e-6), "impossible"),
        (hs.risk(training), "advantage"),
        (hs.tradeoff(training, [0.1]), "FNR"),
        (hs.compare(training, delta=1e-5), "rdp"),
        (hs.explain(training, delta=1e-5), "theorem"),
        (hs.losses(training), "<svg"),
        (hs.renyi(training, [2.0]), "α"),
        (curves.profile(training), "<svg"),
    ):
        html = result._repr_html_()
        assert shown in html and html.count("<table>") == html.count("</table>"), type(result)


def _releases(noise: float) -> hs.Mechanism:
    return hs.Gaussian(noise).poisson(0.01) * 100 + hs.Laplace(5 * noise)


def test_a_function_is_calibrated():
    """A number that stands in two places could not be looked for."""
    found = hs.calibrate(_releases, epsilon=1.0, delta=1e-6)
    assert found.outcome == "found" and found.parameter == "noise"
    # One question proves it, and one more that less would not do.
    assert found.mechanism == _releases(found.value) and found.mechanism.epsilon(1e-6) <= 1.0
    assert _releases(found.too_little).epsilon(1e-6).lower > 1.0 and found.too_little < found.value < found.too_little * (1 + 1e-6)
    same = hs.calibrate(lambda sigma: hs.Gaussian(sigma).poisson(0.01) * 1000, epsilon=1, delta=1e-6)
    assert same.value == hs.calibrate("poisson(gaussian(sigma=?), rate=0.01) * 1000", epsilon=1, delta=1e-6).value


def test_functions_of_rates_and_counts_are_calibrated():
    rate = hs.calibrate(lambda q: hs.Gaussian(1.0).poisson(q) * 1000, epsilon=1, delta=1e-6)
    assert rate.value < rate.too_little < 1 and rate.mechanism.delta(1.0) <= 1e-6
    count = hs.calibrate(lambda k: sum([hs.Gaussian(20.0)] * k), epsilon=1, delta=1e-6)
    assert count.too_little == count.value + 1
    assert (hs.Gaussian(20.0) * int(count.value)).epsilon(1e-6) <= 1 < (hs.Gaussian(20.0) * int(count.too_little)).epsilon(1e-6).lower


def test_other_targets_and_no_value():
    found = hs.calibrate(lambda sigma: hs.Gaussian(sigma), advantage=0.1)
    assert hs.risk(found.mechanism).advantage.upper <= 0.1
    none = hs.calibrate(lambda sigma: hs.ApproximateDp(2.0) + hs.Gaussian(sigma), epsilon=1, delta=1e-6)
    assert none.outcome == "impossible" and none.value is None


def test_a_function_that_is_not_the_same_twice_is_taken_at_its_word():
    """What was proven is what is returned."""
    dice = random.Random(1)
    for _ in range(10):
        found = hs.calibrate(lambda sigma: hs.Gaussian(sigma * dice.uniform(0.5, 2.0)) * 10, epsilon=1, delta=1e-6)
        if found.value is not None:
            assert found.mechanism.epsilon(1e-6) <= 1.0


def test_what_a_function_raises_is_raised():
    def interrupted(sigma: float) -> hs.Mechanism:
        raise KeyboardInterrupt

    def unknown(sigma: float) -> hs.Mechanism:
        return hs.Gaussian(sigma).poisson(rates["training"])

    rates: dict[str, float] = {}
    with pytest.raises(KeyboardInterrupt):
        hs.calibrate(interrupted, epsilon=1, delta=1e-6)
    with pytest.raises(KeyError):
        hs.calibrate(unknown, epsilon=1, delta=1e-6)
    with pytest.raises(TypeError, match="must make a mechanism"):
        hs.calibrate(lambda sigma: sigma, epsilon=1, delta=1e-6)
    with pytest.raises(ValueError, match="sigma is -1"):
        hs.calibrate(lambda sigma: hs.Gaussian(-1.0), epsilon=1, delta=1e-6)
    with pytest.raises(TypeError, match="there is no target"):
        hs.calibrate(lambda sigma: hs.Gaussian(sigma), epsilon=1)
