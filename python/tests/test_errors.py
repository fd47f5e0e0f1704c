"""Bad input raises ValueError or TypeError with the words of the command line, and no panic comes through."""

from __future__ import annotations

import math
import subprocess

import hockeystick as hs
import pytest
from hockeystick import _engine


def complaint(command_line: str, *arguments: str) -> str:
    run = subprocess.run([command_line, *arguments], capture_output=True, text=True, timeout=60)
    assert run.returncode == 2
    return run.stderr.removeprefix("error: ").rstrip("\n")


@pytest.mark.parametrize(
    "expression",
    ["gausian(sigma=1)", "gaussian(sigma=-1)", "gaussian(sigma=1) * 0", "gaussian(sigma=1) +", "", "poisson(rate=1)", "gaussian(sigma=1) * 2.5"],
)
def test_expressions_are_refused_in_the_words_of_the_command_line(command_line, expression):
    with pytest.raises(ValueError) as refusal:
        hs.parse(expression)
    assert str(refusal.value) == complaint(command_line, "epsilon", expression, "--delta", "1e-6")


@pytest.mark.parametrize("delta", [1.0, -0.5, 2.0])
def test_questions_are_refused_in_the_words_of_the_command_line(command_line, delta):
    with pytest.raises(ValueError) as refusal:
        hs.Gaussian(1.0).epsilon(delta)
    assert str(refusal.value) == complaint(command_line, "epsilon", "gaussian(sigma=1)", f"--delta={delta}")


def test_nan_is_an_error_and_never_an_answer():
    nan = float("nan")
    for ask in (hs.Gaussian(1.0).epsilon, hs.Gaussian(1.0).delta):
        with pytest.raises(ValueError, match="NaN"):
            ask(nan)
        with pytest.raises(ValueError, match="NaN"):
            ask([0.1, nan])
    with pytest.raises(ValueError, match="sigma is NaN"):
        hs.Gaussian(nan)


def test_values_of_another_kind_are_type_errors():
    with pytest.raises(TypeError, match="gaussian: sigma takes a number, not str"):
        hs.Gaussian("1")
    with pytest.raises(TypeError, match="not bool"):
        hs.Gaussian(True)
    with pytest.raises(TypeError, match="a mechanism is needed, not int"):
        hs.Poisson(1, 0.5)
    with pytest.raises(TypeError):
        hs.Gaussian(1.0) * "2"
    with pytest.raises(TypeError):
        hs.Gaussian(1.0) + 1
    with pytest.raises(TypeError):
        hs.Gaussian(1.0).epsilon("1e-6")
    with pytest.raises(TypeError):
        hs.Gaussian(1.0).epsilon(["1e-6"])


def test_counts_out_of_range_are_refused():
    for count in (0, -1, 2.5, 10**16, float("nan")):
        with pytest.raises(ValueError, match="repeat: count is .*, but must be a whole number from 1 to 10\\^15"):
            hs.Gaussian(1.0) * count
    assert (hs.Gaussian(1.0) * 1e6).parameters["count"] == 1_000_000


def test_alternatives_exclude_each_other():
    with pytest.raises(ValueError, match="cannot be given together"):
        hs.RandomizedResponse(0.75, epsilon=1.0)
    with pytest.raises(TypeError, match="needs p or epsilon"):
        hs.RandomizedResponse()


def test_unknown_relation_and_method_list_the_known_ones():
    with pytest.raises(ValueError, match="write add-remove, add, remove or replace"):
        hs.Gaussian(1.0).epsilon(1e-6, relation="swap")
    with pytest.raises(ValueError, match="closed-form"):
        hs.Gaussian(1.0).epsilon(1e-6, method="magic")


def test_what_has_no_proof_is_refused():
    with pytest.raises(ValueError, match="has no proof"):
        (hs.GaussianVariance(1.0, 1.5).poisson(0.1) * 10).epsilon(1e-6, relation="replace")


def test_python_does_not_speak_of_flags():
    """What is to be done was said in terms of the command line: `use --relation add-remove`."""
    import inspect
    import pkgutil
    import re

    for ask in (
        lambda: (hs.GaussianVariance(1.0, 1.5).poisson(0.1) * 10).epsilon(1e-6, relation="replace"),
        lambda: (hs.GaussianVariance(1.0, 1.5) + hs.Gaussian(1.0)).poisson(0.1).epsilon(1e-6, relation="replace"),
        lambda: hs.GaussianVariance(1.0, 1.5).epsilon(1e-6, relation="replace"),
    ):
        with pytest.raises(ValueError, match="use the relation add-remove") as refusal:
            ask()
        assert "--" not in str(refusal.value)
    for module in pkgutil.walk_packages(hs.__path__, "hockeystick."):
        if module.name != "hockeystick._engine":
            source = inspect.getsource(__import__(module.name, fromlist=["_"]))
            assert re.search(r"[\s`]--[a-z]", source) is None, module.name


def test_a_panic_becomes_an_exception(capfd):
    with pytest.raises(RuntimeError, match="the engine failed: provoked; this is a bug"):
        _engine.provoke_panic()
    # The engine is as good as new.
    assert hs.Gaussian(1.0).epsilon(1e-6).upper > 0


def test_no_delta_is_pure_differential_privacy():
    assert (hs.Laplace(2.0) * 4).epsilon(0).upper == 2.0
    assert math.isinf(hs.Gaussian(1.0).epsilon(0).upper)
