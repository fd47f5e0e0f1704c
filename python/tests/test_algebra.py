"""Mechanisms as values."""

from __future__ import annotations

import copy
import pickle

import hockeystick as hs
import numpy as np
import pytest
from hockeystick import _engine


def test_the_three_written_forms_are_one():
    built = hs.Gaussian(1.0).poisson(0.01) * 1000 + hs.Laplace(5.0) * 12
    text = "poisson(gaussian(sigma=1), rate=0.01) * 1000 + laplace(scale=5) * 12"
    assert str(built) == text
    assert hs.parse(text) == built and hash(hs.parse(text)) == hash(built)
    assert hs.Mechanism.from_json(built.to_json()) == built
    assert eval(repr(built), {"parse": hs.parse}) == built


def test_every_mechanism_of_the_catalogue_has_a_class():
    """A new mechanism needs a class in `python/hockeystick/catalogue.py`, with the same parameters and defaults."""
    import inspect

    for entry in _engine.catalogue():
        mechanism = hs.parse(entry["example"])
        cls = type(mechanism)
        assert cls is not hs.Mechanism, entry["name"]
        assert getattr(hs, cls.__name__) is cls
        parameters = inspect.signature(cls).parameters
        assert {parameter["name"] for parameter in entry["parameters"]} == set(parameters), entry["name"]
        for parameter in entry["parameters"]:
            default = parameters[parameter["name"]].default
            if parameter["required"]:
                assert default is inspect.Parameter.empty
            else:
                assert default == parameter["default"]


def test_operators():
    gaussian, laplace = hs.Gaussian(1.0), hs.Laplace(2.0)
    assert 3 * gaussian == gaussian * 3
    assert sum([gaussian, laplace, gaussian]) == gaussian + laplace + gaussian
    assert (gaussian * np.int64(3)).uses == [(gaussian, 3)]
    total = gaussian
    total += laplace
    assert total == gaussian + laplace


def test_mechanisms_do_not_change():
    with pytest.raises(AttributeError):
        hs.Gaussian(1.0).sigma = 2.0


@pytest.mark.parametrize("entry", _engine.catalogue(), ids=lambda entry: entry["name"])
def test_pickle_and_copy(entry):
    mechanism = hs.parse(entry["example"]) * 3
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    assert copy.deepcopy(mechanism) == mechanism
    assert type(pickle.loads(pickle.dumps(mechanism))) is hs.Repeat


def test_pairs_from_arrays_spend_what_their_closed_form_spends():
    p = np.array([0.75, 0.25])
    pair = hs.Pair(p, p[::-1])
    response = hs.RandomizedResponse(0.75)
    for count in (1, 7, 100):
        one, other = (pair * count).epsilon(1e-4), (response * count).epsilon(1e-4)
        assert one.lower <= other.upper and other.lower <= one.upper
    with pytest.raises(ValueError, match="p and q: the probabilities under Q add up to 0.9"):
        hs.Pair([0.5, 0.5], [0.5, 0.4]).epsilon(1e-3)
    with pytest.raises(ValueError, match="q is a list of 1, but must be as long as p, which has 2"):
        hs.Pair([0.5, 0.5], [1.0])
    with pytest.raises(ValueError, match="p is -0.5, but must be from 0 to 1"):
        hs.Pair([1.5, -0.5][::-1], [0.5, 0.5])


def test_pairs_and_profiles_from_files(tmp_path):
    file = tmp_path / "p_q.csv"
    file.write_text("p,q\n0.75,0.25\n0.25,0.75\n")
    assert (hs.Pair(file=file) * 3).epsilon(0.01) == (hs.Pair([0.75, 0.25], [0.25, 0.75]) * 3).epsilon(0.01)
    with pytest.raises(ValueError, match="cannot be read"):
        hs.Pair(file=tmp_path / "none.csv").epsilon(0.01)


def test_profiles_from_callables_bound_the_mechanism_they_come_from():
    gaussian = hs.Gaussian(2.0)
    profile = hs.Profile.of(lambda epsilon: gaussian.delta(epsilon).upper)
    for delta in (1e-3, 1e-6):
        truth, bound = gaussian.epsilon(delta), profile.epsilon(delta)
        assert truth.lower <= bound.upper <= 1.01 * truth.upper
    # Composed: at least the truth, and not far from it.
    truth, bound = (gaussian * 10).epsilon(1e-5), (profile * 10).epsilon(1e-5)
    assert truth.lower <= bound.upper <= 1.05 * truth.upper
    with pytest.raises(ValueError, match="epsilons and deltas, line 1: δ is 2"):
        hs.Profile.of(lambda epsilon: 2.0).epsilon(1e-6)
