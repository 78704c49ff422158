"""Which saved failure a user means: a file, an id, or the beginning of one."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from logitproof.cli import main
from logitproof.cli.exits import Exit
from logitproof.lockstep.saved import FOLDER, NoSuchFailure, find_saved


@pytest.fixture
def folder(tmp_path):
    (tmp_path / FOLDER).mkdir()
    for name in ("abc", "abcd", "abx9", "f00"):
        (tmp_path / FOLDER / f"{name}.json").write_text("{}")
    return tmp_path


@pytest.mark.parametrize(("said", "found"), [("f", "f00"), ("f00", "f00"), ("abx", "abx9"), ("abc", "abc")])
def test_the_beginning_of_an_id_is_enough(folder, said, found):
    assert find_saved(said, folder).stem == found


def test_a_file_is_taken_wherever_it_lies(folder):
    path = folder / "elsewhere.json"
    path.write_text("{}")
    assert find_saved(str(path), folder) == path


@pytest.mark.parametrize(
    ("said", "message"),
    [("ab", "'ab' begins more than one id under"), ("zz", "no failure 'zz': neither a file nor an id under")],
)
def test_what_is_not_clear_is_told_with_the_ids(folder, said, message):
    with pytest.raises(NoSuchFailure, match=message) as raised:
        find_saved(said, folder)
    assert "abc, abcd, abx9" in str(raised.value)


def test_the_command_takes_it_too(folder):
    result = CliRunner().invoke(main, ["replay", "f0", "--report-dir", str(folder)])
    assert result.exit_code == Exit.USAGE
    assert "f00.json: not a saved failure" in result.stderr
