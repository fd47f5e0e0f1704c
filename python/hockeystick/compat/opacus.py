"""An accountant for Opacus: ``PrivacyEngine(accountant="hockeystick")`` after :func:`register`.

Opacus need not be installed: without it the class is the same, and cannot be registered.

>>> accountant = HockeystickAccountant()
>>> for _ in range(1000):
...     accountant.step(noise_multiplier=1.0, sample_rate=0.01)
>>> round(accountant.get_epsilon(delta=1e-5), 9)
1.828236667
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..accountant import Accountant
from ..calibration import calibrate
from ..catalogue import Gaussian
from ..mechanism import Mechanism

if TYPE_CHECKING:
    _Base = object
else:
    try:
        from opacus.accountants import IAccountant as _Base
    except ImportError:
        _Base = object

NAME = "hockeystick"


class HockeystickAccountant(_Base):
    """Certified ε of a training by DP-SGD with Poisson batches. Every answer is an upper end."""

    def __init__(self) -> None:
        # The steps, equal neighbours merged: noise multiplier, sample rate, count.
        self.history: list[tuple[float, float, int]] = []

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """One more update of the model."""
        if self.history and self.history[-1][:2] == (noise_multiplier, sample_rate):
            self.history[-1] = (noise_multiplier, sample_rate, self.history[-1][2] + 1)
        else:
            self.history.append((noise_multiplier, sample_rate, 1))

    def get_epsilon(self, delta: float, **ignored: Any) -> float:
        """The ε spent so far: infinite if a step had no noise."""
        if any(noise == 0 for noise, rate, _ in self.history if rate > 0):
            return float("inf")
        accountant = Accountant()
        for noise, rate, count in self.history:
            if rate > 0:
                accountant.step(_step(noise, rate), count)
        return float(accountant.epsilon(delta))

    def __len__(self) -> int:
        return sum(count for _, _, count in self.history)

    @classmethod
    def mechanism(cls) -> str:
        """The name under which the accountant is registered."""
        return NAME

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """What an optimizer calls after each step."""

        def hook(optimizer: Any) -> None:
            # With accumulated gradients a step sees k samples, and a record may be in several of them: one sample of rate kq, as
            # Opacus has it, is too little. Noise of σ on the sum is k times noise of σ/√k, on one sample each.
            accumulated = getattr(optimizer, "accumulated_iterations", 1)
            noise = optimizer.noise_multiplier
            if accumulated > 1:
                noise = math.nextafter(noise / math.sqrt(accumulated), 0.0)
            for _ in range(accumulated):
                self.step(noise_multiplier=noise, sample_rate=sample_rate)

        return hook

    def state_dict(self, destination: dict[str, Any] | None = None) -> dict[str, Any]:
        """The state, in the form that all accountants of Opacus have."""
        state: dict[str, Any] = {} if destination is None else destination
        state["history"] = list(self.history)
        state["mechanism"] = self.mechanism()
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes on a state, also one of another accountant that keeps the same history."""
        if not state_dict:
            raise ValueError("the state is empty; save one with state_dict()")
        if "history" not in state_dict or "mechanism" not in state_dict:
            raise ValueError("the state has no history or no mechanism; save one with state_dict()")
        self.history = [(float(noise), float(rate), int(count)) for noise, rate, count in state_dict["history"]]


def _step(noise: float, rate: float) -> Mechanism:
    return Gaussian(noise) if rate == 1 else Gaussian(noise).poisson(rate)


def register(force: bool = False) -> None:
    """Makes ``PrivacyEngine(accountant="hockeystick")`` work."""
    from opacus.accountants import register_accountant  # type: ignore[import-not-found, unused-ignore]

    register_accountant(NAME, HockeystickAccountant, force=force)


def get_noise_multiplier(
    *,
    target_epsilon: float,
    target_delta: float,
    sample_rate: float,
    epochs: float | None = None,
    steps: int | None = None,
    accountant: str = NAME,
    epsilon_tolerance: float = 0.01,
    **ignored: Any,
) -> float:
    """The least noise that meets the target. It is exact to round-off, whatever the tolerance.

    >>> noise = get_noise_multiplier(target_epsilon=1.0, target_delta=1e-6, sample_rate=0.01, steps=100)
    >>> float((Gaussian(noise).poisson(0.01) * 100).epsilon(1e-6)) <= 1.0
    True
    """
    if (steps is None) == (epochs is None):
        raise ValueError("get_noise_multiplier takes as input EITHER a number of steps or a number of epochs")
    if steps is None:
        steps = int((epochs or 0) / sample_rate)
    inner = "gaussian(sigma=?)"
    sampled = inner if sample_rate == 1 else f"poisson({inner}, rate={sample_rate!r})"
    found = calibrate(f"{sampled} * {steps}", epsilon=target_epsilon, delta=target_delta)
    return float(found)
