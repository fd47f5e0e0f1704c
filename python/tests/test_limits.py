"""Every question ends: at its limits, or when the user has had enough."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import hockeystick as hs
import pytest

#: Some seconds in a release build, minutes in others.
SLOW = "poisson(discrete_laplace(scale=1e6, sensitivity=1000000), rate=0.999) * 100000"
#: Some hundredths of a second.
WORK = "poisson(gaussian(sigma=0.8), rate=0.01) * 500 + poisson(laplace(scale=1), rate=0.02) * 500"


def test_a_question_ends_when_its_time_is_over():
    started = time.monotonic()
    with hs.limits(timeout=0.2):
        try:
            assert "raise that limit" in hs.epsilon(SLOW, 1e-300).shortfall
        except TimeoutError as refusal:
            assert "longer than 200ms" in str(refusal)
    assert time.monotonic() - started < 20


def test_a_bound_takes_the_place_of_an_answer_that_was_stopped():
    whole = hs.epsilon(WORK, 1e-6)
    with hs.limits(timeout=1e-6):
        bound = hs.epsilon(WORK, 1e-6)
    assert bound.upper >= whole.lower
    assert "raise that limit" in bound.shortfall
    assert whole.shortfall is None


def test_what_has_no_bound_is_refused():
    with hs.limits(timeout=1e-6):
        with pytest.raises(TimeoutError, match="raise that limit"):
            hs.risk(WORK, fpr=0.01)
        with pytest.raises(TimeoutError, match="longer than"):
            hs.calibrate("poisson(gaussian(sigma=?), rate=0.01) * 1000", epsilon=1, delta=1e-6)
        with pytest.raises(TimeoutError, match="longer than"):
            hs.epsilon(WORK, 1e-6, method="lattice")


def test_memory_is_refused_before_it_is_used():
    with hs.limits(memory=10_000):
        with pytest.raises(MemoryError, match="of memory, more than 9.8 kB"):
            hs.epsilon(WORK, 1e-6, method="lattice")


def test_each_question_of_an_array_has_its_own_time():
    with hs.limits(timeout=5):
        answers = hs.epsilon("gaussian(sigma=4) * 10", [10.0**-k for k in range(3, 12)] * 10)
    assert len(answers.upper) == 90


def test_limits_hold_where_they_are_set():
    def ask():
        return hs.epsilon(WORK, 1e-6).shortfall

    with hs.limits(timeout=1e-6):
        with hs.limits(timeout=None):
            assert ask() is None
        assert ask() is not None
        seen = []
        thread = threading.Thread(target=lambda: seen.append(ask()))
        thread.start()
        thread.join()
    assert seen == [None]
    assert ask() is None


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_limits_are_checked_when_they_are_given(value):
    for name in ("timeout", "memory"):
        with pytest.raises(ValueError, match=f"{name} is .* None for no limit"):
            with hs.limits(**{name: value}):
                pass
    with pytest.raises(TypeError, match="timeout is '8'"):
        with hs.limits(timeout="8"):
            pass


@pytest.mark.parametrize(
    "question",
    [
        f"hs.epsilon({SLOW!r}, 1e-300)",
        f"hs.risk({SLOW!r}, fpr=1e-9)",
        f"[hs.epsilon({WORK!r}, 1e-6) for _ in range(10**9)]",
        "[hs.calibrate('poisson(laplace(scale=?), rate=0.01) * 1000', epsilon=1, delta=1e-6) for _ in range(10**9)]",
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_any_question_can_be_interrupted(question):
    program = f"import hockeystick as hs\nprint('ready', flush=True)\nwith hs.limits(None, None):\n    {question}\n"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    assert process.poll() is None, process.stderr.read()
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert complaint.rstrip().endswith("KeyboardInterrupt")
    assert time.monotonic() - started < 20
