"""The interface of ``prv_accountant``: lower end, estimate and upper end of ε and δ.

The errors that are asked for are accepted and not needed: ends are within round-off wherever the engine is. The three numbers
are the lower end, the middle and the upper end of one certified interval.

>>> step = PoissonSubsampledGaussianMechanism(sampling_probability=0.01, noise_multiplier=1.0)
>>> accountant = PRVAccountant(prvs=[step], max_self_compositions=[1000], eps_error=0.1, delta_error=1e-10)
>>> lower, estimate, upper = accountant.compute_epsilon(delta=1e-5, num_self_compositions=[1000])
>>> lower <= estimate <= upper, round(upper, 9)
(True, 1.828236667)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..answer import Answer
from ..catalogue import ApproximateDp, Gaussian, Laplace
from ..mechanism import Compose, Mechanism


def GaussianMechanism(noise_multiplier: float) -> Mechanism:  # noqa: N802
    """Gaussian noise."""
    return Gaussian(noise_multiplier)


def LaplaceMechanism(mu: float) -> Mechanism:  # noqa: N802
    """Laplace noise of scale 1/``mu``."""
    import math

    # A smaller scale is less private, so the quotient is rounded down.
    return Laplace(math.nextafter(1 / mu, 0.0))


def PureDPMechanism(eps: float) -> Mechanism:  # noqa: N802
    """Any ε-DP mechanism."""
    return ApproximateDp(eps)


def ApproximateDPMechanism(eps: float, delta: float) -> Mechanism:  # noqa: N802
    """Any (ε, δ)-DP mechanism."""
    return ApproximateDp(eps, delta)


def PoissonSubsampledGaussianMechanism(  # noqa: N802
    sampling_probability: float, noise_multiplier: float
) -> Mechanism:
    """Gaussian noise on a Poisson sample: a step of DP-SGD."""
    return Gaussian(noise_multiplier).poisson(sampling_probability)


class PRVAccountant:
    """Answers for several mechanisms, each used a number of times."""

    def __init__(
        self,
        prvs: Mechanism | Sequence[Mechanism],
        max_self_compositions: int | Sequence[int] | None = None,
        eps_error: float = 0.1,
        delta_error: float | None = None,
        eps_max: float | None = None,
    ) -> None:
        self._mechanisms = [prvs] if isinstance(prvs, Mechanism) else list(prvs)
        self._most = _counts(max_self_compositions)

    def _composed(self, counts: int | Sequence[int]) -> Mechanism | None:
        numbers = _counts(counts)
        if numbers is None or len(numbers) != len(self._mechanisms):
            raise ValueError(
                f"num_self_compositions must have one count for each of {len(self._mechanisms)} mechanisms, "
                f"but is {counts!r}"
            )
        if self._most is not None and any(count > most for count, most in zip(numbers, self._most)):
            raise ValueError(f"num_self_compositions is {counts!r}, but at most {self._most} were announced")
        uses = [mechanism * count for mechanism, count in zip(self._mechanisms, numbers) if count]
        if not uses:
            return None
        return uses[0] if len(uses) == 1 else Compose(*uses)

    def compute_epsilon(self, delta: float, num_self_compositions: int | Sequence[int]) -> tuple[float, float, float]:
        """Lower end, middle and upper end of ε."""
        composed = self._composed(num_self_compositions)
        return (0.0, 0.0, 0.0) if composed is None else _three(composed.epsilon(delta))

    def compute_delta(self, epsilon: float, num_self_compositions: int | Sequence[int]) -> tuple[float, float, float]:
        """Lower end, middle and upper end of δ."""
        composed = self._composed(num_self_compositions)
        return (0.0, 0.0, 0.0) if composed is None else _three(composed.delta(epsilon))


class DPSGDAccountant:
    """A training by DP-SGD with Poisson batches."""

    def __init__(
        self,
        noise_multiplier: float,
        sampling_probability: float,
        eps_error: float = 0.1,
        delta_error: float | None = None,
        max_steps: int | None = None,
        **ignored: Any,
    ) -> None:
        step = PoissonSubsampledGaussianMechanism(sampling_probability, noise_multiplier)
        self._accountant = PRVAccountant(step, max_steps, eps_error, delta_error)

    def compute_epsilon(self, delta: float, num_steps: int) -> tuple[float, float, float]:
        """Lower end, middle and upper end of ε."""
        return self._accountant.compute_epsilon(delta, num_steps)

    def compute_delta(self, epsilon: float, num_steps: int) -> tuple[float, float, float]:
        """Lower end, middle and upper end of δ."""
        return self._accountant.compute_delta(epsilon, num_steps)


def _counts(counts: int | Sequence[int] | None) -> list[int] | None:
    if counts is None:
        return None
    return [int(count) for count in counts] if isinstance(counts, Sequence) else [int(counts)]


def _three(answer: Answer) -> tuple[float, float, float]:
    lower = answer.lower or 0.0
    return lower, lower + (answer.upper - lower) / 2, answer.upper
