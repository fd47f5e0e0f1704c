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
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..accountant import Accountant
from ..arguments import number, rate, size, steps_of, whole
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


class Step(NamedTuple):
    """Equal steps, one after the other: a tuple, as the other accountants of Opacus have it."""

    noise_multiplier: float
    sample_rate: float
    steps: int

    @classmethod
    def of(cls, noise_multiplier: object, sample_rate: object, steps: object = 1) -> Step:
        """Steps whose numbers are those of a training; others are refused."""
        return cls(
            size(noise_multiplier, "noise_multiplier"),
            rate(sample_rate, "sample_rate"),
            whole(steps, "the number of steps", least=1),
        )

    def mechanism(self) -> Mechanism:
        """What one of them is."""
        noise = Gaussian(self.noise_multiplier)
        return noise if self.sample_rate == 1 else noise.poisson(self.sample_rate)


class HockeystickAccountant(_Base):
    """Certified ε of a training by DP-SGD with Poisson batches. Every answer is an upper end.

    Several threads may use one accountant: every step is counted.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._history: list[tuple[float, float, int]] = []

    @property
    def history(self) -> list[tuple[float, float, int]]:
        """The steps, equal neighbours merged: noise multiplier, sample rate, count. It can be replaced by another list."""
        return self._history

    @history.setter
    def history(self, history: Iterable[Sequence[float]]) -> None:
        # All three numbers of each: none has a default here.
        steps: list[tuple[float, float, int]] = [Step.of(noise, sampled, count) for noise, sampled, count in history]
        with self._lock:
            self._history = steps

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """One more update of the model. Without noise nothing is private; without a sample nothing is spent."""
        self._add(Step.of(noise_multiplier, sample_rate))

    def _add(self, step: Step) -> None:
        with self._lock:
            if self._history and tuple(self._history[-1][:2]) == step[:2]:
                step = step._replace(steps=self._history[-1][2] + step.steps)
                self._history[-1] = step
            else:
                self._history.append(step)

    def _now(self) -> list[Step]:
        """The steps at one moment, whoever wrote them into the list."""
        with self._lock:
            known = list(self._history)
        return [Step.of(noise, sampled, count) for noise, sampled, count in known]

    def get_epsilon(self, delta: float, **ignored: object) -> float:
        """The ε spent so far: infinite if a step had no noise."""
        steps = [step for step in self._now() if step.sample_rate > 0]
        accountant = Accountant()
        for step in steps:
            if step.noise_multiplier > 0:
                accountant.step(step.mechanism(), step.steps)
        # Asked for in any case: a δ that is out of range is refused.
        spent = float(accountant.epsilon(number(delta, "delta")))
        return math.inf if any(step.noise_multiplier == 0 for step in steps) else spent

    def __len__(self) -> int:
        return sum(step.steps for step in self._now())

    @classmethod
    def mechanism(cls) -> str:
        """The name under which the accountant is registered."""
        return NAME

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """What an optimizer calls after each step."""
        sampled = rate(sample_rate, "sample_rate")

        def hook(optimizer: Any) -> None:
            # With accumulated gradients a step sees k samples, and a record may be in several of them: one sample of rate kq, as
            # Opacus has it, is too little. Noise of σ on the sum is k times noise of σ/√k, on one sample each.
            accumulated = whole(getattr(optimizer, "accumulated_iterations", 1), "accumulated_iterations", least=1)
            noise = size(optimizer.noise_multiplier, "noise_multiplier")
            if accumulated > 1:
                # Two roundings, of the root and of the quotient.
                noise = math.nextafter(math.nextafter(noise / math.sqrt(accumulated), 0.0), 0.0)
            self._add(Step.of(noise, sampled, accumulated))

        return hook

    def state_dict(self, destination: dict[str, Any] | None = None) -> dict[str, Any]:
        """The state, in the form that all accountants of Opacus have."""
        state: dict[str, Any] = {} if destination is None else destination
        state["history"] = [tuple(step) for step in self._now()]
        state["mechanism"] = self.mechanism()
        return state

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Takes on a state, also one of another accountant that keeps the same history. One that is refused changes nothing."""
        if not state_dict:
            raise ValueError("the state is empty; save one with state_dict()")
        if "history" not in state_dict or "mechanism" not in state_dict:
            raise ValueError("the state has no history or no mechanism; save one with state_dict()")
        self.history = state_dict["history"]

    def __getstate__(self) -> dict[str, Any]:
        return self.state_dict()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._lock = threading.Lock()
        self.load_state_dict(state)


def register(force: bool = False) -> None:
    """Makes ``PrivacyEngine(accountant="hockeystick")`` work. Calling it again changes nothing; another accountant of this name is
    replaced only if that is forced.
    """
    from opacus import accountants  # type: ignore[import-not-found, unused-ignore]

    if not force and _is_registered(accountants):
        return
    accountants.register_accountant(NAME, HockeystickAccountant, force=force)


def _is_registered(accountants: Any) -> bool:
    try:
        return isinstance(accountants.create_accountant(NAME), HockeystickAccountant)
    except ValueError:
        return False


def get_noise_multiplier(
    *,
    target_epsilon: float,
    target_delta: float,
    sample_rate: float,
    epochs: float | None = None,
    steps: int | None = None,
    accountant: str = NAME,
    epsilon_tolerance: float = 0.01,
    **ignored: object,
) -> float:
    """The least noise that meets the target. It is exact to round-off, whatever the tolerance.

    >>> noise = get_noise_multiplier(target_epsilon=1.0, target_delta=1e-6, sample_rate=0.01, steps=100)
    >>> float((Gaussian(noise).poisson(0.01) * 100).epsilon(1e-6)) <= 1.0
    True
    """
    if (steps is None) == (epochs is None):
        raise ValueError("get_noise_multiplier takes as input EITHER a number of steps or a number of epochs")
    sampled = number(sample_rate, "sample_rate", above=0.0, most=1.0)
    count = steps_of(epochs, sampled) if steps is None else whole(steps, "steps", least=1)
    inner = "gaussian(sigma=?)"
    step = inner if sampled == 1 else f"poisson({inner}, rate={sampled!r})"
    found = calibrate(f"{step} * {count}", epsilon=target_epsilon, delta=target_delta)
    return float(found)
