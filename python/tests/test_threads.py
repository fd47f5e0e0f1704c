"""Nothing is lost when threads share an account: every step of every thread is counted, with readers beside the writers."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
import time
from collections.abc import Callable

import hockeystick as hs
import pytest
from hockeystick.compat import dp_accounting as dpa
from hockeystick.compat import opacus

THREADS, STEPS = 16, 100_000
STEP = hs.Gaussian(1.0).poisson(0.01)
NOISE, EVENT = hs.Gaussian(1.0), dpa.GaussianDpEvent(1.0)


def run(*work: Callable[[], None]) -> None:
    """Runs all of them at once; what one of them raises is raised here."""
    failures: list[BaseException] = []

    def guarded(task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(task,)) for task in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def crowd(step: Callable[[], object], read: Callable[[], int], count: Callable[[], int]) -> None:
    """16 threads of 100,000 steps each, and two readers: what is read never falls, and in the end all is there."""
    done = threading.Event()

    def write() -> None:
        for _ in range(STEPS):
            step()

    def watch() -> None:
        last = 0
        while not done.is_set():
            now = read()
            assert last <= now <= THREADS * STEPS
            last = now
            time.sleep(0.01)

    def write_all() -> None:
        try:
            run(*[write] * THREADS)
        finally:
            done.set()

    run(write_all, watch, watch)
    assert count() == THREADS * STEPS


def test_no_step_of_an_accountant_is_lost():
    accountant = hs.Accountant()

    def read() -> int:
        assert accountant.state_dict()["relation"] == "add-remove" and repr(accountant)
        spent = accountant.mechanism
        return 0 if spent is None else sum(count for _, count in spent.uses)

    crowd(lambda: accountant.step(STEP), read, lambda: accountant.steps)
    assert accountant.epsilon(1e-6) == (STEP * (THREADS * STEPS)).epsilon(1e-6)


def test_no_step_of_opacus_is_lost():
    accountant = opacus.HockeystickAccountant()
    hook = accountant.get_optimizer_hook_fn(0.01)

    class Optimizer:
        noise_multiplier = 1.0

    def read() -> int:
        accountant.get_epsilon(1e-6)
        return sum(count for _, _, count in accountant.state_dict()["history"])

    crowd(lambda: hook(Optimizer), read, lambda: len(accountant))
    assert accountant.get_epsilon(1e-6) == (STEP * (THREADS * STEPS)).epsilon(1e-6).upper


@pytest.mark.parametrize("make", [dpa.PLDAccountant, dpa.RdpAccountant])
def test_no_event_of_dp_accounting_is_lost(make):
    accountant = make()

    def counted() -> int:
        ledger = accountant.ledger
        return ledger.count if isinstance(ledger, dpa.SelfComposedDpEvent) else int(ledger == EVENT)

    def read() -> int:
        accountant.get_epsilon(1e-6)
        return counted()

    crowd(lambda: accountant.compose(EVENT), read, counted)
    assert accountant._spent.uses == {NOISE: THREADS * STEPS}
    assert accountant.get_epsilon(1e-6) == make().compose(EVENT, THREADS * STEPS).get_epsilon(1e-6)


def test_no_event_of_a_builder_is_lost():
    builder = dpa.DpEventBuilder()

    def counted() -> int:
        built = builder.build()
        return built.count if isinstance(built, dpa.SelfComposedDpEvent) else int(built == EVENT)

    crowd(lambda: builder.compose(EVENT), counted, counted)


def test_states_are_of_one_moment():
    """Two mechanisms always stepped together by one caller's lock: a state has them in step, whoever reads it meanwhile."""
    accountant, other = hs.Accountant(), hs.Accountant()
    done = threading.Event()

    def write() -> None:
        for count in range(1, 2000):
            accountant.step(STEP, count)
            accountant.relation = "add" if count % 2 else "remove"
            if count % 100 == 0:
                accountant.reset()
        done.set()

    def read() -> None:
        while not done.is_set():
            other.load_state_dict(accountant.state_dict())
            assert pickle.loads(pickle.dumps(accountant)).relation in ("add", "remove", "add-remove")
            copy.deepcopy(accountant).step(STEP)

    run(write, read, read)
    assert accountant.steps == sum(range(1901, 2000))


def test_what_is_cached_is_the_same_for_all():
    """A law on a grid is made once or several times, and is the same; so is what is proven to have an answer."""
    law = dpa.pld.privacy_loss_distribution.from_gaussian_mechanism(2.0, value_discretization_interval=1e-2)
    accountant = dpa.PLDAccountant()
    masses: list[float] = []

    def read() -> None:
        masses.append(float(law._pmf_remove._probs.sum()))
        assert accountant.supports(EVENT)

    run(*[read] * 8)
    assert len(masses) == 8 and len(set(masses)) == 1


def test_engines_answer_many_threads_alike():
    answers: list[hs.Answer] = []
    training = STEP * 1000
    run(*[lambda: answers.append(training.epsilon(1e-6))] * 8)
    assert len(answers) == 8 and set(answers) == {training.epsilon(1e-6)}


def test_the_extension_does_not_bring_the_lock_of_the_interpreter_back():
    """On a build without that lock, importing the engine must not switch it on again."""
    is_locked = getattr(sys, "_is_gil_enabled", lambda: True)
    import sysconfig

    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert not is_locked()
