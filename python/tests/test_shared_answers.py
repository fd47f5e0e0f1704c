"""Rust, the command line and Python give the same answers, to the last bit."""

from __future__ import annotations

import json
import subprocess

import hockeystick as hs


def ask(expression: str, relation: str, unknown: str, number: str) -> hs.Answer:
    mechanism = hs.parse(expression)
    question = mechanism.epsilon if unknown == "epsilon" else mechanism.delta
    return question(float(number), relation=relation)


def test_python_answers_like_rust(rust_answers):
    assert len(rust_answers) > 15
    for *question, lower, upper, guarantee, method, direction in rust_answers:
        answer = ask(*question)
        found = (repr(answer.lower), repr(answer.upper), answer.guarantee, answer.method, answer.direction)
        # Rust writes 1e-5 where Python writes 1e-05: the doubles are compared.
        expected = (repr(float(lower)), repr(float(upper)), guarantee, method, direction)
        assert found == expected, question


def test_python_answers_like_the_command_line(rust_answers, command_line):
    for expression, relation, unknown, number, *_ in rust_answers[:8]:
        given = "--delta" if unknown == "epsilon" else "--epsilon"
        arguments = [command_line, unknown, expression, given, number, "--relation", relation, "--format", "json"]
        printed = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=True).stdout
        report = json.loads(printed)
        answer = ask(expression, relation, unknown, number)
        assert (answer.lower, answer.upper) == (report["lower"], report["upper"])
        assert answer.budget._asdict() == report["budget"]
        assert str(hs.parse(expression)) == report["expression"]
