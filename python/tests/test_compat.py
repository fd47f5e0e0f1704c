"""The adapters: other projects' interfaces with certified answers."""

from __future__ import annotations

import math

import hockeystick as hs
import pytest
from hockeystick.compat import dp_accounting as dpa
from hockeystick.compat import opacus, prv_accountant

REPLACE = dpa.NeighboringRelation.REPLACE_ONE


def test_counts_of_randomised_response_are_used():
    """100 uses of a response are not one use."""
    event = dpa.RandomizedResponseDpEvent(0.5, 2)
    one = dpa.PLDAccountant(REPLACE).compose(event).get_epsilon(1e-5)
    many = dpa.PLDAccountant(REPLACE).compose(event, 100).get_epsilon(1e-5)
    nested = dpa.PLDAccountant(REPLACE).compose(dpa.SelfComposedDpEvent(event, 100)).get_epsilon(1e-5)
    assert math.isclose(one, math.log(3), rel_tol=1e-4) and many == nested and 90 < many < 91


def test_nan_is_refused():
    for event in (dpa.GaussianDpEvent(math.nan), dpa.LaplaceDpEvent(math.nan), dpa.PoissonSampledDpEvent(math.nan, dpa.GaussianDpEvent(1.0))):
        with pytest.raises(ValueError):
            dpa.PLDAccountant().compose(event)
    with pytest.raises(ValueError):
        dpa.PLDAccountant().compose(dpa.GaussianDpEvent(1.0)).get_epsilon(math.nan)


def test_replacing_a_record_doubles_the_sensitivity():
    for accountant in (dpa.PLDAccountant, dpa.RdpAccountant):
        replaced = accountant(neighboring_relation=REPLACE).compose(dpa.GaussianDpEvent(4.0)).get_epsilon(1e-5)
        added = accountant().compose(dpa.GaussianDpEvent(2.0)).get_epsilon(1e-5)
        assert math.isclose(replaced, added, rel_tol=1e-12)


def test_events_compose():
    gaussian, laplace = dpa.GaussianDpEvent(2.0), dpa.LaplaceDpEvent(3.0)
    event = dpa.ComposedDpEvent([dpa.SelfComposedDpEvent(gaussian, 3), laplace, dpa.NoOpDpEvent()])
    accountant = dpa.PLDAccountant().compose(event, 2)
    assert accountant.get_epsilon(1e-6) == (hs.Gaussian(2.0) * 6 + hs.Laplace(3.0) * 2).epsilon(1e-6).upper
    assert accountant.get_delta(1.0) == (hs.Gaussian(2.0) * 6 + hs.Laplace(3.0) * 2).delta(1.0).upper
    assert accountant.ledger == dpa.SelfComposedDpEvent(event, 2)


def test_the_ends_of_privacy():
    fresh = dpa.PLDAccountant
    assert fresh().get_epsilon(1e-6) == 0 and fresh().get_delta(1.0) == 0
    for event in (dpa.NonPrivateDpEvent(), dpa.GaussianDpEvent(0.0)):
        assert math.isinf(fresh().compose(event).get_epsilon(1e-6)) and fresh().compose(event).get_delta(5.0) == 1
    pure = fresh().compose(dpa.LaplaceDpEvent(2.0)).get_epsilon(0)
    assert 0.5 <= pure < 0.5 + 1e-9
    assert math.isinf(fresh().compose(dpa.GaussianDpEvent(2.0)).get_epsilon(0))


def test_what_is_not_supported():
    accountant = dpa.PLDAccountant()
    for event in (dpa.UnsupportedDpEvent(), dpa.RandomizedResponseDpEvent(0.5, 2), dpa.SampledWithReplacementDpEvent(10, 2, dpa.GaussianDpEvent(1.0))):
        assert not accountant.supports(event)
        with pytest.raises(dpa.UnsupportedEventError):
            accountant.compose(event)
    with pytest.raises(TypeError):
        accountant.compose("GaussianDpEvent")
    assert not dpa.PLDAccountant(REPLACE).supports(dpa.PoissonSampledDpEvent(0.1, dpa.GaussianDpEvent(1.0)))


def test_calibration_of_a_count():
    def make(count: int) -> dpa.DpEvent:
        return dpa.SelfComposedDpEvent(dpa.GaussianDpEvent(10.0), count)

    count = dpa.calibrate_dp_mechanism(dpa.PLDAccountant, make, 1.0, 1e-6, dpa.LowerEndpointAndGuess(1, 10), discrete=True)
    assert dpa.PLDAccountant().compose(make(count)).get_epsilon(1e-6) <= 1.0
    assert dpa.PLDAccountant().compose(make(count + 1)).get_epsilon(1e-6) > 1.0


def test_opacus_state():
    accountant = opacus.HockeystickAccountant()
    for _ in range(10):
        accountant.step(noise_multiplier=1.0, sample_rate=0.01)
    accountant.step(noise_multiplier=2.0, sample_rate=1.0)
    again = opacus.HockeystickAccountant()
    again.load_state_dict(accountant.state_dict())
    assert len(again) == 11 and again.history == [(1.0, 0.01, 10), (2.0, 1.0, 1)]
    expected = (hs.Gaussian(1.0).poisson(0.01) * 10 + hs.Gaussian(2.0)).epsilon(1e-6).upper
    assert again.get_epsilon(1e-6) == expected
    accountant.step(noise_multiplier=0.0, sample_rate=0.5)
    assert math.isinf(accountant.get_epsilon(1e-6))
    with pytest.raises(ValueError):
        again.load_state_dict({})


def test_prv_accountant():
    accountant = prv_accountant.DPSGDAccountant(1.0, 0.01, eps_error=0.1, delta_error=1e-9, max_steps=1000)
    lower, estimate, upper = accountant.compute_epsilon(1e-5, 1000)
    assert lower <= estimate <= upper == (hs.Gaussian(1.0).poisson(0.01) * 1000).epsilon(1e-5).upper
    with pytest.raises(ValueError):
        accountant.compute_epsilon(1e-5, 1001)


def test_privacy_loss_distributions():
    pld = dpa.pld.privacy_loss_distribution
    gaussian, laplace = pld.from_gaussian_mechanism(2.0), pld.from_laplace_mechanism(3.0)
    composed = gaussian.self_compose(4).compose(laplace).compose(pld.identity())
    expected = hs.Gaussian(2.0) * 4 + hs.Laplace(3.0)
    assert composed.get_epsilon_for_delta(1e-6) == expected.epsilon(1e-6).upper
    deltas = composed.get_delta_for_epsilon([-1.0, 0.5, 1.0])
    assert deltas[0] == 1 and deltas[1] >= expected.delta(0.5).lower and deltas.shape == (3,)
    replaced = pld.from_gaussian_mechanism(4.0, neighboring_relation=REPLACE)
    assert replaced.get_epsilon_for_delta(1e-5) == pytest.approx(gaussian.get_epsilon_for_delta(1e-5), rel=1e-12)
    with pytest.raises(ValueError, match="relations differ"):
        replaced.compose(gaussian)
    assert pld.identity().get_epsilon_for_delta(0.0) == 0 and pld.identity().get_delta_for_epsilon(0.0) == 0
    response = pld.from_randomized_response(0.5, 2).self_compose(100).get_epsilon_for_delta(1e-5)
    assert 90 < response < 91
    with pytest.raises(ValueError):
        gaussian.get_epsilon_for_delta(math.nan)
