"""The algebra of mechanisms: ``A + B`` composes, ``A * k`` repeats, samplers take a mechanism and return one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, TypeVar, Union, cast, overload

from . import question
from ._engine import Expression
from .arguments import exact, is_number

if TYPE_CHECKING:
    from .answer import Answer
    from .answers import Answers
    from .arguments import Numbers

Relation = Literal["add-remove", "add", "remove", "replace"]
"""Which datasets are neighbours."""

Value = Union[float, int, str, list[float], "Mechanism"]
"""What a parameter can be."""

_T = TypeVar("_T")


class Parameter(Generic[_T]):
    """A value that a mechanism was made with; ``None`` if it was made with others instead.

    >>> import hockeystick as hs
    >>> hs.Gaussian(2.0).sigma, (hs.Gaussian(2.0).poisson(0.01) * 10).mechanism.rate
    (2.0, 0.01)
    """

    _name: str

    def __set_name__(self, owner: type[Mechanism], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, mechanism: None, owner: type[Mechanism]) -> Parameter[_T]: ...
    @overload
    def __get__(self, mechanism: Mechanism, owner: type[Mechanism]) -> _T: ...
    def __get__(self, mechanism: Mechanism | None, owner: type[Mechanism]) -> _T | Parameter[_T]:
        if mechanism is None:
            return self
        return cast(_T, mechanism.parameters.get(self._name))


class Mechanism:
    """A mechanism, or several of them sampled, repeated and composed. Values never change; equal ones hash alike.

    >>> import hockeystick as hs
    >>> training = hs.Gaussian(1.0).poisson(0.01) * 1000
    >>> training + hs.Laplace(5.0) * 12
    parse("poisson(gaussian(sigma=1), rate=0.01) * 1000 + laplace(scale=5) * 12")

    Parameters are attributes. Those called ``epsilon`` or ``delta`` are in :attr:`parameters` only, for these are the questions:

    >>> training.count, training.mechanism.mechanism.sigma
    (1000, 1.0)
    >>> hs.ApproximateDp(0.5).parameters["epsilon"]
    0.5
    """

    __slots__ = ("_expression",)
    _expression: Expression
    _name: ClassVar[str] = ""
    _classes: ClassVar[dict[str, type[Mechanism]]] = {}

    def __init_subclass__(cls, name: str = "") -> None:
        # A class without a name of its own is called what it extends.
        if name:
            cls._name = name
            Mechanism._classes[name] = cls

    def __init__(self, text: str) -> None:
        self._set(Expression.parse(text))

    def _set(self, expression: Expression) -> None:
        object.__setattr__(self, "_expression", expression)

    def _build(self, **values: object) -> None:
        given = {name: value for name, value in values.items() if value is not None}
        self._set(Expression.build(self._name, given))

    @staticmethod
    def _of(expression: Expression) -> Mechanism:
        cls = Mechanism._classes.get(expression.name, Mechanism)
        mechanism = cls.__new__(cls)
        mechanism._set(expression)
        return mechanism

    @property
    def parameters(self) -> dict[str, Value]:
        """The values that make it again, by name.

        >>> import hockeystick as hs
        >>> hs.Gaussian(2.0).parameters
        {'sigma': 2.0, 'sensitivity': 1.0}
        """
        values = self._expression.arguments()
        return {
            name: Mechanism._of(value) if isinstance(value, Expression) else value
            for name, value in values.items()
        }

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a mechanism does not change; make another one to set {name}")

    def poisson(self, rate: float, records: int = 1) -> Poisson:
        """Runs on a sample that holds each record independently with probability ``rate``; a person has up to ``records`` of them.

        >>> import hockeystick as hs
        >>> hs.Gaussian(1.0).poisson(0.01)
        parse("poisson(gaussian(sigma=1), rate=0.01)")
        """
        return Poisson(self, rate, records)

    def subset(self, rate: float) -> Subset:
        """Runs on a sample of fixed size, drawn without replacement, that is a fraction ``rate`` of the records."""
        return Subset(self, rate)

    def allocation(self, steps: int) -> Allocation:
        """Runs in each of ``steps`` steps; a record takes part in one of them, chosen at random."""
        return Allocation(self, steps)

    def shuffle(self, users: int) -> Shuffle:
        """Shuffles the reports of ``users`` users, each of whom runs the mechanism on her own value."""
        return Shuffle(self, users)

    def __mul__(self, count: int) -> Repeat:
        if isinstance(count, (Mechanism, str)):
            return NotImplemented
        return Repeat(self, count)

    __rmul__ = __mul__

    def __add__(self, other: Mechanism) -> Compose:
        if not isinstance(other, Mechanism):
            return NotImplemented
        return Compose(self, other)

    def __radd__(self, other: object) -> Mechanism:
        # sum() starts with 0.
        if other == 0 and isinstance(other, int):
            return self
        return NotImplemented

    @property
    def parts(self) -> list[Mechanism]:
        """The mechanisms this one is made of: none for a leaf.

        >>> import hockeystick as hs
        >>> (hs.Gaussian(1.0) + hs.Laplace(2.0)).parts
        [parse("gaussian(sigma=1)"), parse("laplace(scale=2)")]
        """
        return [Mechanism._of(part) for part in self._expression.parts()]

    @property
    def uses(self) -> list[tuple[Mechanism, int]]:
        """What is composed, with total counts.

        >>> import hockeystick as hs
        >>> ((hs.Gaussian(1.0) * 3) * 2 + hs.Gaussian(1.0)).uses
        [(parse("gaussian(sigma=1)"), 7)]
        """
        return [(Mechanism._of(part), count) for part, count in self._expression.uses()]

    @overload
    def epsilon(
        self, delta: float, *, relation: Relation = ..., method: str = ..., tolerance: float | None = ...
    ) -> Answer: ...
    @overload
    def epsilon(
        self,
        delta: Numbers,
        *,
        relation: Relation = ...,
        method: str = ...,
        tolerance: float | None = ...,
    ) -> Answers: ...
    def epsilon(
        self,
        delta: float | Numbers,
        *,
        relation: Relation = "add-remove",
        method: str = "auto",
        tolerance: float | None = None,
    ) -> Answer | Answers:
        """The smallest ε for which this is (ε, δ)-DP: see :func:`hockeystick.epsilon`."""
        return question.epsilon(self, delta, relation=relation, method=method, tolerance=tolerance)

    @overload
    def delta(
        self, epsilon: float, *, relation: Relation = ..., method: str = ..., tolerance: float | None = ...
    ) -> Answer: ...
    @overload
    def delta(
        self,
        epsilon: Numbers,
        *,
        relation: Relation = ...,
        method: str = ...,
        tolerance: float | None = ...,
    ) -> Answers: ...
    def delta(
        self,
        epsilon: float | Numbers,
        *,
        relation: Relation = "add-remove",
        method: str = "auto",
        tolerance: float | None = None,
    ) -> Answer | Answers:
        """The smallest δ for which this is (ε, δ)-DP: see :func:`hockeystick.delta`."""
        return question.delta(self, epsilon, relation=relation, method=method, tolerance=tolerance)

    def to_json(self) -> str:
        """The JSON form, the same in Rust.

        >>> import hockeystick as hs
        >>> hs.Gaussian(1.0).to_json()
        '{"gaussian":{"sigma":1.0}}'
        """
        return self._expression.to_json()

    @staticmethod
    def from_json(text: str) -> Mechanism:
        """Reads the JSON form."""
        return Mechanism._of(Expression.from_json(text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mechanism) and bool(self._expression == other._expression)

    def __hash__(self) -> int:
        return hash(self._expression)

    def __reduce__(self) -> tuple[object, ...]:
        return Mechanism.from_json, (self.to_json(),)

    def __str__(self) -> str:
        return str(self._expression)

    def __repr__(self) -> str:
        text = str(self).replace("\\", "\\\\").replace('"', '\\"')
        return f'parse("{text}")'

    def _repr_html_(self) -> str:
        from .notebook import mechanism_html

        return mechanism_html(self)


class Poisson(Mechanism, name="poisson"):
    """A mechanism on a Poisson sample: each record is in it independently with probability ``rate``.

    Batches of fixed size and shuffled batches are not Poisson samples.
    """

    __slots__ = ()
    mechanism = Parameter[Mechanism]()
    rate = Parameter[float]()
    records = Parameter[int]()

    def __init__(self, mechanism: Mechanism, rate: float, records: int = 1) -> None:
        self._build(mechanism=_inner(mechanism), rate=rate, records=_whole(records))


class Subset(Mechanism, name="subset"):
    """A mechanism on a sample of fixed size, drawn without replacement."""

    __slots__ = ()
    mechanism = Parameter[Mechanism]()
    rate = Parameter[float]()

    def __init__(self, mechanism: Mechanism, rate: float) -> None:
        self._build(mechanism=_inner(mechanism), rate=rate)


class Allocation(Mechanism, name="allocation"):
    """A mechanism in many steps; a record takes part in one of them, chosen uniformly at random (balls and bins)."""

    __slots__ = ()
    mechanism = Parameter[Mechanism]()
    steps = Parameter[int]()

    def __init__(self, mechanism: Mechanism, steps: int) -> None:
        self._build(mechanism=_inner(mechanism), steps=_whole(steps))


class Shuffle(Mechanism, name="shuffle"):
    """The locally private reports of many users, in random order. Neighbours differ in the value of one user."""

    __slots__ = ()
    mechanism = Parameter[Mechanism]()
    users = Parameter[int]()

    def __init__(self, mechanism: Mechanism, users: int) -> None:
        self._build(mechanism=_inner(mechanism), users=_whole(users))


class Repeat(Mechanism, name="repeat"):
    """A mechanism composed with itself."""

    __slots__ = ()
    mechanism = Parameter[Mechanism]()
    count = Parameter[int]()

    def __init__(self, mechanism: Mechanism, count: int) -> None:
        self._build(mechanism=_inner(mechanism), count=_whole(count))


class Compose(Mechanism, name="compose"):
    """Several mechanisms, composed adaptively.

    >>> import hockeystick as hs
    >>> hs.Compose(hs.Gaussian(1.0), hs.Laplace(2.0), hs.Gdp(0.5))
    parse("gaussian(sigma=1) + laplace(scale=2) + gdp(mu=0.5)")
    """

    __slots__ = ()

    def __init__(self, *mechanisms: Mechanism) -> None:
        self._set(Expression.compose([_inner(mechanism) for mechanism in mechanisms]))


def _whole(count: int) -> int:
    # A decimal or a fraction that is next to a whole number is not that number, even if its double is.
    return count if isinstance(count, (int, float)) or not is_number(count) else exact(count)


def _inner(mechanism: Mechanism) -> Expression:
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"a mechanism is needed, not {type(mechanism).__name__}")
    return mechanism._expression


def parse(text: str) -> Mechanism:
    """The mechanism that an expression describes, written as on the command line.

    >>> import hockeystick as hs
    >>> hs.parse("gaussian(sigma=2) * 10").parameters
    {'mechanism': parse("gaussian(sigma=2)"), 'count': 10}
    >>> hs.parse("gausian(sigma=2)")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: column 1: there is no mechanism `gausian` (did you mean gaussian?); the mechanisms are ...
    """
    return Mechanism._of(Expression.parse(text))
