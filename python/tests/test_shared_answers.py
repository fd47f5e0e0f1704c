"""Rust, the command line and Python give the same answers, to the last bit."""

from __future__ import annotations

import json
import subprocess

import hockeystick as hs
from hockeystick import _engine


def ask(expression: str, relation: str, method: str, unknown: str, number: str) -> tuple[str, ...]:
    """The answer of Python in the words of the Rust example."""
    if unknown == "calibrate":
        epsilon, delta = (float(part) for part in number.split(", "))
        found = hs.calibrate(expression, epsilon=epsilon, delta=delta, relation=relation, method=method)
        return repr(found.too_little), repr(found.value), found.outcome, method, "both"
    mechanism, at = hs.parse(expression), float(number)
    if unknown == "tpr":
        risk = hs.risk(mechanism, fpr=at, relation=relation, method=method)
        return repr(risk.tpr.lower), repr(risk.tpr.upper), "certified", risk.method, "both"
    if unknown in ("fnr", "renyi"):
        if unknown == "fnr":
            answers = hs.tradeoff(mechanism, [at], relation=relation, method=method)
        else:
            answers = hs.renyi(mechanism, [at], relation=relation)
        return repr(float(answers.lower[0])), repr(float(answers.upper[0])), answers.guarantee, answers.method, "both"
    question = mechanism.epsilon if unknown == "epsilon" else mechanism.delta
    answer = question(at, relation=relation, method=method)
    return repr(answer.lower), repr(answer.upper), answer.guarantee, answer.method, answer.direction


def number(text: str) -> str:
    """Rust writes 1e-5 where Python writes 1e-05: the doubles are compared."""
    return "None" if text == "none" else repr(float(text))


def test_python_answers_like_rust(rust_answers):
    assert len(rust_answers) >= 100
    for *question, lower, upper, guarantee, method, direction in rust_answers:
        assert ask(*question) == (number(lower), number(upper), guarantee, method, direction), question


def test_the_questions_are_about_everything(rust_answers):
    asked = " ".join(answer[0] for answer in rust_answers)
    for entry in _engine.catalogue():
        assert f"{entry['name']}(" in asked, entry["name"]
    unknowns = {answer[3] for answer in rust_answers}
    assert unknowns == {"epsilon", "delta", "fnr", "tpr", "renyi", "calibrate"}


def test_python_answers_like_the_command_line(rust_answers, command_line):
    # A process for each: every third question is enough.
    chosen = [answer for answer in rust_answers if answer[3] in ("epsilon", "delta")][::3]
    for expression, relation, method, unknown, at, *_ in chosen:
        given = "--delta" if unknown == "epsilon" else "--epsilon"
        options = ["--relation", relation, "--method", method, "--format", "json"]
        arguments = [command_line, unknown, expression, given, at, *options]
        printed = subprocess.run(arguments, capture_output=True, text=True, timeout=60).stdout
        report = json.loads(printed)
        mechanism = hs.parse(expression)
        question = mechanism.epsilon if unknown == "epsilon" else mechanism.delta
        answer = question(float(at), relation=relation, method=method)
        # JSON has no infinity: it is the text "inf".
        lower = None if report["lower"] is None else float(report["lower"])
        assert (answer.lower, answer.upper) == (lower, float(report["upper"])), expression
        assert answer.guarantee == report["guarantee"] and str(mechanism) == report["expression"]
        if answer.lower is not None:
            assert answer.budget._asdict() == {cause: float(part) for cause, part in report["budget"].items()}


def test_python_answers_like_the_command_line_for_risk_and_calibration(rust_answers, command_line):
    for expression, relation, method, unknown, at, *_ in rust_answers:
        if unknown == "tpr":
            arguments = ["risk", expression, "--fpr", at, "--relation", relation, "--format", "json"]
        elif unknown == "calibrate":
            epsilon, delta = at.split(", ")
            arguments = ["calibrate", expression, "--epsilon", epsilon, "--delta", delta, "--format", "json"]
        else:
            continue
        printed = subprocess.run([command_line, *arguments], capture_output=True, text=True, timeout=60).stdout
        report = json.loads(printed)
        lower, upper, *_ = ask(expression, relation, method, unknown, at)
        if unknown == "tpr":
            between = report["attacks"][0]["tpr"]
            assert (lower, upper) == (repr(between["lower"]), repr(between["upper"]))
        else:
            assert upper == repr(float(report["value"]))
