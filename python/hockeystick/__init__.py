"""A differential-privacy accountant whose every answer is an interval that contains the truth.

Say what ran on personal data, and ask what it spent:

>>> import hockeystick as hs
>>> spent = hs.Gaussian(4.0) * 10 + hs.RandomizedResponse(epsilon=0.1) * 5
>>> answer = spent.epsilon(delta=1e-5)
>>> print(answer)  # doctest: +ELLIPSIS
ε = 3.4855177018... ± ... at δ = 1e-05
>>> answer.lower <= answer.upper == float(answer)
True

Conventions: logarithms are natural; neighbouring datasets differ by one record that is added or removed unless
``relation`` says otherwise; a sensitivity is the largest change of the answer under one such change; the upper end of an
answer is the one to quote.
"""

from ._engine import VERSION as __version__
from .accountant import Accountant
from .answer import Answer, Budget, Reading
from .answers import Answers
from .attack import Risk, risk, tradeoff
from .auditing import Audited, audit
from .calibration import Calibration, calibrate
from .calibrations import Calibrations, calibrate_many
from .catalogue import (
    ApproximateDp,
    Binomial,
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    GaussianMixture,
    GaussianVariance,
    Gdp,
    KRandomizedResponse,
    Laplace,
    Pair,
    PermuteAndFlip,
    Profile,
    RandomizedResponse,
    Renyi,
    ReportNoisyMax,
    Skellam,
    SparseVector,
    Stability,
    Staircase,
    Tree,
    TruncatedGaussian,
    TruncatedLaplace,
    Uniform,
    Zcdp,
)
from .comparison import Compared, Comparison, compare
from .explanation import Explanation, explain
from .ledger import Ledger, Receipt, Refused, Standing
from .limits import limits
from .losses import Losses, losses
from .mechanism import Allocation, Compose, Mechanism, Poisson, Relation, Repeat, Shuffle, Subset, parse
from .moments import renyi
from .question import delta, epsilon

__all__ = [
    "Accountant",
    "Allocation",
    "Answer",
    "Answers",
    "ApproximateDp",
    "Audited",
    "Binomial",
    "Budget",
    "Calibration",
    "Calibrations",
    "Compared",
    "Comparison",
    "Compose",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Explanation",
    "Exponential",
    "Gaussian",
    "GaussianMixture",
    "GaussianVariance",
    "Gdp",
    "KRandomizedResponse",
    "Laplace",
    "Ledger",
    "Losses",
    "Mechanism",
    "Pair",
    "PermuteAndFlip",
    "Poisson",
    "Profile",
    "RandomizedResponse",
    "Reading",
    "Receipt",
    "Refused",
    "Relation",
    "Renyi",
    "Repeat",
    "ReportNoisyMax",
    "Risk",
    "Shuffle",
    "Skellam",
    "SparseVector",
    "Stability",
    "Staircase",
    "Standing",
    "Subset",
    "Tree",
    "TruncatedGaussian",
    "TruncatedLaplace",
    "Uniform",
    "Zcdp",
    "__version__",
    "audit",
    "calibrate",
    "calibrate_many",
    "compare",
    "delta",
    "epsilon",
    "explain",
    "limits",
    "losses",
    "parse",
    "renyi",
    "risk",
    "tradeoff",
]
