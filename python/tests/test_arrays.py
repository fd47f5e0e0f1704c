"""Arrays of questions: the same truth as single questions, numpy in and out, interruptible."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import hockeystick as hs
import numpy as np
import pytest

MECHANISMS = [
    "gaussian(sigma=2) * 10",
    "poisson(gaussian(sigma=1), rate=0.01) * 1000",
    "laplace(scale=5) * 12 + gaussian(sigma=3) * 5",
    "dp(epsilon=0.5, delta=1e-9) * 10",
    "randomized_response(epsilon=1)",
    "discrete_laplace(scale=3) * 2",
]


@pytest.mark.parametrize("expression", MECHANISMS)
def test_intervals_of_arrays_and_single_answers_overlap(expression):
    mechanism = hs.parse(expression)
    rng = np.random.default_rng(7)
    deltas = np.exp(rng.uniform(np.log(1e-8), np.log(0.3), 60))
    answers = mechanism.epsilon(deltas)
    assert answers.guarantee == "certified"
    for delta, lower, upper in zip(deltas, answers.lower, answers.upper):
        single = mechanism.epsilon(float(delta))
        assert lower <= single.upper and single.lower <= upper
        assert upper - lower <= 1e-3 * upper + 1e-12
        # The upper end keeps its promise.
        if np.isfinite(upper):
            assert mechanism.delta(upper).lower <= delta
    epsilons = rng.uniform(0, 5, 40)
    curve = mechanism.delta(epsilons)
    for epsilon, lower, upper in zip(epsilons, curve.lower, curve.upper):
        single = mechanism.delta(float(epsilon))
        assert lower <= single.upper and single.lower <= upper


def test_dense_arrays_stay_narrow():
    """A sweep once lost its bearings where neighbouring questions were close together: lower ends fell to 0."""
    mechanism = hs.parse("poisson(gaussian(sigma=1), rate=0.01) * 1000")
    answers = mechanism.epsilon(np.geomspace(1e-7, 1e-4, 3000))
    assert np.all(answers.upper - answers.lower <= 1e-9 * answers.upper)
    assert np.all(np.diff(answers.upper) < 1e-11)


@pytest.mark.parametrize("expression", ["laplace(scale=5) * 12", "discrete_gaussian(sigma=3) * 20"])
def test_arrays_keep_the_tolerance_of_single_answers(expression):
    """What a lattice leaves in doubt was once ten times as much in arrays, and a tolerance was not heard."""
    mechanism = hs.parse(expression)
    deltas = np.geomspace(1e-8, 1e-2, 40)
    for tolerance, wanted in ((None, 1e-4), (1e-5, 1e-5)):
        answers = mechanism.epsilon(deltas, tolerance=tolerance)
        for delta, lower, upper in list(zip(deltas, answers.lower, answers.upper))[::8]:
            single = mechanism.epsilon(float(delta), tolerance=tolerance)
            assert upper - lower <= 4 * max(single.width, wanted * single.upper)


def test_many_questions_are_divided_and_put_together_again():
    """From 20 000 questions on there are several threads, each with a composition of its own."""
    mechanism = hs.parse("poisson(gaussian(sigma=1), rate=0.01) * 1000")
    deltas = np.geomspace(1e-9, 1e-3, 25_000)
    shuffled = np.random.default_rng(3).permutation(deltas)
    answers, in_order = mechanism.epsilon(shuffled), mechanism.epsilon(deltas)
    assert np.array_equal(answers.upper[np.argsort(-shuffled)], in_order.upper[::-1])
    assert np.all(np.diff(in_order.upper) < 1e-11)
    with pytest.raises(ValueError, match="delta"):
        mechanism.epsilon(np.append(deltas, 2.0))


def test_shapes_and_types_of_arrays():
    mechanism = hs.Gaussian(2.0)
    deltas = np.array([[1e-5, 1e-6], [1e-7, 1e-8]], dtype=np.float32)
    answers = mechanism.epsilon(deltas)
    assert answers.upper.shape == (2, 2) and answers.upper.dtype == np.float64
    assert np.array_equal(np.asarray(answers), answers.upper)
    assert mechanism.epsilon(np.float32(1e-5)).given == float(np.float32(1e-5))
    assert mechanism.epsilon(np.array(1e-5)).given == 1e-5
    assert mechanism.delta([0, 1]).upper.shape == (2,)
    assert mechanism.epsilon(np.empty(0)).upper.shape == (0,)
    strided = np.geomspace(1e-9, 1e-3, 20)[::3]
    assert np.array_equal(mechanism.epsilon(strided).upper, mechanism.epsilon(strided.copy()).upper)


def test_duplicates_have_the_same_answer():
    answers = hs.Gaussian(2.0).epsilon([1e-5, 1e-6, 1e-5, 1e-5])
    assert answers.upper[0] == answers.upper[2] == answers.upper[3]


def test_other_threads_run_during_a_question():
    """The lock of the interpreter is released: a thread counts while the engine works."""
    mechanism = hs.parse("poisson(gaussian(sigma=1), rate=0.01) * 1000")
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks[0]
    mechanism.epsilon(np.geomspace(1e-9, 1e-3, 19_000))
    during = ticks[0] - before
    done.set()
    thread.join()
    assert during > 5


@pytest.mark.parametrize(
    "question",
    ["m.epsilon(np.geomspace(1e-12, 1e-1, 20_000_000))", "[m.epsilon(np.geomspace(1e-12, 1e-1, 10_000)) for _ in range(10_000)]"],
)
def test_a_sweep_can_be_interrupted(question):
    script = (
        "import hockeystick as hs, numpy as np\n"
        "print('ready', flush=True)\n"
        "m = hs.parse('poisson(gaussian(sigma=1), rate=0.01) * 1000')\n"
        f"{question}\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline().strip() == b"ready"
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert b"KeyboardInterrupt" in errors
