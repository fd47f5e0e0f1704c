"""What an attack proves about ε, and whether a claim stands beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from . import _engine
from .arguments import number, numbers, whole
from .question import _expression

if TYPE_CHECKING:
    from .arguments import Numbers
    from .mechanism import Mechanism, Relation


class Audited(NamedTuple):
    """A lower end of ε from an attack. ``float`` of it is that end."""

    epsilon: float
    """The program is not (ε′, δ)-DP for any ε′ below this, with the confidence. Rounded down."""
    delta: float
    """The δ."""
    confidence: float
    """One minus the largest chance that ε is above the truth."""
    theorem: str
    """``counts``, ``ranks``, ``gaussian-counts`` or ``one-run``."""
    assumes: str
    """What must be true of the trials."""
    threshold: float | None
    """The threshold that was chosen among the scores."""
    tpr: float | None
    """The true positive rate is at least this."""
    fpr: float | None
    """The false positive rate is at most this."""
    claimed: tuple[float | None, float] | None
    """What the claimed mechanism spends: lower and upper end of its ε."""
    verdict: Literal["refuted", "consistent"] | None
    """Whether the attack proves more than the claim allows."""
    gap: float | None
    """How much of the claimed ε the attack does not explain; if it is refuted, by how much the attack exceeds it."""

    def __float__(self) -> float:
        return self.epsilon


def audit(
    *,
    true_positives: int | None = None,
    positives: int | None = None,
    false_positives: int | None = None,
    negatives: int | None = None,
    gaussian: bool = False,
    scores: tuple[Numbers, Numbers] | None = None,
    guesses: int | None = None,
    correct: int | None = None,
    canaries: int | None = None,
    delta: float = 0.0,
    confidence: float = 0.95,
    relation: Relation = "add-remove",
    claim: Mechanism | str | None = None,
) -> Audited:
    """What an attack proves: from four counts, from scores of members and of others, or from guesses at canaries of one run.

    >>> import hockeystick as hs
    >>> found = hs.audit(true_positives=230, positives=1000, false_positives=4, negatives=1000, delta=1e-5)
    >>> round(found.epsilon, 3), found.theorem
    (2.996, 'counts')
    >>> hs.audit(guesses=400, correct=310, canaries=1000, delta=1e-5, claim=hs.Gaussian(0.5)).verdict
    'consistent'

    ``scores`` are those of trials with the record and of trials without it, larger where the attack is surer that the record is there; the threshold is found,
    and paid for. ``gaussian`` is for mechanisms that are known to be μ-GDP for some μ.
    """
    counts = _all(
        "counts", true_positives=true_positives, positives=positives, false_positives=false_positives, negatives=negatives
    )
    told = _all("guesses", guesses=guesses, correct=correct)
    if canaries is not None and told is None:
        raise ValueError("canaries come with guesses and correct")
    if gaussian and counts is None:
        raise ValueError("gaussian comes with counts of true and false positives")
    epsilon, theorem, assumes, rates, claimed = _engine.audit(
        None if counts is None else (counts[0], counts[1], counts[2], counts[3]),
        gaussian,
        None if scores is None else _scores(*scores),
        None if told is None else (told[0] if canaries is None else whole(canaries, "canaries"), told[0], told[1]),
        number(delta, "delta"),
        number(confidence, "confidence"),
        relation,
        None if claim is None else _expression(claim),
    )
    threshold, tpr, fpr = rates or (None, None, None)
    lower, upper, verdict, gap = claimed or (None, None, None, None)
    ends = None if upper is None else (lower, upper)
    return Audited(epsilon, delta, confidence, theorem, assumes, threshold, tpr, fpr, ends, verdict, gap)


def _all(kind: str, **given: int | None) -> list[int] | None:
    """All of them, or none."""
    missing = [name for name, value in given.items() if value is None]
    if len(missing) == len(given):
        return None
    if missing:
        raise ValueError(f"{kind} are incomplete; give {' and '.join(missing)}, too")
    return [whole(value, name) for name, value in given.items()]


def _scores(members: Numbers, others: Numbers) -> tuple[bytes, bytes]:
    return numbers(members, "scores").tobytes(), numbers(others, "scores").tobytes()
