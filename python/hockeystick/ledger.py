"""A ledger: budgets that programs share and nobody can overspend.

In: budgets, and mechanisms that somebody wants to run. Out: a receipt, or :class:`Refused` with what is left. The ledger is a file, or a
PostgreSQL that several machines share; it is the one that the command line has.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from . import _engine
from .accountant import Accountant
from .arguments import number
from .mechanism import Mechanism, Relation, parse

if TYPE_CHECKING:
    from ._engine import _Became, _LedgerAccount, _Stands
    from .compat.dp_accounting.dp_event import DpEvent

Spendable = Union[Mechanism, str, Accountant]
"""What can be charged: a mechanism, its text form, or all that an accountant has seen. Events of dp_accounting can be spent and reserved, too."""

MOST_REMAINING = 10**9
"""More uses are not counted."""


class Interval(NamedTuple):
    """Two numbers with the truth between them."""

    lower: float
    upper: float


@dataclass(frozen=True)
class Account:
    """A budget that was charged, or would be exceeded: ``spent`` counts what is set aside, too."""

    budget: str
    limit: str
    spent: float
    left: float
    by: str


@dataclass(frozen=True)
class Receipt:
    """What was charged or set aside. ``entry`` is its number in the history, ``None`` of a dry run."""

    entry: int | None
    repeated: bool
    budgets: tuple[Account, ...]


class Refused(Exception):
    """Nothing was charged. ``over`` is the budget that would be exceeded, with what is left; ``fits`` how many uses of what was to be
    repeated would fit."""

    def __init__(
        self, reason: str, over: Account | None = None, would_be: float | None = None, fits: int | None = None
    ) -> None:
        super().__init__(reason, over, would_be, fits)
        self.reason = reason
        self.over = over
        self.would_be = would_be
        self.fits = fits

    @property
    def left(self) -> float | None:
        """What is left of the budget that would be exceeded, in ε, μ or ρ."""
        return None if self.over is None else self.over.left

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True)
class Reservation:
    """What is set aside: the most that will be run, until when."""

    reference: str
    mechanism: Mechanism
    expires: str


@dataclass(frozen=True)
class Standing:
    """How a budget stands. ``spent`` says how much of the budget is used up; what is guaranteed is the budget."""

    name: str
    definition: Mapping[str, Any]
    spent: Interval
    planned: Interval | None
    with_reserved: float
    left: float
    by: str
    entries: int
    reserved: tuple[Reservation, ...]


@dataclass(frozen=True)
class Verified:
    """What verification found: nothing, of a clean ledger. ``head`` is to be noted elsewhere."""

    entries: int
    head: str
    findings: tuple[tuple[int | None, str], ...]

    @property
    def clean(self) -> bool:
        """Is everything as it was written?"""
        return not self.findings


class Ledger:
    """Budgets and their history in a store: the path of a file, or ``postgres://user@host/database``.

    >>> import hockeystick as hs, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = hs.Ledger(pathlib.Path(folder.name) / "budgets.db", create=True)
    >>> ledger.budget("maps", epsilon=1, delta=1e-6, unit="one person")

    Spend first, run the mechanism afterwards. The reference is your name for the spend: under it, it is charged once.

    >>> ledger.spend("maps", hs.Gaussian(20.0) * 10, reference="map-1").entry
    2
    >>> ledger.spend("maps", hs.Gaussian(20.0) * 10, reference="map-1").repeated
    True
    >>> ledger.remaining("maps", hs.Gaussian(20.0))
    12
    >>> try:
    ...     ledger.spend("maps", hs.Gaussian(20.0) * 20, reference="map-2")
    ... except hs.Refused as refused:
    ...     print(refused.fits, 0.3 < refused.left < 0.4)
    12 True
    >>> folder.cleanup()

    Threads may share one; calls wait for each other, and not for the interpreter.
    """

    def __init__(self, store: str | os.PathLike[str], *, create: bool = False) -> None:
        self._engine = _engine.Ledger(os.fspath(store), create)

    def budget(
        self,
        name: str,
        *,
        epsilon: float | None = None,
        delta: float | None = None,
        mu: float | None = None,
        rho: float | None = None,
        account: Literal["adaptive", "planned"] = "adaptive",
        relation: Relation = "add-remove",
        unit: str | None = None,
        parents: Iterable[str] = (),
        renews: Literal["day", "week", "month", "year"] | None = None,
        scope: Mapping[str, str] | None = None,
    ) -> None:
        """Makes a budget of ``epsilon`` and ``delta``, or of ``mu``, or of ``rho``. The same budget again changes nothing."""
        given = {"epsilon": epsilon, "delta": delta, "mu": mu, "rho": rho}
        limit = {key: number(value, key) for key, value in given.items() if value is not None}
        if sorted(limit) not in (["delta", "epsilon"], ["mu"], ["rho"]):
            raise TypeError("nothing says how much may be spent; give epsilon and delta, or mu, or rho")
        for key, value in limit.items():
            number(value, key, least=0.0, most=1.7e308, allowed="a finite number, 0 or above")
        definition = {
            "name": name,
            "limit": limit,
            "account": account,
            "relation": relation,
            "unit": unit,
            "parents": [parents] if isinstance(parents, str) else list(parents),
            "renews": renews,
            "scope": dict(scope or {}),
        }
        self._engine.budget(json.dumps({key: value for key, value in definition.items() if value is not None}))

    def spend(
        self,
        budget: str,
        mechanism: Spendable | DpEvent,
        *,
        reference: str,
        note: str | None = None,
        dry_run: bool = False,
    ) -> Receipt:
        """Charges a mechanism to a budget and to those above it, or raises :class:`Refused`. With ``dry_run`` nothing is written."""
        return _receipt(self._engine.spend(budget, self._asked(budget, mechanism), reference, note, dry_run))

    def reserve(
        self,
        budget: str,
        mechanism: Spendable | DpEvent,
        *,
        reference: str,
        expires: str | timedelta,
        note: str | None = None,
    ) -> Receipt:
        """Sets aside what a mechanism would spend, for a time such as ``"24h"``. Publish nothing before :meth:`commit` has returned: what
        has run out can be spent by others. Whoever has run something commits it, whatever came out."""
        if isinstance(expires, timedelta):
            expires = f"{expires // timedelta(seconds=1)}s"
        return _receipt(self._engine.reserve(budget, self._asked(budget, mechanism), reference, expires, note))

    def _asked(self, budget: str, given: Spendable | DpEvent) -> _engine.Expression:
        if isinstance(given, (Mechanism, str, Accountant)):
            return _expression(given)
        # What an event spends depends on the relation: that of the budget.
        return _read(given, self.status(budget).definition["relation"])._expression

    def commit(self, reference: str, mechanism: Spendable | None = None) -> Receipt:
        """Charges what was really run, at most what was reserved; all of that, if nothing is said."""
        used = None if mechanism is None else _expression(mechanism)
        return _receipt(self._engine.commit(reference, used))

    def release(self, reference: str) -> Receipt:
        """Gives back what was reserved: nothing of it was run."""
        return _receipt(self._engine.release(reference))

    def status(self, budget: str) -> Standing:
        """How a budget stands."""
        return _standing(self._engine.status(budget)[0])

    def budgets(self) -> list[Standing]:
        """How all budgets stand, in order of their names."""
        return [_standing(stands) for stands in self._engine.status(None)]

    def remaining(self, budget: str, mechanism: Spendable, most: int = MOST_REMAINING) -> int:
        """How often a mechanism could still be run, counted up to ``most``."""
        return self._engine.remaining(budget, _expression(mechanism), most)

    def history(self, budget: str | None = None) -> list[dict[str, Any]]:
        """The entries of a budget, or all of them, in their order."""
        return [json.loads(entry) for entry in self._engine.history(budget)]

    def verify(self, noted: str | None = None) -> Verified:
        """Computes everything again from the entries; the chain must go through a hash that was noted earlier, if one is given."""
        entries, head, findings = self._engine.verify(noted)
        return Verified(entries, head, tuple(findings))

    def export(self, path: str | os.PathLike[str]) -> int:
        """Writes the whole history to a file, a JSON object a line, and says how many entries it has."""
        return self._engine.export(os.fspath(path))

    def import_from(self, path: str | os.PathLike[str]) -> int:
        """Reads what :meth:`export` has written into a ledger that has no entries."""
        return self._engine.import_from(os.fspath(path))

    def back_up(self, path: str | os.PathLike[str]) -> None:
        """Copies the ledger to a new file while others go on using it."""
        self._engine.back_up(os.fspath(path))


def _expression(given: Spendable) -> _engine.Expression:
    if isinstance(given, Accountant):
        mechanism = given.mechanism
        if mechanism is None:
            raise ValueError("the accountant has seen no mechanism: there is nothing to charge")
        return mechanism._expression
    return (parse(given) if isinstance(given, str) else given)._expression


def _read(event: DpEvent, relation: str) -> Mechanism:
    from .compat.dp_accounting.reading import Reader
    from .compat.dp_accounting.relation import NeighboringRelation, Unsupported

    replaces = relation == "replace"
    reader = Reader(NeighboringRelation.REPLACE_ONE if replaces else NeighboringRelation.ADD_OR_REMOVE_ONE, ())
    try:
        spent = reader.read(event)
    except Unsupported as unsupported:
        raise ValueError(f"{unsupported.invalid_event!r} cannot be charged: {unsupported.error_message}") from None
    mechanism = spent.mechanism()
    if mechanism is None or not spent.is_private or spent.xi:
        raise ValueError(f"{event!r} cannot be charged: it spends nothing, or no budget covers it")
    return mechanism


def _account(account: _LedgerAccount) -> Account:
    return Account(*account)


def _receipt(became: _Became) -> Receipt:
    receipt, refusal = became
    if refusal is not None:
        reason, over, fits = refusal
        if over is None:
            raise Refused(reason, fits=fits)
        account, would_be = over
        raise Refused(reason, _account(account), would_be, fits)
    assert receipt is not None
    entry, repeated, budgets = receipt
    return Receipt(entry, repeated, tuple(_account(account) for account in budgets))


def _standing(stands: _Stands) -> Standing:
    text, spent, planned, with_reserved, left, by, entries, held = stands
    definition = json.loads(text)
    return Standing(
        name=definition["name"],
        definition=definition,
        spent=Interval(*spent),
        planned=None if planned is None else Interval(*planned),
        with_reserved=with_reserved,
        left=left,
        by=by,
        entries=entries,
        reserved=tuple(Reservation(reference, parse(text), expires) for reference, text, expires in held),
    )
