"""The engine, in Rust. `hockeystick` is the interface to it."""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias, TypedDict, final, type_check_only

from .answer import Guarantee

__all__ = [
    "VERSION",
    "Expression",
    "Ledger",
    "answers",
    "audit",
    "calibrate",
    "calibrate_function",
    "calibrations",
    "catalogue",
    "chart",
    "check_settings",
    "compare",
    "delta",
    "deltas",
    "epsilon",
    "epsilons",
    "explain",
    "filled",
    "interesting",
    "loss_shape",
    "losses",
    "names",
    "provoke_panic",
    "renyi",
    "risk",
    "shown",
    "tradeoff",
    "true_positive_rates",
]

VERSION: Final[str]

_Value: TypeAlias = float | str | list[float] | Expression
_Target: TypeAlias = tuple[float | None, ...]
_PlainAnswer: TypeAlias = tuple[
    float | None,
    float,
    Guarantee,
    str,
    str,
    tuple[float, float, float, float, float],
    str | None,
    list[str],
]
_Ends: TypeAlias = tuple[bytearray, bytearray, Guarantee, str]

_LedgerAccount: TypeAlias = tuple[str, str, float, float, str]
_Became: TypeAlias = tuple[
    tuple[int | None, bool, list[_LedgerAccount]] | None,
    tuple[str, tuple[_LedgerAccount, float] | None, int | None] | None,
]
_Stands: TypeAlias = tuple[
    str,
    tuple[float, float],
    tuple[float, float] | None,
    float,
    float,
    str,
    int,
    list[tuple[str, str, str]],
]

_Found: TypeAlias = tuple[
    str,
    Literal["found", "every value", "impossible"],
    float | None,
    float | None,
    Expression,
    tuple[Literal["epsilon", "delta", "tpr"], float, _PlainAnswer],
]

@type_check_only
class ParameterEntry(TypedDict):
    name: str
    meaning: str
    kind: str
    default: float | None
    required: bool

@type_check_only
class Entry(TypedDict):
    name: str
    meaning: str
    pair: str
    example: str
    parameters: list[ParameterEntry]

@final
class Expression:
    @staticmethod
    def parse(text: str) -> Expression: ...
    @staticmethod
    def from_json(text: str) -> Expression: ...
    @staticmethod
    def build(name: str, values: dict[str, object]) -> Expression: ...
    @staticmethod
    def compose(parts: list[Expression]) -> Expression: ...
    @property
    def name(self) -> str: ...
    def arguments(self) -> dict[str, _Value]: ...
    def parts(self) -> list[Expression]: ...
    def uses(self) -> list[tuple[Expression, int]]: ...
    def to_json(self) -> str: ...

def epsilon(
    expression: Expression, delta: float, relation: str, method: str, tolerance: float | None
) -> _PlainAnswer: ...
def delta(
    expression: Expression, epsilon: float, relation: str, method: str, tolerance: float | None
) -> _PlainAnswer: ...
def epsilons(
    expression: Expression, deltas: bytes, relation: str, method: str, tolerance: float | None
) -> _Ends: ...
def deltas(
    expression: Expression, epsilons: bytes, relation: str, method: str, tolerance: float | None
) -> _Ends: ...
def answers(
    rows: list[Expression | str | None],
    given: bytes,
    unknown: Literal["epsilon", "delta", "tpr", "fnr", "renyi"],
    relation: str,
    method: str,
    tolerance: float | None,
) -> tuple[
    bytearray, bytearray, Guarantee, str, list[tuple[int, Exception]], list[tuple[int, str]], int
]: ...
def filled(
    text: str, names: list[str], columns: list[bytes | list[str | None]], count: int
) -> list[str | None]: ...
def names(text: str) -> list[str]: ...
def calibrations(
    rows: list[str | None],
    targets: list[bytes],
    relation: str,
    method: str,
    tolerance: float | None,
) -> tuple[list[_Found | Exception | None], int]: ...
def explain(
    expression: Expression,
    delta: float | None,
    epsilon: float | None,
    relation: str,
    method: str,
    tolerance: float | None,
) -> tuple[_PlainAnswer, list[tuple[str, str, str]], list[str]]: ...
def compare(
    expression: Expression, delta: float | None, epsilon: float | None, relation: str, tolerance: float | None
) -> tuple[
    _PlainAnswer, list[tuple[str, _PlainAnswer | None, str | None, tuple[float, float] | None]]
]: ...
def calibrate(
    text: str, target: _Target, relation: str, method: str, tolerance: float | None
) -> _Found: ...
def calibrate_function(
    function: Callable[[float], Expression],
    target: _Target,
    relation: str,
    method: str,
    tolerance: float | None,
) -> _Found: ...
def check_settings(relation: str, method: str, tolerance: float | None) -> None: ...
def risk(
    expression: Expression, fpr: float, prior: float, relation: str, method: str, tolerance: float | None
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float], str]: ...
def audit(
    counts: tuple[int, int, int, int] | None,
    is_gaussian: bool,
    scores: tuple[bytes, bytes] | None,
    guesses: tuple[int, int, int] | None,
    delta: float,
    confidence: float,
    relation: str,
    claim: Expression | None,
) -> tuple[
    float,
    str,
    str,
    tuple[float | None, float, float] | None,
    tuple[float | None, float, Literal["refuted", "consistent"], float] | None,
]: ...
def tradeoff(
    expression: Expression, fprs: bytes, relation: str, method: str, tolerance: float | None
) -> _Ends: ...
def renyi(expression: Expression, orders: bytes, relation: str) -> _Ends: ...
def losses(
    expression: Expression, at: bytes, relation: str, method: str, tolerance: float | None
) -> tuple[tuple[bytearray, bytearray], tuple[bytearray, bytearray]]: ...
def true_positive_rates(
    expression: Expression, fprs: bytes, relation: str, method: str, tolerance: float | None
) -> _Ends: ...
def loss_shape(
    expression: Expression, count: int, relation: str
) -> tuple[str, list[bytearray], list[bytearray], tuple[float, float]]: ...
def interesting(expression: Expression, count: int, relation: str) -> tuple[bytearray, bytearray]: ...
def chart(
    title: str,
    x: tuple[str, bool],
    y: tuple[str, bool],
    right: tuple[str, bool] | None,
    series: list[tuple[str, list[tuple[float, float, float]], bool, bool]],
) -> str: ...
def shown(is_estimate: bool, lower: float | None, upper: float) -> str: ...
@final
class Ledger:
    def __new__(cls, store: str, create: bool) -> Ledger: ...
    def budget(self, definition: str) -> None: ...
    def spend(
        self, budget: str, mechanism: Expression, reference: str, note: str | None, dry_run: bool
    ) -> _Became: ...
    def reserve(
        self, budget: str, mechanism: Expression, reference: str, expires: str, note: str | None
    ) -> _Became: ...
    def commit(self, reference: str, mechanism: Expression | None) -> _Became: ...
    def release(self, reference: str) -> _Became: ...
    def status(self, budget: str | None) -> list[_Stands]: ...
    def remaining(self, budget: str, mechanism: Expression, most: int) -> int: ...
    def history(self, budget: str | None) -> list[str]: ...
    def verify(self, noted: str | None) -> tuple[int, str, list[tuple[int | None, str]]]: ...
    def export(self, path: str) -> int: ...
    def import_from(self, path: str) -> int: ...
    def back_up(self, path: str) -> None: ...

def catalogue() -> list[Entry]: ...
def provoke_panic() -> None: ...
