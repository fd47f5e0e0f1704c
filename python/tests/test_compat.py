"""The adapters: other projects' interfaces with certified answers."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
from types import SimpleNamespace

import hockeystick as hs
import numpy as np
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


def test_poisson_samples_under_replace_one_are_bounded():
    """A sum that is clipped moves twice as far if a record is replaced: one use is between the samples of noise for one and for twice the sensitivity."""
    event = dpa.PoissonSampledDpEvent(0.1, dpa.GaussianDpEvent(1.0))
    replaced = dpa.PLDAccountant(REPLACE).compose(event, 20).get_epsilon(1e-6)
    assert dpa.PLDAccountant().compose(event, 20).get_epsilon(1e-6) < replaced
    assert replaced >= float((hs.Gaussian(1.0, sensitivity=2.0).poisson(0.1) * 20).epsilon(1e-6).lower)


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
    deltas = composed.get_delta_for_epsilon([0.25, 0.5, 1.0])
    assert deltas[1] >= expected.delta(0.5).lower and deltas.shape == (3,)
    # The closed form of a Gaussian holds for negative ε too.
    normal = statistics.NormalDist()
    for epsilon in (-3.0, -0.5, 0.0, 2.0):
        truth = normal.cdf(0.25 - 2 * epsilon) - math.exp(epsilon) * normal.cdf(-0.25 - 2 * epsilon)
        assert truth - 1e-12 <= gaussian.get_delta_for_epsilon(epsilon) <= truth + 1e-12
    replaced = pld.from_gaussian_mechanism(4.0, neighboring_relation=REPLACE)
    assert replaced.get_epsilon_for_delta(1e-5) == pytest.approx(gaussian.get_epsilon_for_delta(1e-5), rel=1e-12)
    with pytest.raises(ValueError, match="relations differ"):
        replaced.compose(gaussian)
    assert pld.identity().get_epsilon_for_delta(0.0) == 0 and pld.identity().get_delta_for_epsilon(0.0) == 0
    response = pld.from_randomized_response(0.5, 2).self_compose(100).get_epsilon_for_delta(1e-5)
    assert 90 < response < 91
    with pytest.raises(ValueError):
        gaussian.get_epsilon_for_delta(math.nan)


def test_both_directions_of_a_pair_count():
    """A pair said not to be symmetric was once asked about in one direction only, that of less loss here."""
    pld = dpa.pld.privacy_loss_distribution
    lower, upper = {0: math.log(0.5), 1: math.log(0.5)}, {0: math.log(0.1), 1: math.log(0.9)}
    for symmetric in (False, True):
        found = pld.from_two_probability_mass_functions(lower, upper, True, 1e-4, -math.inf, symmetric)
        # Removing: log 1.8 at most. Adding: log 5 with probability 1/2, so δ(1) = 0.5 − 0.1·e.
        assert found.get_delta_for_epsilon(1.0) == pytest.approx(0.5 - 0.1 * math.e, rel=1e-12)


def test_optimistic_estimates_are_lower_ends():
    pld = dpa.pld.privacy_loss_distribution
    # By position, in the order of the other package.
    most = pld.from_gaussian_mechanism(1.0, 1, True, 1e-4, -50, 0.01).self_compose(100)
    least = pld.from_gaussian_mechanism(1.0, 1, False, 1e-4, -50, 0.01).self_compose(100)
    truth = (hs.Gaussian(1.0).poisson(0.01) * 100).epsilon(1e-5)
    assert (least.get_epsilon_for_delta(1e-5), most.get_epsilon_for_delta(1e-5)) == (truth.lower, truth.upper)
    for epsilon in (-0.5, 0.0, 0.5):
        assert least.get_delta_for_epsilon(epsilon) <= most.get_delta_for_epsilon(epsilon)
    with pytest.raises(ValueError, match="pessimistic"):
        most.compose(least)
    for rate in (0.0, 1.5, math.nan):
        with pytest.raises(ValueError, match="sampling_prob"):
            pld.from_laplace_mechanism(1.0, sampling_prob=rate)


@pytest.mark.parametrize(("sampling", "count"), [(1.0, 8), (0.05, 200)])
def test_the_law_on_a_grid_dominates_the_mechanism(sampling, count):
    """Packages that read masses get a pair of laws whose δ is nowhere below the truth, and hardly above it."""
    found = dpa.pld.privacy_loss_distribution.from_gaussian_mechanism(
        1.2, sampling_prob=sampling, value_discretization_interval=1e-3
    ).self_compose(count)
    removed, added = found._pmf_remove.to_dense_pmf(), found._pmf_add.to_dense_pmf()
    assert found._symmetric == (sampling == 1.0)
    for law, direction in ((removed, "remove"), (added, "add")):
        assert abs(law._probs.sum() + law._infinity_mass - 1) < 1e-9 and (law._probs >= 0).all()
        losses = law._discretization * (law._lower_loss + np.arange(law.size))
        for epsilon in (0.0, 0.12345, 0.3, 0.7071):
            above = losses > epsilon
            delta = law._infinity_mass + np.sum(law._probs[above] * -np.expm1(epsilon - losses[above]))
            truth = found.mechanism.delta(epsilon, relation=direction)
            assert truth.lower - 1e-12 <= delta <= truth.upper + 1e-6


def test_a_package_built_on_dp_accounting_finds_the_adapter():
    script = (
        "from hockeystick.compat import dp_accounting as ours\n"
        "ours.install()\n"
        "import dp_accounting\n"
        "from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism\n"
        "from dp_accounting import dp_event\n"
        "assert dp_accounting is ours and dp_event is ours.dp_event\n"
        "print(from_gaussian_mechanism(1.0).get_epsilon_for_delta(1e-5))\n"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert float(printed.stdout) == hs.Gaussian(1.0).epsilon(1e-5).upper


def test_a_leaf_of_a_tree_is_in_as_many_nodes_as_the_tree_is_high():
    special = dpa.NeighboringRelation.REPLACE_SPECIAL
    for leaves, height in ((1, 1), (2, 2), (3, 2), (4, 3), (1600, 11), ([10, 40, 3], 6)):
        accountant = dpa.PLDAccountant(special).compose(dpa.SingleEpochTreeAggregationDpEvent(4.0, leaves))
        assert accountant.get_epsilon(1e-6) == (hs.Gaussian(4.0) * height).epsilon(1e-6).upper
    assert not dpa.PLDAccountant().supports(dpa.SingleEpochTreeAggregationDpEvent(4.0, 3))


def test_selecting_the_best_of_many_runs_of_a_pure_mechanism():
    """ε(2 + η) for every law of shape η, whatever its mean [Papernot & Steinke 2022, Cor. 3]."""
    for shape in (0.0, 0.5, 1.0, 2.0):
        event = dpa.RepeatAndSelectDpEvent(dpa.LaplaceDpEvent(1.0), 1000, shape)
        accountant = dpa.RdpAccountant(orders=[1e10]).compose(event)
        assert 2 + shape <= accountant.rdp[0] + 1e-8 <= 2 + shape + 1e-7
        assert abs(accountant.get_epsilon(1e-10) - (2 + shape)) < 1e-6


def test_selecting_the_best_of_many_runs_of_a_gaussian():
    """A geometric number of runs: 2√(ρ·log m) + 4√(ρ·log m) − ρ at the best order [Papernot & Steinke 2022, Cor. 4]."""
    rho, mean = 0.01, 100.0
    order = 1 + math.sqrt(math.log(mean) / rho)
    event = dpa.RepeatAndSelectDpEvent(dpa.GaussianDpEvent(math.sqrt(0.5 / rho)), mean, 1.0)
    accountant = dpa.RdpAccountant(orders=[order, math.sqrt(math.log(mean) / rho)]).compose(event)
    expected = 6 * math.sqrt(rho * math.log(mean)) - rho
    assert math.isclose(accountant.rdp[0], expected, rel_tol=1e-9)


def test_concentrated_privacy_with_an_offset():
    """Every divergence is larger by ξ, and so is every ε; without ρ it is pure differential privacy."""
    offset = dpa.RdpAccountant().compose(dpa.ZCDpEvent(0.1, 0.5), 2)
    plain = dpa.RdpAccountant().compose(dpa.ZCDpEvent(0.1), 2)
    assert math.isclose(offset.get_epsilon(1e-5), 1.0 + plain.get_epsilon(1e-5), rel_tol=1e-12)
    assert math.isclose(offset.get_delta(3.0), plain.get_delta(2.0), rel_tol=1e-9) and offset.get_delta(0.9) == 1
    assert math.isclose(dpa.RdpAccountant([2.0]).compose(dpa.ZCDpEvent(0.1, 0.5)).rdp[0], 0.7, rel_tol=1e-12)
    assert 0.5 <= dpa.PLDAccountant().compose(dpa.ZCDpEvent(0.0, 0.5)).get_epsilon(0) < 0.5 + 1e-9


def test_accumulated_gradients_are_not_one_larger_sample():
    """Opacus once counted k samples of rate q as one of rate kq, though a record may be in several of them."""
    rate, steps, delta = 0.05, 10, 1e-5
    accountant = opacus.HockeystickAccountant()
    hook = accountant.get_optimizer_hook_fn(rate)
    for _ in range(steps):
        hook(SimpleNamespace(noise_multiplier=1.0, accumulated_iterations=2))
    # A record is in neither, one or both of two samples.
    truth = hs.GaussianMixture(1.0, [0, 1, 2], [(1 - rate) ** 2, 2 * rate * (1 - rate), rate**2]) * steps
    one_sample = hs.Gaussian(1.0).poisson(2 * rate) * steps
    assert one_sample.epsilon(delta).upper < truth.epsilon(delta).lower <= accountant.get_epsilon(delta)


def test_registering_twice_is_fine(monkeypatch):
    """Notebooks run their cells again: Opacus refuses a name that is taken."""
    taken: dict[str, type] = {}

    def register_accountant(name: str, accountant: type, force: bool = False) -> None:
        if name in taken and not force:
            raise ValueError(f"Accountant for mechanism {name} is already registered")
        taken[name] = accountant

    def create_accountant(name: str) -> object:
        if name not in taken:
            raise ValueError(f"Unexpected accounting mechanism: {name}")
        return taken[name]()

    stub = SimpleNamespace(register_accountant=register_accountant, create_accountant=create_accountant)
    monkeypatch.setitem(sys.modules, "opacus", SimpleNamespace(accountants=stub))
    opacus.register()
    opacus.register()
    opacus.register(force=True)
    assert taken == {"hockeystick": opacus.HockeystickAccountant}
    # Another accountant of that name stays, unless it is to go.
    taken["hockeystick"] = dict
    with pytest.raises(ValueError, match="already registered"):
        opacus.register()
    opacus.register(force=True)
    assert taken == {"hockeystick": opacus.HockeystickAccountant}


def test_dp_accounting_can_be_installed_twice():
    script = "from hockeystick.compat import dp_accounting as ours\nours.install()\nours.install()\nimport dp_accounting\nassert dp_accounting is ours"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_histories_written_by_others_are_not_lost():
    """Opacus sets the history of an accountant, and programs append to it: what is appended is accounted for."""
    accountant = opacus.HockeystickAccountant()
    accountant.history = [(1.0, 0.01, 10)]
    accountant.history.append((2.0, 0.5, 3))
    accountant.step(noise_multiplier=2.0, sample_rate=0.5)
    assert accountant.history == [(1.0, 0.01, 10), (2.0, 0.5, 4)] and len(accountant) == 14
    expected = (hs.Gaussian(1.0).poisson(0.01) * 10 + hs.Gaussian(2.0).poisson(0.5) * 4).epsilon(1e-6).upper
    assert accountant.get_epsilon(1e-6) == expected


def test_a_state_that_is_refused_changes_nothing():
    accountant = opacus.HockeystickAccountant()
    accountant.step(noise_multiplier=1.0, sample_rate=0.5)
    for bad in ((1.0, 0.5, 1.9), (1.0, math.nan, 1), (-1.0, 0.5, 1), (1.0, 0.5), (1.0, 0.5, 1, 1)):
        with pytest.raises((ValueError, TypeError)):
            accountant.load_state_dict({"history": [(1.0, 0.5, 7), bad], "mechanism": "rdp"})
    assert accountant.history == [(1.0, 0.5, 1)]


def test_the_noise_for_epochs_is_that_for_all_of_their_steps():
    """int(1 / 0.3) is 3, but the fourth step runs, too; and (1/49) × 49 epochs are not one step less for a rounding."""
    target = {"target_epsilon": 2.0, "target_delta": 1e-6}
    for rate, epochs, steps in ((0.3, 1, 4), (1 / 49, 3, 147), (1 / 93, 2, 186), (0.5, 2.5, 5)):
        by_epochs = opacus.get_noise_multiplier(**target, sample_rate=rate, epochs=epochs)
        assert by_epochs == opacus.get_noise_multiplier(**target, sample_rate=rate, steps=steps)


def test_responses_of_a_special_record_are_rounded_to_the_private_side():
    """Probabilities of a third are no doubles: the pair that is asked about is at least as far apart as the one that is meant."""
    from fractions import Fraction

    for noise, buckets in ((0.1, 3), (0.7, 7), (1 / 3, 10), (1e-9, 2)):
        event = dpa.RandomizedResponseDpEvent(noise, buckets)
        ((pair, _),) = dpa.reading.Reader(dpa.NeighboringRelation.REPLACE_SPECIAL, ()).read(event).uses.items()
        truth = 1 - Fraction(noise) + Fraction(noise) / buckets
        assert pair.p[0] >= truth and pair.p[1] <= 1 - truth and pair.q[0] <= Fraction(1, buckets) <= 1 - Fraction(pair.q[1]) + Fraction(1, 2**50)
