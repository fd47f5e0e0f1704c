"""What a mechanism promises, as two numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DifferentialPrivacyParameters:
    """(ε, δ).

    >>> DifferentialPrivacyParameters(1.0, 1e-6).delta
    1e-06
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        if not self.epsilon >= 0:
            raise ValueError(f"epsilon is {self.epsilon}, but must be 0 or above")
        if not 0 <= self.delta <= 1:
            raise ValueError(f"delta is {self.delta}, but must be from 0 to 1")
