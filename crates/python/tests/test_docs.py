"""What is written for readers runs: docstrings, the guide, the notebooks, the benchmarks in small."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import lurd

HERE = Path(__file__).resolve().parent.parent
GUIDE = HERE.parent.parent / "docs" / "python.md"
ENVIRONMENT = {**os.environ, "PYTHONPATH": ""}


@pytest.mark.parametrize("name", ["lurd", "lurd._levels", "lurd._solve", "lurd.search", "lurd._compare", "lurd._data", "lurd.gym"])
def test_docstrings(name: str) -> None:
    if name == "lurd.gym":
        pytest.importorskip("gymnasium")
    assert doctest.testmod(importlib.import_module(name), extraglobs={"lurd": lurd}).failed == 0


@pytest.mark.parametrize("kind", [lurd.Level, lurd.Board, lurd.Cancel, lurd.Oracle])
def test_docstrings_of_classes(kind: type) -> None:
    assert kind.__doc__
    examples = doctest.DocTestParser().get_examples(kind.__doc__)
    test = doctest.DocTest(examples, {"lurd": lurd}, kind.__name__, None, 0, None)
    assert examples and doctest.DocTestRunner().run(test).failed == 0


def test_every_public_name_has_a_docstring() -> None:
    for name in lurd.__all__:
        value = getattr(lurd, name)
        assert name == "__version__" or isinstance(value, list) or value.__doc__, name


@pytest.mark.parametrize("path", sorted((HERE / "notebooks").glob("*.py")), ids=lambda path: path.stem)
def test_notebooks(path: Path) -> None:
    pytest.importorskip("gymnasium")
    runpy.run_path(str(path))


@pytest.mark.skipif(not GUIDE.exists(), reason="the guide is in the repository")
def test_the_guide() -> None:
    pytest.importorskip("gymnasium")
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) > 5
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), names)


@pytest.mark.parametrize(
    "arguments",
    [
        ["steps.py", "--environments", "8", "--steps", "100"],
        ["heuristic.py", "--levels", "2", "--seconds", "2"],
        ["overhead.py", "--solves", "50", "--rounds", "1"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_benchmarks_run(arguments: list[str]) -> None:
    pytest.importorskip("gymnasium")
    name, *rest = arguments
    ended = subprocess.run([sys.executable, HERE / "bench" / name, *rest], env=ENVIRONMENT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout
