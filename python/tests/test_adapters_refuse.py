"""One door for all adapters: nothing passes that the core refuses, however a number is written."""

from __future__ import annotations

import math
import warnings
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import hockeystick as hs
import numpy as np
import pytest
from hockeystick import arguments, curves
from hockeystick.compat import dp_accounting as dpa
from hockeystick.compat import opacus, prv_accountant, tensorflow_privacy
from hypothesis import given, settings
from hypothesis import strategies as st

PLD = dpa.pld.privacy_loss_distribution
REPLACE, SPECIAL = dpa.NeighboringRelation.REPLACE_ONE, dpa.NeighboringRelation.REPLACE_SPECIAL

# What is no real number, or none that is known.
NO_NUMBERS = [
    math.nan,
    Decimal("NaN"),
    np.float32("nan"),
    np.float64("nan"),
    np.array(np.nan),
    True,
    False,
    np.True_,
    np.array(True),
    None,
    "1",
    b"1",
    1j,
    np.complex128(1),
    [1],
    np.array([1.0]),
    np.timedelta64(1),
    object(),
]
NEGATIVE = [-1, -0.5, -math.inf, Decimal("-0.5"), Fraction(-1, 2), np.float32(-0.5), np.int64(-1), np.array(-0.5), -5e-324]
INFINITE = [math.inf, Decimal("Infinity"), np.float64("inf"), np.array(np.inf), 10**400]
FRACTIONS = [0.5, 999.9, 1 + 2**-40, Decimal("1.5"), Decimal("2.00000000000000000000001"), Fraction(3, 2), np.float32(2.5), np.array(2.5)]
TOO_LIKELY = [1.0000000000000002, 2, Decimal("1.1"), np.float32(1.5)]

SIZE = NO_NUMBERS + NEGATIVE + INFINITE
RATE = SIZE + TOO_LIKELY
COUNT = NO_NUMBERS + NEGATIVE + INFINITE + FRACTIONS + [0]


def pld(event: dpa.DpEvent, count: object = 1, relation: dpa.NeighboringRelation = REPLACE) -> float:
    return float(dpa.PLDAccountant(relation).compose(event, count).get_epsilon(1e-6))


def hooked(noise: object, accumulated: object) -> float:
    accountant = opacus.HockeystickAccountant()
    optimizer = SimpleNamespace(noise_multiplier=noise, accumulated_iterations=accumulated)
    accountant.get_optimizer_hook_fn(0.01)(optimizer)
    return accountant.get_epsilon(1e-6)


def loaded(noise: object, rate: object, count: object) -> float:
    accountant = opacus.HockeystickAccountant()
    accountant.load_state_dict({"history": [(noise, rate, count)], "mechanism": "rdp"})
    return accountant.get_epsilon(1e-6)


def mutated(noise: object, rate: object, count: object) -> float:
    accountant = opacus.HockeystickAccountant()
    accountant.history.append((noise, rate, count))
    return accountant.get_epsilon(1e-6)


def stepped(noise: object, rate: object) -> float:
    accountant = opacus.HockeystickAccountant()
    accountant.step(noise_multiplier=noise, sample_rate=rate)
    return accountant.get_epsilon(1e-6)


def prv(counts: object, most: object = None, **named: object) -> object:
    return prv_accountant.PRVAccountant(hs.Gaussian(1.0), most, **named).compute_epsilon(1e-6, counts)


def statement(**changed: object) -> str:
    usual = dict(number_of_examples=1000, batch_size=10, num_epochs=1, noise_multiplier=1.0, delta=1e-5)
    return tensorflow_privacy.compute_dp_sgd_privacy_statement(**{**usual, **changed})


def noise(**changed: object) -> float:
    usual = dict(target_epsilon=1.0, target_delta=1e-5, sample_rate=0.1, steps=10)
    return opacus.get_noise_multiplier(**{**usual, **changed})


def calibrated(**changed: object) -> float:
    usual = dict(target_epsilon=1.0, target_delta=1e-5, bracket_interval=dpa.LowerEndpointAndGuess(1, 2))
    return dpa.calibrate_dp_mechanism(dpa.PLDAccountant, dpa.GaussianDpEvent, **{**usual, **changed})


def law(**changed: object) -> object:
    return PLD.from_gaussian_mechanism(**{"standard_deviation": 1.0, **changed})


GAUSSIAN = dpa.GaussianDpEvent(1.0)

# Every number of every adapter, with what it must refuse; 0 stays out where it has a meaning of its own.
DOORS = {
    "opacus step, noise": (lambda x: stepped(x, 0.01), SIZE),
    "opacus step, rate": (lambda x: stepped(1.0, x), RATE),
    "opacus step without noise, rate": (lambda x: stepped(0.0, x), RATE),
    "opacus hook, noise": (lambda x: hooked(x, 1), SIZE),
    "opacus hook, accumulated": (lambda x: hooked(1.0, x), COUNT),
    "opacus hook, rate": (opacus.HockeystickAccountant().get_optimizer_hook_fn, RATE),
    "opacus state, noise": (lambda x: loaded(x, 0.01, 1), SIZE),
    "opacus state, rate": (lambda x: loaded(1.0, x, 1), RATE),
    "opacus state, count": (lambda x: loaded(1.0, 0.01, x), COUNT),
    "opacus history, noise": (lambda x: mutated(x, 0.01, 1), SIZE),
    "opacus history, rate": (lambda x: mutated(1.0, x, 1), RATE),
    "opacus history, count": (lambda x: mutated(1.0, 0.01, x), COUNT),
    "opacus get_epsilon": (opacus.HockeystickAccountant().get_epsilon, RATE),
    "opacus noise, epsilon": (lambda x: noise(target_epsilon=x), SIZE),
    "opacus noise, delta": (lambda x: noise(target_delta=x), [*RATE, 1]),
    "opacus noise, rate": (lambda x: noise(sample_rate=x), [*RATE, 0]),
    "opacus noise, steps": (lambda x: noise(steps=x), COUNT if None not in COUNT else [x for x in COUNT if x is not None]),
    "opacus noise, epochs": (lambda x: noise(steps=None, epochs=x), [*SIZE, 0]),
    "prv counts": (prv, [x for x in COUNT if not (isinstance(x, int) and x == 0) and not isinstance(x, (list, np.ndarray))]),
    "prv array of fractions": (lambda x: prv(np.array([x])), [0.5, 999.9, -1.0, math.nan, math.inf, True]),
    "prv list of fractions": (lambda x: prv([x]), [0.5, 999.9, -1.0, math.nan, math.inf, True, None, "1", 1j]),
    "prv most": (lambda x: prv(1, x), [0.5, 999.9, -1, math.nan, math.inf, True, "1", [1, 2]]),
    "prv eps_error": (lambda x: prv(1, eps_error=x), [0.0, -0.1, math.nan, math.inf, True, "1"]),
    "prv delta of nothing": (lambda x: prv_accountant.PRVAccountant(hs.Gaussian(1.0)).compute_epsilon(x, 0), [*RATE, 1]),
    "prv epsilon of nothing": (lambda x: prv_accountant.PRVAccountant(hs.Gaussian(1.0)).compute_delta(x, 0), [x for x in SIZE if not isinstance(x, list) and getattr(x, "ndim", 0) == 0]),
    "prv mechanism": (lambda x: prv_accountant.PRVAccountant([x]), [1.0, "gaussian(sigma=1)", None]),
    "prv gaussian": (prv_accountant.GaussianMechanism, [*SIZE, 0]),
    "prv laplace": (prv_accountant.LaplaceMechanism, [*SIZE, 0]),
    "prv pure": (prv_accountant.PureDPMechanism, SIZE),
    "prv approximate": (lambda x: prv_accountant.ApproximateDPMechanism(1.0, x), [*(x for x in RATE if x is not None), 1]),
    "prv rate": (lambda x: prv_accountant.PoissonSubsampledGaussianMechanism(x, 1.0), [*RATE, 0]),
    "dpsgd steps": (lambda x: prv_accountant.DPSGDAccountant(1.0, 0.1).compute_epsilon(1e-5, x), FRACTIONS),
    "tf examples": (lambda x: statement(number_of_examples=x), COUNT),
    "tf batch": (lambda x: statement(batch_size=x), [*COUNT, 1001]),
    "tf epochs": (lambda x: statement(num_epochs=x), [*SIZE, 0]),
    "tf noise": (lambda x: statement(noise_multiplier=x), SIZE),
    "tf delta": (lambda x: statement(delta=x), [*RATE, 0, 1]),
    "tf delta without noise": (lambda x: statement(delta=x, noise_multiplier=0), [*RATE, 0, 1]),
    "tf user": (lambda x: statement(max_examples_per_user=x), [x for x in COUNT if x is not None]),
    "event gaussian": (lambda x: pld(dpa.GaussianDpEvent(x)), SIZE),
    "event laplace": (lambda x: pld(dpa.LaplaceDpEvent(x)), SIZE),
    "event discrete laplace": (lambda x: pld(dpa.DiscreteLaplaceDpEvent(x, 1)), SIZE),
    "event discrete laplace, sensitivity": (lambda x: pld(dpa.DiscreteLaplaceDpEvent(1.0, x)), COUNT),
    "event discrete laplace without noise": (lambda x: pld(dpa.DiscreteLaplaceDpEvent(0.0, x)), COUNT),
    "event mixture, noise": (lambda x: pld(dpa.MixtureOfGaussiansDpEvent(x, [0, 1], [0.5, 0.5]), 1, SPECIAL), SIZE),
    "event mixture, shift": (lambda x: pld(dpa.MixtureOfGaussiansDpEvent(1.0, [0, x], [0.5, 0.5]), 1, SPECIAL), [math.nan, math.inf, None, "1", 1j]),
    "event mixture, weight": (lambda x: pld(dpa.MixtureOfGaussiansDpEvent(1.0, [0, 1], [1, x]), 1, SPECIAL), [math.nan, math.inf, -1.0, 0.5, None, "1", 1j]),
    "event zcdp, rho": (lambda x: dpa.RdpAccountant().compose(dpa.ZCDpEvent(x)), SIZE),
    "event zcdp, xi": (lambda x: dpa.RdpAccountant().compose(dpa.ZCDpEvent(0.1, x)), SIZE),
    "event count": (lambda x: pld(dpa.SelfComposedDpEvent(GAUSSIAN, x)), [x for x in COUNT if not (isinstance(x, int) and x == 0) or x is False]),
    "compose count": (lambda x: pld(GAUSSIAN, x), COUNT),
    "builder count": (lambda x: dpa.DpEventBuilder().compose(GAUSSIAN, x), COUNT),
    "event poisson": (lambda x: pld(dpa.PoissonSampledDpEvent(x, GAUSSIAN), 1, SPECIAL), RATE),
    "event sample": (lambda x: pld(dpa.SampledWithoutReplacementDpEvent(10, x, GAUSSIAN)), [11, *(x for x in COUNT if not (isinstance(x, int) and x == 0) or x is False)]),
    "event data": (lambda x: pld(dpa.SampledWithoutReplacementDpEvent(x, 1, GAUSSIAN)), COUNT),
    "event tree": (lambda x: pld(dpa.SingleEpochTreeAggregationDpEvent(1.0, x), 1, SPECIAL), [x for x in NO_NUMBERS if not isinstance(x, (list, bytes)) and getattr(x, "ndim", 0) == 0] + NEGATIVE + FRACTIONS),
    "event tree, noise": (lambda x: pld(dpa.SingleEpochTreeAggregationDpEvent(x, 3), 1, SPECIAL), SIZE),
    "event selection, mean": (lambda x: dpa.RdpAccountant().compose(dpa.RepeatAndSelectDpEvent(GAUSSIAN, x, 1.0)), [*SIZE, 0]),
    "event selection, shape": (lambda x: dpa.RdpAccountant().compose(dpa.RepeatAndSelectDpEvent(GAUSSIAN, 10.0, x)), [*NO_NUMBERS, -1, -1.5, -math.inf]),
    "event response": (lambda x: pld(dpa.RandomizedResponseDpEvent(x, 2)), RATE),
    "event response, buckets": (lambda x: pld(dpa.RandomizedResponseDpEvent(0.5, x)), COUNT),
    "event response without noise, buckets": (lambda x: pld(dpa.RandomizedResponseDpEvent(0.0, x)), COUNT),
    "target delta": (dpa.PLDAccountant().get_epsilon, RATE),
    "target epsilon": (dpa.PLDAccountant().get_delta, NO_NUMBERS + NEGATIVE),
    "target delta without privacy": (dpa.PLDAccountant().compose(dpa.NonPrivateDpEvent()).get_epsilon, RATE),
    "target epsilon without privacy": (dpa.PLDAccountant().compose(dpa.NonPrivateDpEvent()).get_delta, NO_NUMBERS + NEGATIVE),
    "orders": (lambda x: dpa.RdpAccountant([x]), [math.nan, 0.5, -1, None, "2", True, 1j]),
    "interval": (lambda x: dpa.PLDAccountant(REPLACE, x), [*SIZE, 0]),
    "calibration, epsilon": (lambda x: calibrated(target_epsilon=x), SIZE),
    "calibration, delta": (lambda x: calibrated(target_delta=x), RATE),
    "calibration, tol": (lambda x: calibrated(tol=x), [*(x for x in SIZE if x is not None), 0]),
    "calibration, bracket": (lambda x: calibrated(bracket_interval=dpa.ExplicitBracketInterval(1, x)), SIZE),
    "law, noise": (lambda x: law(standard_deviation=x), [*SIZE, 0]),
    "law, sensitivity": (lambda x: law(sensitivity=x), [*SIZE, 0]),
    "law, rate": (lambda x: law(sampling_prob=x), [*RATE, 0]),
    "law, interval": (lambda x: law(value_discretization_interval=x), [*SIZE, 0]),
    "law, times": (lambda x: law().self_compose(x), COUNT),
    "law of nothing, times": (lambda x: PLD.identity().self_compose(x), COUNT),
    "law, epsilon": (lambda x: law().get_delta_for_epsilon(x), [x for x in NO_NUMBERS if not isinstance(x, list) and getattr(x, "ndim", 0) == 0]),
    "law of nothing, epsilon": (lambda x: PLD.identity().get_delta_for_epsilon(x), [x for x in NO_NUMBERS if not isinstance(x, list) and getattr(x, "ndim", 0) == 0]),
    "law, delta": (lambda x: law().get_epsilon_for_delta(x), RATE),
    "law of nothing, delta": (lambda x: PLD.identity().get_epsilon_for_delta(x), RATE),
    "laplace law": (PLD.from_laplace_mechanism, [*SIZE, 0]),
    "discrete laplace law": (PLD.from_discrete_laplace_mechanism, [*SIZE, 0]),
    "discrete laplace law, sensitivity": (lambda x: PLD.from_discrete_laplace_mechanism(1.0, x), COUNT),
    "discrete gaussian law": (PLD.from_discrete_gaussian_mechanism, [*SIZE, 0]),
    "discrete gaussian law, sensitivity": (lambda x: PLD.from_discrete_gaussian_mechanism(1.0, x), COUNT),
    "discrete gaussian law, bound": (lambda x: PLD.from_discrete_gaussian_mechanism(1.0, 1, x), [x for x in NO_NUMBERS if x is not None] + NEGATIVE + INFINITE + FRACTIONS),
    "response law": (lambda x: PLD.from_randomized_response(x, 2), [*RATE, 0]),
    "response law, buckets": (lambda x: PLD.from_randomized_response(0.5, x), [*COUNT, 1]),
    "parameters, epsilon": (lambda x: dpa.pld.common.DifferentialPrivacyParameters(x), SIZE),
    "parameters, delta": (lambda x: dpa.pld.common.DifferentialPrivacyParameters(1.0, x), RATE),
    # And the core, which must not be weaker than its adapters.
    "core sigma": (hs.Gaussian, [*SIZE, 0]),
    "core rate": (hs.Gaussian(1.0).poisson, [*RATE, 0]),
    "core count": (hs.Gaussian(1.0).__mul__, [x for x in COUNT if not isinstance(x, str)]),
    "core step": (lambda x: hs.Accountant().step(hs.Gaussian(1.0), x), COUNT),
    "core delta": (hs.Gaussian(1.0).epsilon, [x for x in [*RATE, 1] if not isinstance(x, list) and getattr(x, "ndim", 0) == 0]),
    "core epsilon": (hs.Gaussian(1.0).delta, [x for x in SIZE if not isinstance(x, list) and getattr(x, "ndim", 0) == 0]),
    "core fpr": (lambda x: hs.risk(hs.Gaussian(1.0), fpr=x), RATE),
    "core prior": (lambda x: hs.risk(hs.Gaussian(1.0), prior=x), RATE),
    "core target": (lambda x: hs.calibrate("gaussian(sigma=?)", epsilon=1.0, delta=x), [*RATE, 1]),
    "core list": (lambda x: hs.Pair([0.5, x], [0.5, 0.5]), [x for x in NO_NUMBERS] + NEGATIVE + INFINITE),
    "core steps": (lambda x: curves.steps(hs.Gaussian(1.0), x, 1e-6), COUNT),
    "core tolerance": (lambda x: hs.Accountant(tolerance=x), [0.0, 1.0, -1.0, math.nan, math.inf, "1"]),
    "core relation": (lambda x: hs.Accountant(relation=x), ["swap", "", None, 1]),
    "core method": (lambda x: hs.Accountant(method=x), ["magic", "", None, 1]),
}


@pytest.mark.parametrize("name", DOORS)
def test_what_the_core_refuses_no_adapter_lets_through(name):
    """ε = 0 was once the answer to a rate of NaN, and 999.9 steps were 999."""
    ask, refused = DOORS[name]
    for bad in refused:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises((ValueError, TypeError)):
                found = ask(bad)
                pytest.fail(f"{name} took {bad!r}: {found!r}")


def test_every_adapter_has_doors():
    """A new adapter, or a new event, needs its numbers in the table above."""
    import inspect

    source = inspect.getsource(inspect.getmodule(test_every_adapter_has_doors))
    for event in vars(dpa.dp_event).values():
        if inspect.isclass(event) and set(getattr(event, "__dataclass_fields__", ())) - {"event", "events"}:
            is_refused = event.__name__ in ("SampledWithReplacementDpEvent", "TruncatedSubsampledGaussianDpEvent")
            assert is_refused or f"dpa.{event.__name__}(" in source, event.__name__


SAME = [0.25, np.float32(0.25), np.float64(0.25), np.array(0.25), Decimal("0.25"), Fraction(1, 4)]
SAME_COUNT = [7, 7.0, np.int8(7), np.uint64(7), np.float32(7), np.array(7), np.array(7.0), Decimal(7), Decimal("7.0"), Fraction(7, 1)]


@pytest.mark.parametrize("count", SAME_COUNT, ids=repr)
def test_numbers_may_be_written_in_many_ways(count):
    expected = (hs.Gaussian(1.0).poisson(0.25) * 7).epsilon(1e-6)
    for rate in SAME:
        accountant = opacus.HockeystickAccountant()
        accountant.history = [(1, rate, count)]
        assert accountant.get_epsilon(Decimal("1e-6")) == expected.upper
        step = prv_accountant.PoissonSubsampledGaussianMechanism(rate, 1)
        assert prv_accountant.PRVAccountant(step, count).compute_epsilon(1e-6, count)[2] == expected.upper
        event = dpa.PoissonSampledDpEvent(rate, dpa.GaussianDpEvent(np.float32(1)))
        assert pld(event, count, SPECIAL) == expected.upper
        assert hs.Gaussian(Decimal(1)).poisson(rate) * count == hs.Gaussian(1.0).poisson(0.25) * 7


def test_arrays_of_counts_are_taken_as_lists_are():
    """prv_accountant once refused them."""
    accountant = prv_accountant.PRVAccountant([hs.Gaussian(2.0), hs.Laplace(3.0)], np.array([10, 20]))
    expected = accountant.compute_epsilon(1e-5, [3, 4])
    for counts in (np.array([3, 4]), np.array([3.0, 4.0]), np.array([3, 4], dtype=np.uint8), (3, 4), [np.int64(3), 4.0]):
        assert accountant.compute_epsilon(1e-5, counts) == expected
    with pytest.raises(ValueError, match="at most"):
        accountant.compute_epsilon(1e-5, np.array([11, 4]))
    with pytest.raises(ValueError, match="one count for each of 2 mechanisms"):
        accountant.compute_epsilon(1e-5, np.array([3, 4, 5]))


def test_zero_keeps_its_meaning():
    """Without noise nothing is private, without a sample nothing is spent: both are exact, and no accident of arithmetic."""
    assert math.isinf(stepped(0.0, 0.5)) and stepped(1.0, 0.0) == stepped(0.0, 0.0) == 0.0
    assert math.isinf(pld(dpa.GaussianDpEvent(0))) and pld(dpa.PoissonSampledDpEvent(0, GAUSSIAN), 1, SPECIAL) == 0.0
    assert prv(0) == (0.0, 0.0, 0.0)


@settings(max_examples=300)
@given(st.integers(1, 10**6), st.integers(1, 200))
def test_epochs_are_never_cut_to_fewer_steps(batches, epochs):
    """Opacus counts int(epochs / rate): one step less where the quotient is rounded below a whole number."""
    steps = arguments.steps_of(epochs, 1 / batches)
    assert steps == batches * epochs
    assert arguments.steps_of(epochs + 0.5 / batches, 1 / batches) in (steps + 1, steps + (epochs / steps < 1e-15))


def written(numbers: st.SearchStrategy) -> st.SearchStrategy:
    """The same numbers in many forms."""
    forms = [float, int, str, bool, Decimal, Fraction, np.float32, np.float64, np.array, np.bool_, np.complex128]
    return st.tuples(numbers, st.sampled_from(forms)).map(lambda both: both[1](both[0]))


numbers_of_all_kinds = st.one_of(
    written(st.floats(0.0, 2.0)),
    written(st.floats(0.0, 2.0)),
    written(st.integers(-1, 100)),
    written(st.integers(-1, 100)),
    st.floats(),
    st.integers(),
    st.booleans(),
    st.decimals(),
    st.fractions(),
    st.floats(width=32).map(np.float32),
    st.floats().map(np.array),
    st.integers(-(2**31), 2**31).map(np.int64),
    st.booleans().map(np.bool_),
    st.complex_numbers(),
    st.text(max_size=3),
    st.none(),
)


def outcome(ask, *given):
    """What is answered; `None` if it is refused, which only these two exceptions may say."""
    try:
        return ask(*given)
    except (ValueError, TypeError):
        return None


@settings(max_examples=2000)
@given(noise=numbers_of_all_kinds, rate=numbers_of_all_kinds, count=numbers_of_all_kinds)
def test_adapters_accept_what_the_core_accepts_and_no_more(noise, rate, count):
    """Each of three numbers at random: adapters agree with the core, except for the zeros that have a meaning of their own."""

    def core() -> hs.Mechanism:
        return hs.Gaussian(noise).poisson(rate) * count

    def steps() -> hs.Mechanism:
        accountant = opacus.HockeystickAccountant()
        accountant.history = [(noise, rate, count)]
        (known,) = accountant.history
        return hs.Gaussian(known[0]).poisson(known[1]) * known[2]

    def event() -> hs.Mechanism:
        counted = dpa.SelfComposedDpEvent(dpa.PoissonSampledDpEvent(rate, dpa.GaussianDpEvent(noise)), count)
        spent = dpa.reading.Reader(SPECIAL, ()).read(counted)
        # A sample that is everybody is none.
        ((mechanism, uses),) = spent.uses.items()
        return (mechanism.poisson(1.0) if isinstance(mechanism, hs.Gaussian) else mechanism) * uses

    def counts() -> hs.Mechanism:
        step = prv_accountant.PoissonSubsampledGaussianMechanism(rate, noise)
        composed = prv_accountant.PRVAccountant(step)._composed(count)
        if not isinstance(composed, hs.Repeat):
            raise ValueError("nothing is used")
        return composed

    expected = outcome(core)
    for adapter in (steps, event, counts):
        found = outcome(adapter)
        assert found == expected, (adapter.__name__, noise, rate, count)
