"""Which datasets are neighbours, and what is said of an event that cannot be accounted for."""

from __future__ import annotations

import enum
from typing import Any


class NeighboringRelation(enum.Enum):
    """Which datasets are neighbours."""

    ADD_OR_REMOVE_ONE = 1
    REPLACE_ONE = 2
    REPLACE_SPECIAL = 3


class UnsupportedEventError(Exception):
    """An event that cannot be accounted for."""


def unsupported(event: Any, reason: str) -> Unsupported:
    """The part of an event that cannot be accounted for, and why."""
    return Unsupported(event, reason)


class Unsupported(Exception):
    """Raised while an event is read; the accountant says which event it was part of."""

    def __init__(self, event: Any, reason: str) -> None:
        super().__init__(reason)
        self.invalid_event = event
        self.error_message = reason
