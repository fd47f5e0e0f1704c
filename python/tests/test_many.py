"""Many questions about different mechanisms: the bits of each alone, missing and bad rows, limits, threads, every kind of column."""

from __future__ import annotations

import json
import os
import pickle
import signal
import threading
import time

import hockeystick as hs
import numpy as np
import pytest
from hockeystick import _engine

STEP = "poisson(gaussian(sigma={sigma}), rate={rate}) * {steps}"
NAN = float("nan")


def _alike(answers: hs.Answers, singles: list[hs.Answer | None]) -> None:
    for row, single in zip(answers.rows(), singles):
        if single is None:
            assert not isinstance(row, hs.Reading)
        else:
            assert (row.lower, row.upper, row.guarantee) == (single.lower, single.upper, single.guarantee)


def test_rows_have_the_bits_of_single_answers():
    texts = ["gaussian(sigma=2) * 10", "laplace(scale=5) * 2 + gdp(mu=1)", "zcdp(rho=0.1)", STEP.format(sigma=1, rate=0.01, steps=500)]
    deltas = [1e-6, 1e-5, 1e-6, 1e-9]
    singles = [hs.epsilon(text, delta) for text, delta in zip(texts, deltas)]
    answers = hs.epsilon(texts, deltas)
    _alike(answers, singles)
    assert answers.guarantee == "upper-bound" and answers.method == "auto"
    assert [row.guarantee for row in answers.rows()] == ["certified", "certified", "upper-bound", "certified"]
    _alike(hs.epsilon([hs.parse(text) for text in texts], np.array(deltas)), singles)
    _alike(hs.delta(texts, 0.5), [hs.delta(text, 0.5) for text in texts])
    _alike(hs.epsilon(texts, 1e-5, relation="add", method="rdp"), [hs.epsilon(text, 1e-5, relation="add", method="rdp") for text in texts])


def test_columns_fill_names_in_braces():
    columns = {"sigma": [0.8, 1, 0.1 + 0.2], "rate": 0.01, "steps": np.array([10, 20, 30])}
    answers = hs.epsilon(STEP, 1e-6, columns=columns)
    expected = [hs.epsilon(hs.Gaussian(s).poisson(0.01) * k, 1e-6) for s, k in ((0.8, 10), (1.0, 20), (0.1 + 0.2, 30))]
    _alike(answers, expected)
    # Whole mechanisms may stand in a column, too.
    some = {"what": ["gaussian(sigma=2)", "laplace(scale=1)", None, 5], "k": [1, "2", 3, 4]}
    answers = hs.epsilon("({what}) * {k}", 1e-6, columns=some)
    _alike(answers, [hs.epsilon("gaussian(sigma=2)", 1e-6), hs.epsilon("laplace(scale=1) * 2", 1e-6), None, None])
    assert list(answers.errors) == [3]


def test_missing_rows_stay_missing_and_bad_rows_say_why():
    texts = ["gaussian(sigma=2)", None, "gaussian(sigma=0)", 7, "gausian(sigma=1)", "gaussian(sigma=2)", "gaussian(sigma=2)", "gdp(mu=1)"]
    deltas = [1e-6, 1e-6, 1e-6, 1e-6, 1e-6, None, "x", 2.0]
    answers = hs.epsilon(texts, deltas)
    rows = answers.rows()
    assert rows[1] is None and rows[5] is None and isinstance(rows[0], hs.Reading)
    assert {row: type(error) for row, error in answers.errors.items()} == {2: ValueError, 3: TypeError, 4: ValueError, 6: TypeError, 7: ValueError}
    assert "did you mean gaussian?" in str(rows[4]) and "delta is 2" in str(rows[7])
    assert np.isnan(answers.upper).tolist() == [row != 0 for row in range(8)]
    assert np.isnan(np.asarray(answers)[1])
    with pytest.raises(ValueError, match="sigma is 0"):
        answers[2]
    with pytest.raises(ValueError, match="row 1 asks nothing"):
        answers[1]
    with pytest.raises(ValueError, match="row 2: .*sigma is 0"):
        hs.epsilon(texts, deltas, errors="raise")
    with pytest.raises(ValueError, match="'keep' or 'raise'"):
        hs.epsilon(texts, deltas, errors="ignore")


def test_no_row_without_an_answer_is_within_a_budget():
    answers = hs.epsilon(["gdp(mu=1)", None, "gdp(mu=-1)"], [1e-6, 1e-6, 1e-6])
    assert (answers <= 100).tolist() == [True, False, False]
    assert (answers < 100).tolist() == [True, False, False]
    assert (answers > 100).tolist() == [False, True, True]
    assert (answers >= 100).tolist() == [False, True, True]


def test_parts_of_answers_keep_what_belongs_to_their_rows():
    answers = hs.epsilon(["gdp(mu=1)", None, "gdp(mu=-1)", "gdp(mu=2)"], 1e-6)
    assert list(answers[1:].errors) == [1] and list(answers[[2, 0]].errors) == [0]
    assert list(answers[np.array([False, False, True, True])].errors) == [0]
    assert answers[::-1][0] == answers[3]
    again = pickle.loads(pickle.dumps(answers))
    assert str(again.errors[2]) == str(answers.errors[2]) and np.array_equal(again.upper, answers.upper, equal_nan=True)
    written = json.loads(answers.to_json())
    assert written[1] is None and "mu is -1" in written[2]["error"] and written[0]["upper"] == answers[0].upper
    assert "no answer" in answers._repr_html_()


def test_equal_rows_are_answered_once():
    rows = ["gaussian(sigma=2) * 10", "gaussian(sigma=2) * 4 + gaussian(sigma=2) * 6", "gaussian(sigma=3)"] * 5
    deltas = np.full(15, 1e-6)
    count = _engine.answers(rows, deltas.tobytes(), "epsilon", "add-remove", "auto", None)[-1]
    assert count == 2
    deltas[0] = 1e-7
    assert _engine.answers(rows, deltas.tobytes(), "epsilon", "add-remove", "auto", None)[-1] == 3
    targets = [np.full(4, value).tobytes() for value in (1.0, 1e-6, NAN, NAN, NAN)]
    found, count = _engine.calibrations(["gaussian(sigma=?)", "laplace(scale=?)"] * 2, targets, "add-remove", "auto", None)
    assert count == 2 and found[0][2] == found[2][2]


def test_rows_and_numbers_must_fit():
    with pytest.raises(ValueError, match="delta has 3 rows, but there are 2"):
        hs.epsilon(["gdp(mu=1)"] * 2, [1e-6] * 3)
    with pytest.raises(ValueError, match="column k has 2 rows, but there are 3"):
        hs.epsilon("gdp(mu={m}) * {k}", 1e-6, columns={"m": [1, 2, 3], "k": [1, 2]})
    with pytest.raises(ValueError, match="there is no column k"):
        hs.epsilon("gdp(mu={m}) * {k}", 1e-6, columns={"m": [1, 2, 3]})
    with pytest.raises(ValueError, match="how many rows"):
        hs.epsilon("gdp(mu={m})", 1e-6, columns={"m": 1})
    with pytest.raises(ValueError, match="2 dimensions"):
        hs.epsilon("gdp(mu={m})", 1e-6, columns={"m": np.ones((2, 2))})
    with pytest.raises(ValueError, match="delta is nan"):
        hs.epsilon(["gdp(mu=1)"], NAN)
    with pytest.raises(TypeError, match="a mechanism, its text, or a column|a mechanism or its text"):
        hs.epsilon(5, 1e-6)
    assert len(hs.epsilon([], 1e-6)) == 0


class _Arrow:
    """A column that can only give lists, as those of Arrow can."""

    def __init__(self, values):
        self._values = values

    def to_pylist(self):
        return self._values


def test_columns_come_from_anywhere():
    expected = hs.epsilon("gdp(mu=1)", 1e-6).upper
    masked = np.ma.masked_array([1.0, 2.0], [False, True])
    for column in ([1.0, None], (1, NAN), np.array([1.0, NAN]), np.array([1, None], dtype=object), masked, _Arrow([1, None])):
        answers = hs.epsilon("gdp(mu={m})", 1e-6, columns={"m": column})
        assert answers.upper[0] == expected and answers.rows()[1] is None and not answers.errors, column
    assert list(hs.epsilon("gdp(mu={m})", 1e-6, columns={"m": [1, True]}).errors) == [1]


def test_pandas_tables():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"sigma": [1.0, 2.0, None], "steps": pd.array([10, None, 30], dtype="Int64"), "delta": [1e-6] * 3})
    answers = hs.epsilon("gaussian(sigma={sigma}) * {steps}", table["delta"], columns=table)
    assert [row is None for row in answers.rows()] == [False, True, True]
    found = answers.to_pandas()
    assert found.columns.tolist() == ["delta", "lower", "upper", "error"] and found["upper"][0] == answers.upper[0]


def test_arrow_tables():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"sigma": [1.0, 2.0, None], "delta": [1e-6] * 3})
    answers = hs.epsilon("gaussian(sigma={sigma})", table["delta"], columns=table)
    assert [row is None for row in answers.rows()] == [False, False, True]
    assert answers.to_arrow()["upper"].to_pylist() == [*answers.upper[:2].tolist(), None]


def test_calibrations():
    texts = ["gaussian(sigma=?)", "laplace(scale=?)", "gaussian(sigma=1)", None, "dp(epsilon=1) * ?"]
    found = hs.calibrate_many(texts, epsilon=1, delta=1e-6)
    assert found[0] == hs.calibrate(texts[0], epsilon=1, delta=1e-6)
    assert found[1].value == hs.calibrate(texts[1], epsilon=1, delta=1e-6).value
    assert sorted(found.errors) == [2] and found.rows()[3] is None
    assert np.isnan(found.value).tolist() == [False, False, True, True, False]
    with pytest.raises(ValueError, match="row 2"):
        hs.calibrate_many(texts, epsilon=1, delta=1e-6, errors="raise")
    mixed = hs.calibrate_many("gaussian(sigma=?) * {k}", epsilon=[1, None, -1, 2], delta=1e-6, columns={"k": [1, 2, 3, 1]})
    assert [type(row).__name__ for row in mixed.rows()] == ["Calibration", "NoneType", "ValueError", "Calibration"]
    advantages = hs.calibrate_many("gaussian(sigma=?)", advantage=[0.1, 0.2])
    assert advantages[0].value == hs.calibrate("gaussian(sigma=?)", advantage=0.1).value
    assert isinstance(hs.calibrate_many(["gaussian(sigma=?)"], epsilon=1).rows()[0], TypeError)


# Half a minute or so without limits.
SLOW = "laplace(scale=1000) * 50000 + laplace(scale=1001) * 50000"


def test_each_row_has_the_time_that_is_allowed():
    with hs.limits(timeout=1e-9):
        answers = hs.epsilon([SLOW, "gdp(mu=1)", None], 1e-6)
        assert 0 in answers.shortfalls or isinstance(answers.errors[0], TimeoutError)
        assert 2 not in answers.shortfalls and 2 not in answers.errors


def test_threads_ask_at_the_same_time():
    texts = [f"poisson(gaussian(sigma={1 + i / 50}), rate=0.01) * 100" for i in range(40)]
    expected = hs.epsilon(texts, 1e-6).upper.tolist()
    found: list[list[float]] = []
    threads = [threading.Thread(target=lambda: found.append(hs.epsilon(texts, 1e-6).upper.tolist())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_ends_all_rows():
    texts = [f"poisson(gaussian(sigma={1 + i / 1e6}), rate=0.01) * 100" for i in range(10**6)]
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        hs.epsilon(texts, 1e-6)
    timer.join()
    assert time.monotonic() - start < 60


def test_curves_at_many_places_enclose_those_at_one():
    training = hs.parse("poisson(gaussian(sigma=1), rate=0.01) * 1000")
    rates = np.linspace(0.0, 1.0, 30_001)
    missed = hs.tradeoff(training, rates)
    assert np.all(missed.upper - missed.lower < 1e-10) and np.all(np.diff(missed.lower) <= 0.0)
    for row in (0, 1, 17, 15_000, 29_999, 30_000):
        single = hs.tradeoff(training, [rates[row]])
        assert single.lower[0] <= missed.upper[row] and missed.lower[row] <= single.upper[0]
