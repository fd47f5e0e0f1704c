"""The tightest accountant."""

from __future__ import annotations

from typing import Any

from ....arguments import number
from ..privacy_accountant import PrivacyAccountant
from ..relation import NeighboringRelation

NeighborRel = NeighboringRelation


class PLDAccountant(PrivacyAccountant):
    """The tightest accountant: every answer is within round-off of the truth wherever the engine is.

    >>> from hockeystick.compat.dp_accounting import RandomizedResponseDpEvent
    >>> accountant = PLDAccountant(NeighboringRelation.REPLACE_ONE)
    >>> _ = accountant.compose(RandomizedResponseDpEvent(0.5, 2), 100)
    >>> round(accountant.get_epsilon(1e-5), 3)
    90.782
    """

    def __init__(
        self,
        neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE,
        value_discretization_interval: float = 1e-4,
    ) -> None:
        number(value_discretization_interval, "value_discretization_interval", above=0.0)
        super().__init__(neighboring_relation)
