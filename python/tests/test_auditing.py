"""Audits: the command line's numbers, and arguments that are refused."""

import json
import os
import subprocess

import numpy as np
import pytest

import hockeystick as hs

COUNTS = {"true_positives": 230, "positives": 1000, "false_positives": 4, "negatives": 1000}


def command_line(*arguments):
    program = os.environ["HOCKEYSTICK_CLI"]
    run = subprocess.run([program, "audit", *arguments, "--format", "json"], capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stderr
    return json.loads(run.stdout)


def test_the_same_numbers_as_on_the_command_line():
    flags = [word for name, count in COUNTS.items() for word in ("--" + name.replace("_", "-"), str(count))]
    told = command_line(*flags, "--delta", "1e-5", "--claim", "gaussian(sigma=4)")
    found = hs.audit(**COUNTS, delta=1e-5, claim=hs.Gaussian(4.0))
    assert (found.epsilon, found.theorem, found.tpr) == (told["lower"], "counts", told["rates"]["tpr_at_least"])
    assert (found.verdict, found.gap, found.claimed[1]) == ("refuted", told["claim"]["gap"], told["claim"]["upper"])
    told = command_line("--guesses", "400", "--correct", "310", "--canaries", "1000", "--delta", "1e-5")
    assert float(hs.audit(guesses=400, correct=310, canaries=1000, delta=1e-5)) == told["lower"]


def test_scores_come_as_arrays_or_lists():
    random = np.random.default_rng(1)
    members, others = random.normal(1.5, 1, 500), random.normal(0, 1, 500)
    found = hs.audit(scores=(members, others), delta=1e-5)
    assert found == hs.audit(scores=(members.tolist(), others.tolist()), delta=1e-5)
    assert found.threshold is not None and 0 < found.epsilon < hs.Gaussian(1 / 1.5).epsilon(1e-5).upper


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "one kind of evidence"),
        ({"true_positives": 3}, "counts are incomplete; give positives and false_positives and negatives"),
        ({"guesses": 3}, "give correct"),
        ({"canaries": 3}, "canaries come with guesses"),
        ({"gaussian": True}, "gaussian comes with counts"),
        ({**COUNTS, "guesses": 3, "correct": 3}, "one kind of evidence"),
        ({**COUNTS, "true_positives": 1001}, "true positives is 1001"),
        ({**COUNTS, "true_positives": -1}, "true_positives is -1"),
        ({**COUNTS, "true_positives": 1.5}, "true_positives is 1.5"),
        ({**COUNTS, "delta": float("nan")}, "delta is NaN"),
        ({**COUNTS, "confidence": 1.0}, "confidence is 1"),
        ({"scores": ([1.0], [float("nan")])}, "scores of others is NaN"),
        ({"guesses": 3, "correct": 3, "relation": "add"}, "needs both directions"),
    ],
)
def test_improper_evidence_is_refused(arguments, complaint):
    with pytest.raises(ValueError, match=complaint):
        hs.audit(**arguments)
