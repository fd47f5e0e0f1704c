"""An account that grows."""

from __future__ import annotations

import json
import pickle

import hockeystick as hs
import pytest


def test_steps_one_by_one_and_at_once_are_the_same():
    step, release = hs.Gaussian(1.0).poisson(0.01), hs.Laplace(5.0)
    accountant = hs.Accountant()
    for i in range(50):
        accountant.step(step)
        if i % 10 == 0:
            accountant.step(release)
    assert accountant.steps == 55
    assert accountant.epsilon(1e-6) == (step * 50 + release * 5).epsilon(1e-6)
    assert accountant.delta(1.0) == (step * 50 + release * 5).delta(1.0)


def test_spending_grows():
    accountant, spent = hs.Accountant(), 0.0
    assert accountant.epsilon(1e-6).upper == 0.0
    for _ in range(5):
        accountant.step(hs.Gaussian(4.0))
        answer = accountant.epsilon(1e-6)
        assert answer.lower > spent
        spent = answer.upper


def test_state():
    accountant = hs.Accountant(relation="add", tolerance=0.1)
    accountant.step(hs.Gaussian(2.0), 10)
    accountant.step(hs.Laplace(3.0))
    state = json.loads(json.dumps(accountant.state_dict()))
    again = hs.Accountant()
    again.load_state_dict(state)
    assert again == accountant == pickle.loads(pickle.dumps(accountant))
    assert again.epsilon(1e-6) == accountant.epsilon(1e-6)
    with pytest.raises(ValueError, match="version"):
        again.load_state_dict({"version": 99})
    again.reset()
    assert again.steps == 0 and accountant.steps == 11


def test_bad_steps_change_nothing():
    accountant = hs.Accountant()
    for bad in (0, -1, 1.5):
        with pytest.raises(ValueError):
            accountant.step(hs.Gaussian(1.0), bad)
    with pytest.raises(TypeError):
        accountant.step("gaussian(sigma=1)")
    assert accountant.steps == 0
