"""The tutorial and the examples are run."""

from __future__ import annotations

import doctest
import runpy


def test_the_tutorial_is_true(root):
    options = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.testfile(str(root / "python" / "tutorial.md"), module_relative=False, optionflags=options)
    assert result.attempted > 25 and result.failed == 0


def test_the_training_example_learns_within_its_budget(root):
    example = runpy.run_path(str(root / "python" / "examples" / "dp_sgd.py"))
    accuracy, accountant = example["train"]()
    assert accuracy > 0.8
    assert 50 < accountant.steps < example["MOST_STEPS"]
    assert accountant.epsilon(example["DELTA"]).upper <= example["BUDGET"]
    # One more step would have been too much.
    accountant.step(next(iter(accountant._counts)))
    assert accountant.epsilon(example["DELTA"]).lower > example["BUDGET"]
