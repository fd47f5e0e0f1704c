"""Many questions about different mechanisms, a row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Union, cast

from . import _engine
from .answers import Answers
from .columns import Columns, cells, doubles, is_column, is_missing
from .sweep import array

if TYPE_CHECKING:
    from ._engine import Expression
    from .answer import Unknown

Errors: TypeAlias = Literal["keep", "raise"]
"""What becomes of rows that have no answer because something is wrong with them."""

Row: TypeAlias = Union["Expression", str, None]


def ask(
    unknown: Unknown,
    mechanisms: object,
    name: str,
    given: object,
    columns: Columns | None,
    errors: Errors,
    settings: tuple[str, str, float | None],
) -> Answers:
    """The answers to a question of each row. ``name`` is that of the number ``given``."""
    check_errors(errors)
    failed: dict[int, Exception] = {}
    if columns is None:
        about = expressions(mechanisms, failed)
    else:
        rows_given = len(cells(given, name)) if is_column(given) else None
        about = cast("list[Row]", filled(mechanisms, columns, rows_given, failed))
    at = doubles(given, name, len(about), failed)
    for row in failed:
        about[row] = None
    found = _engine.answers(about, at.tobytes(), unknown, *settings)
    lower, upper, guarantee, method, refused, short, _ = found
    failed.update(refused)
    raise_first(failed, errors)
    return Answers(
        unknown,
        at,
        array(lower, at),
        array(upper, at),
        guarantee,
        method,
        dict(sorted(failed.items())),
        dict(short),
    )


def check_errors(errors: Errors) -> None:
    """Refuses what is neither ``keep`` nor ``raise``."""
    if errors not in ("keep", "raise"):
        raise ValueError(f"errors is {errors!r}, but must be 'keep' or 'raise'")


def raise_first(failed: dict[int, Exception], errors: Errors) -> None:
    """Raises the first error, with its row, if that is asked for."""
    if not failed or errors == "keep":
        return
    row = min(failed)
    error = failed[row]
    raise type(error)(f"row {row}: {error}") from error


def expressions(mechanisms: object, failed: dict[int, Exception]) -> list[Row]:
    """What is asked about in each row: mechanisms, or their texts."""
    from .mechanism import Mechanism

    if not is_column(mechanisms):
        raise TypeError(f"a mechanism, its text, or a column of them is needed, not {type(mechanisms).__name__}")
    rows: list[Row] = []
    for row, mechanism in enumerate(cells(mechanisms, "mechanism")):
        if isinstance(mechanism, Mechanism):
            rows.append(mechanism._expression)
        elif isinstance(mechanism, str):
            rows.append(mechanism)
        else:
            rows.append(None)
            if not is_missing(mechanism):
                failed[row] = TypeError(f"a mechanism or its text is needed, not {type(mechanism).__name__}")
    return rows


def filled(
    template: object, columns: Columns, count: int | None, failed: dict[int, Exception]
) -> list[str | None]:
    """The text of each row: a template with the values of its columns in place of the names in braces."""
    if not isinstance(template, str):
        raise TypeError(f"with columns an expression with names in braces is needed, not {type(template).__name__}")
    names = _engine.names(template)
    found = {name: _column(columns, name) for name in names}
    whole = {name: cells(values, name) for name, values in found.items() if is_column(values)}
    for name, values in whole.items():
        if count is not None and len(values) != count:
            raise ValueError(f"column {name} has {len(values)} rows, but there are {count}")
        count = len(values)
    if count is None:
        raise ValueError("nothing says how many rows there are; give a column for a name in braces, such as {sigma}")
    written = [_written(whole.get(name, found[name]), name, count, failed) for name in names]
    return _engine.filled(template, names, written, count)


def _column(columns: Columns, name: str) -> Any:
    try:
        return columns[name]
    except (KeyError, IndexError, ValueError) as error:
        raise ValueError(f"there is no column {name} for {{{name}}} in the expression") from error


def _written(given: object, name: str, count: int, failed: dict[int, Exception]) -> bytes | list[str | None]:
    """A column as the engine takes it: doubles, or texts."""
    if isinstance(given, str):
        return [given] * count
    if isinstance(given, list) and any(isinstance(value, str) for value in given):
        return [_text(value, name, row, failed) for row, value in enumerate(given)]
    return doubles(given, name, count, failed).tobytes()


def _text(value: object, name: str, row: int, failed: dict[int, Exception]) -> str | None:
    if isinstance(value, str):
        return value
    if is_missing(value):
        return None
    errors: dict[int, Exception] = {}
    numbers = doubles([value], name, 1, errors)
    if errors:
        failed.setdefault(row, errors[0])
        return None
    return repr(float(numbers[0])).removesuffix(".0")
