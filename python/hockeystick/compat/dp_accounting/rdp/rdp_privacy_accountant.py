"""The accountant by Rényi moments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....arguments import numbers
from ....moments import renyi
from ..privacy_accountant import DEFAULT_ORDERS, PrivacyAccountant
from ..relation import NeighboringRelation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NeighborRel = NeighboringRelation


class RdpAccountant(PrivacyAccountant):
    """Accounts by Rényi moments. For ε and δ the engine chooses the order; those given are the ones of ``rdp``.

    >>> from hockeystick.compat.dp_accounting import GaussianDpEvent, PLDAccountant, SelfComposedDpEvent
    >>> event = SelfComposedDpEvent(GaussianDpEvent(4.0), 10)
    >>> RdpAccountant().compose(event).get_epsilon(1e-5) >= PLDAccountant().compose(event).get_epsilon(1e-5)
    True
    >>> RdpAccountant([2.0, 4.0]).compose(event).rdp.round(9).tolist()
    [0.625, 1.25]
    """

    _method = "rdp"

    def __init__(
        self,
        orders: Sequence[float] | None = None,
        neighboring_relation: Any = NeighboringRelation.ADD_OR_REMOVE_ONE,
    ) -> None:
        known = numbers(DEFAULT_ORDERS if orders is None else orders, "orders")
        if not (known >= 1).all():
            raise ValueError(f"orders is {orders!r}, but must be numbers of 1 or above")
        self._orders: NDArray[np.float64] = known.ravel()
        super().__init__(neighboring_relation, [float(order) for order in self._orders])

    @property
    def orders(self) -> NDArray[np.float64]:
        """The orders that were given."""
        return self._orders

    @property
    def rdp(self) -> NDArray[np.float64]:
        """An upper bound of the Rényi divergence at each order."""
        return self._rdp

    @property
    def _rdp(self) -> NDArray[np.float64]:
        import numpy as np

        spent = self._now()
        if not spent.is_private:
            return np.full_like(self._orders, np.inf)
        mechanism = spent.mechanism()
        if mechanism is None:
            return np.zeros_like(self._orders)
        return renyi(mechanism, self._orders, relation=self._reader.relation_name).upper + spent.xi

    def get_epsilon_and_optimal_order(self, target_delta: float) -> tuple[float, float]:
        """ε, and which of the orders given comes closest to it."""

        def at(order: float, divergence: float) -> float:
            if order <= 1 or not target_delta > 0:
                return math.inf
            return divergence + math.log1p(-1 / order) - math.log(target_delta * order) / (order - 1)

        return self.get_epsilon(target_delta), self._best(at)

    def get_delta_and_optimal_order(self, target_epsilon: float) -> tuple[float, float]:
        """δ, and which of the orders given comes closest to it."""

        def at(order: float, divergence: float) -> float:
            if order <= 1:
                return math.inf
            return (order - 1) * (divergence - target_epsilon + math.log1p(-1 / order)) - math.log(order)

        return self.get_delta(target_epsilon), self._best(at)

    def _best(self, bound: Any) -> float:
        pairs = list(zip(self._orders.tolist(), self._rdp.tolist()))
        return float(min(pairs, key=lambda pair: bound(*pair))[0])
