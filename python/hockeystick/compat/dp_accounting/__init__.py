"""The interface of ``dp_accounting``: events, accountants, calibration, privacy loss distributions.

Change ``import dp_accounting`` to ``from hockeystick.compat import dp_accounting``; events of the real package are
accepted too. Packages that import ``dp_accounting`` themselves use this one after :func:`install`.

Where the answers differ, and why:

- The count of a randomised response, and of every other event, is used. (The real ``PLDAccountant`` composes a repeated
  ``RandomizedResponseDpEvent`` once: 100 uses are reported as one.)
- NaN is refused. (The real accountants report ε = 0 for some.)
- Under ``REPLACE_ONE`` additive noise has twice the sensitivity, in both accountants.
- ``value_discretization_interval`` and ``orders`` are accepted and not needed for ε and δ: no grid has to be chosen.
- Poisson samples under ``REPLACE_ONE`` are bounded from above. What has no proof is not supported: samples with replacement, truncated batches.

>>> event = SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.0)), 1000)
>>> round(PLDAccountant().compose(event).get_epsilon(1e-5), 9)
1.828236667
"""

from __future__ import annotations

from . import dp_event, dp_event_builder, mechanism_calibration, pld, privacy_accountant, rdp
from .dp_event import (
    ComposedDpEvent,
    DiscreteLaplaceDpEvent,
    DpEvent,
    GaussianDpEvent,
    LaplaceDpEvent,
    MixtureOfGaussiansDpEvent,
    NonPrivateDpEvent,
    NoOpDpEvent,
    PoissonSampledDpEvent,
    RandomizedResponseDpEvent,
    RepeatAndSelectDpEvent,
    SampledWithoutReplacementDpEvent,
    SampledWithReplacementDpEvent,
    SelfComposedDpEvent,
    SingleEpochTreeAggregationDpEvent,
    TruncatedSubsampledGaussianDpEvent,
    UnsupportedDpEvent,
    ZCDpEvent,
)
from .dp_event_builder import DpEventBuilder
from .mechanism_calibration import (
    ExplicitBracketInterval,
    LowerEndpointAndGuess,
    NoBracketIntervalFoundError,
    NonEmptyAccountantError,
    calibrate_dp_mechanism,
)
from .pld import PLDAccountant
from .privacy_accountant import NeighboringRelation, PrivacyAccountant, UnsupportedEventError
from .rdp import RdpAccountant

__all__ = [
    "ComposedDpEvent",
    "DiscreteLaplaceDpEvent",
    "DpEvent",
    "DpEventBuilder",
    "ExplicitBracketInterval",
    "GaussianDpEvent",
    "LaplaceDpEvent",
    "LowerEndpointAndGuess",
    "MixtureOfGaussiansDpEvent",
    "NeighboringRelation",
    "NoBracketIntervalFoundError",
    "NoOpDpEvent",
    "NonEmptyAccountantError",
    "NonPrivateDpEvent",
    "PLDAccountant",
    "PoissonSampledDpEvent",
    "PrivacyAccountant",
    "RandomizedResponseDpEvent",
    "RdpAccountant",
    "RepeatAndSelectDpEvent",
    "SampledWithReplacementDpEvent",
    "SampledWithoutReplacementDpEvent",
    "SelfComposedDpEvent",
    "SingleEpochTreeAggregationDpEvent",
    "TruncatedSubsampledGaussianDpEvent",
    "UnsupportedDpEvent",
    "UnsupportedEventError",
    "ZCDpEvent",
    "calibrate_dp_mechanism",
    "dp_event",
    "dp_event_builder",
    "install",
    "mechanism_calibration",
    "pld",
    "privacy_accountant",
    "rdp",
]


def install() -> None:
    """Lets every later ``import dp_accounting`` of this process find this package.

    Call it before anything imports the real one: a package that is built on ``dp_accounting`` then runs on certified
    answers, unchanged.
    """
    import sys

    if "dp_accounting" in sys.modules and sys.modules["dp_accounting"] is not sys.modules[__name__]:
        raise RuntimeError("dp_accounting was imported already; call install() before anything imports it")
    for name, module in list(sys.modules.items()):
        if name == __name__ or name.startswith(__name__ + "."):
            sys.modules["dp_accounting" + name[len(__name__) :]] = module
