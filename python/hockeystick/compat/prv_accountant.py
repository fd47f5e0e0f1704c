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

import math
from collections.abc import Iterable

from ..answer import Answer
from ..arguments import number, wholes
from ..catalogue import ApproximateDp, Gaussian, Laplace
from ..mechanism import Compose, Mechanism


def GaussianMechanism(noise_multiplier: float) -> Mechanism:  # noqa: N802
    """Gaussian noise."""
    return Gaussian(noise_multiplier)


def LaplaceMechanism(mu: float) -> Mechanism:  # noqa: N802
    """Laplace noise of scale 1/``mu``."""
    # A smaller scale is less private, so the quotient is rounded down.
    return Laplace(math.nextafter(1 / number(mu, "mu", above=0.0), 0.0))


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
    """Answers for several mechanisms, each used a number of times: a number for all of them, or a list or an array of one for each."""

    def __init__(
        self,
        prvs: Mechanism | Iterable[Mechanism],
        max_self_compositions: int | Iterable[int] | None = None,
        eps_error: float = 0.1,
        delta_error: float | None = None,
        eps_max: float | None = None,
    ) -> None:
        self._mechanisms = (prvs,) if isinstance(prvs, Mechanism) else tuple(prvs)
        for mechanism in self._mechanisms:
            if not isinstance(mechanism, Mechanism):
                raise TypeError(f"prvs must be mechanisms of this module, not {type(mechanism).__name__}")
        self._most = None if max_self_compositions is None else self._counts(max_self_compositions, "max_self_compositions")
        for name, error in (("eps_error", eps_error), ("delta_error", delta_error), ("eps_max", eps_max)):
            if error is not None:
                number(error, name, above=0.0)

    def _counts(self, counts: int | Iterable[int], name: str) -> list[int]:
        found = wholes(counts, name)
        if len(found) != len(self._mechanisms):
            raise ValueError(f"{name} must have one count for each of {len(self._mechanisms)} mechanisms, but is {counts!r}")
        return found

    def _composed(self, counts: int | Iterable[int]) -> Mechanism:
        found = self._counts(counts, "num_self_compositions")
        if self._most is not None and any(count > most for count, most in zip(found, self._most)):
            raise ValueError(f"num_self_compositions is {counts!r}, but at most {self._most} were announced")
        uses = [mechanism * count for mechanism, count in zip(self._mechanisms, found) if count]
        # Nothing spends like a mechanism that is (0, 0)-DP.
        return Compose(*uses) if len(uses) > 1 else uses[0] if uses else ApproximateDp(0.0)

    def compute_epsilon(self, delta: float, num_self_compositions: int | Iterable[int]) -> tuple[float, float, float]:
        """Lower end, middle and upper end of ε."""
        return _three(self._composed(num_self_compositions).epsilon(number(delta, "delta")))

    def compute_delta(self, epsilon: float, num_self_compositions: int | Iterable[int]) -> tuple[float, float, float]:
        """Lower end, middle and upper end of δ."""
        return _three(self._composed(num_self_compositions).delta(number(epsilon, "epsilon")))


class DPSGDAccountant:
    """A training by DP-SGD with Poisson batches."""

    def __init__(
        self,
        noise_multiplier: float,
        sampling_probability: float,
        eps_error: float = 0.1,
        delta_error: float | None = None,
        max_steps: int | None = None,
        **ignored: object,
    ) -> None:
        step = PoissonSubsampledGaussianMechanism(sampling_probability, noise_multiplier)
        self._accountant = PRVAccountant(step, max_steps, eps_error, delta_error)

    def compute_epsilon(self, delta: float, num_steps: int) -> tuple[float, float, float]:
        """Lower end, middle and upper end of ε."""
        return self._accountant.compute_epsilon(delta, num_steps)

    def compute_delta(self, epsilon: float, num_steps: int) -> tuple[float, float, float]:
        """Lower end, middle and upper end of δ."""
        return self._accountant.compute_delta(epsilon, num_steps)


def _three(answer: Answer) -> tuple[float, float, float]:
    lower = answer.lower or 0.0
    return lower, lower + (answer.upper - lower) / 2, answer.upper
