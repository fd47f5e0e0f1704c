"""What a mechanism promises, as two numbers."""

from __future__ import annotations

from dataclasses import dataclass

from ....arguments import number


@dataclass(frozen=True)
class DifferentialPrivacyParameters:
    """(ε, δ).

    >>> DifferentialPrivacyParameters(1.0, 1e-6).delta
    1e-06
    """

    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        number(self.epsilon, "epsilon", least=0.0)
        number(self.delta, "delta", least=0.0, most=1.0)
