"""What is read out of a target's source: names, with the evidence for what they are."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from logitproof.targets import locate
from logitproof.targets.assembled import assembled
from logitproof.targets.guesses import guesses, leaves
from logitproof.targets.reading import reading
from logitproof.targets.source import source_of
from logitproof.targets.surroundings import asks_for_cuda, reads_environment
from logitproof.targets.token_constants import token_constants


@pytest.fixture
def target(tmp_path):
    """A class whose method `use` has these lines; other text may stand before it."""
    number = 0

    def write(body, before="", methods=""):
        nonlocal number
        number += 1
        lines = "\n".join(f"        {line}" for line in body.splitlines())
        text = f"{before}\nclass Mine:\n    KEY = 'from_class'\n    def use(self, params, logits):\n{lines}\n{methods}"
        file = tmp_path / f"mine{number}.py"
        file.write_text(text)
        return locate(f"{file}:Mine")

    return write


def read(cls):
    found = reading(source_of(cls))
    return {".".join(each.path): each for each in leaves(found)}


def first(cls, name):
    found = reading(source_of(cls))
    return guesses(found[tuple(name.split("."))], found)[0]


@pytest.mark.parametrize(
    "body",
    [
        "x = params.extra_args.get('name')",
        "x = params.extra_args['name']",
        "x = params.extra_args and params.extra_args.get('name')",
        "x = (params.extra_args or {}).get('name')",
        "x = getattr(params, 'extra_args', None) or {}\nx.get('name')",
        "args = params.extra_args or {}\nif 'name' in args: pass",
        "args = dict(params.extra_args or {})\nargs.pop('name', None)",
        "if params.extra_args and (x := params.extra_args.get('name')): pass",
        "for key in ('name',):\n    params.extra_args.get(key)",
        "args = {} if params.extra_args is None else params.extra_args\nargs['name']",
    ],
)
def test_a_name_is_found_however_it_is_read(target, body):
    assert [*read(target(body))] == ["name"]


def test_names_come_through_constants_methods_and_helpers(target):
    helper = "NAME = 'from_module'\ndef get(extra, key, default=None):\n    return extra.get(key, default)\n"
    method = "    def more(self, args):\n        return args.get('in_method')"
    body = "a = params.extra_args[self.KEY]\nb = params.extra_args[NAME]\nc = get(params.extra_args, 'helped', 2)\n"
    found = read(target(body + "self.more(params.extra_args)", helper, method))
    assert {*found} == {"from_class", "from_module", "helped", "in_method"}
    assert found["helped"].defaults == [2]


def test_dictionaries_inside_and_classes_made_of_them(target):
    settings = "from dataclasses import dataclass\n@dataclass\nclass Settings:\n"
    settings += "    size: int = 3\n    on: bool = False\n"
    plain = "class State:\n    def __init__(self, outputs, token_ids: list[int], label: str | None = None): pass\n"
    body = (
        "cfg = params.extra_args['deep']\ncfg['delta']\ncfg.get('gamma', 0.5)\n"
        "Settings(**params.extra_args['settings'])\nState(outputs=[], **params.extra_args['state'])"
    )
    found = read(target(body, settings + plain))
    assert {*found} == {
        "deep.delta",
        "deep.gamma",
        "settings.size",
        "settings.on",
        "state.token_ids",
        "state.label",
    }
    assert found["settings.size"].facts == {"int"}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("x = params.extra_args.get('target_token')", "token"),
        ("x = params.extra_args.get('stop_token_ids')", "tokens"),
        ("x = params.extra_args.get('forced_sequence')", "tokens"),
        ("x = params.extra_args.get('banned_phrases')", "list:tokens"),
        ("x = params.extra_args.get('thinking_budget')", "int:1..5"),
        ("x = params.extra_args.get('max_think_tokens')", "int:1..5"),
        ("x = params.extra_args.get('ngram_size', 3)", "int:1..5"),
        ("x = params.extra_args.get('wm_delta')", "float:0.5..4.0"),
        ("x = params.extra_args.get('max_temp')", "float:0.5..4.0"),
        ("x = params.extra_args.get('gamma')", "float:0.25..0.75"),
        ("x = params.extra_args.get('enable_filter')", "bool"),
        ("x = params.extra_args.get('zzz', False)", "bool"),
        ("x = params.extra_args.get('zzz', 1.5)", "float:0.5..4.0"),
        ("x = int(params.extra_args.get('zzz'))", "int:1..5"),
        ("x = float(params.extra_args['zzz'])", "float:0.5..4.0"),
        ("x = params.extra_args['zzz']\nlogits[:, x] = 0", "token"),
        ("x = params.extra_args['zzz']\nfor t in x: pass", "tokens"),
        ("x = params.extra_args['zzz']\nfor t in x:\n    for u in t: pass", "list:tokens"),
        ("x = params.extra_args['zzz']\nfor k, v in x.items(): pass", "map:token:float:-4.0..4.0"),
        ("x = params.extra_args['zzz']\nx.split()", "str"),
        ("x = [int(part) for part in params.extra_args['zzz'].split(',')]", "csv:token"),
        ("import json\nx = json.loads(params.extra_args['zzz'])\nfor t in x: pass", "json:tokens"),
        ("x = params.extra_args.get('zzz')\nif not isinstance(x, int): pass", "int:1..5"),
        ("x = params.extra_args.get('mode', 'soft')\nif x == 'hard': pass", "choice:hard,soft"),
        ("if params.extra_args.get('zzz') in {'one', 'two', 'six'}: pass", "choice:one,six,two"),
        ("if params.extra_args.get('zzz'): pass", "bool"),
    ],
)
def test_the_first_guess_follows_use_default_and_name(target, body, kind):
    (name,) = read(target(body))
    assert first(target(body), name) == kind


def test_what_the_target_does_not_lead_to_is_not_read(target):
    other = "class Other:\n    LIMIT_TOKEN = 900\n    def use(self, params):\n"
    other += "        return params.extra_args['foreign']\n"
    cls = target("return params.extra_args['own']", other)
    assert [*read(cls)] == ["own"]
    assert token_constants(source_of(cls)) == ()


def test_a_neighbour_that_is_imported_is_read_too(tmp_path):
    (tmp_path / "helps_mine.py").write_text("def size(params):\n    return params.extra_args['size_there']\n")
    (tmp_path / "uses_help.py").write_text(
        "from helps_mine import size\nclass Mine:\n    def use(self, params):\n        return size(params)\n"
    )
    assert [*read(locate(f"{tmp_path / 'uses_help.py'}:Mine"))] == ["size_there"]


def test_token_ids_are_told_from_other_numbers(target):
    before = (
        "THINK_END = 151668\nMAX_TOKENS = 4096\nSTOP_TOKENS = [7, 99]\nSEED = 123456\n"
        "def f(eos_token_id=50256, timeout=5000, max_length=3000): pass\n"
    )
    body = "logits[:, 777] = 0\nTHINK_END, MAX_TOKENS, STOP_TOKENS, SEED, f\nx = '</think>'"
    assert token_constants(source_of(target(body, before))) == (5, 7, 99, 777, 50256, 151668)


def test_the_environment_and_the_device_are_seen(target):
    body = "import os\nos.environ.get('A_B')\nos.getenv(NAME, '1')\nos.environ['C']\n"
    body += "return logits.device.type == 'cuda'"
    source = source_of(target(body, "NAME = 'N_M'"))
    assert reads_environment(source) == "its source reads A_B, N_M, C; set them as for the engine"
    assert asks_for_cuda(source)
    assert not reads_environment(source_of(target("pass")))


def test_what_has_no_source_teaches_nothing():
    module = ModuleType("typed_in")
    exec("class Typed: pass", module.__dict__)
    sys.modules["typed_in"] = module
    assert source_of(module.Typed).modules == ()
    del sys.modules["typed_in"]


@pytest.mark.parametrize(
    "use", ["if lang not in RANGES: raise ValueError(lang)", "logits[0, RANGES[lang]] = 0"]
)
def test_the_keys_of_a_table_are_what_is_looked_up_in_it(target, use):
    cls = target(f"lang = params.extra_args['language']\n{use}", "RANGES = {'en': [1], 'ko': [2]}")
    assert first(cls, "language") == "choice:en,ko"


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ("if k < 8: raise ValueError", "int:8..12"),
        ("if k <= 8 or k > 10: raise ValueError", "int:9..10"),
        ("if not (8 <= k <= 9): raise ValueError", "int:8..9"),
        ("assert k >= 6", "int:6..10"),
        ("if not isinstance(k, int) or k < 2:\n    print(k)\n    raise ValueError", "int:2..5"),
        ("if k < 8: pass", "int:1..5"),
        ("if k > 3: raise ValueError", "int:1..3"),
        ("if k > -5: raise ValueError", "int:-9..-5"),
    ],
)
def test_a_range_that_is_checked_is_kept_to(target, lines, kind):
    assert first(target(f"k = (params.extra_args or {{}}).get('k')\n{lines}"), "k") == kind


def test_a_name_of_a_field_is_told_from_the_field(target):
    found = read(target("params.extra_args.get('top_k')\nparams.extra_args['x'].get('min_p')"))
    assert [*found] == ["extra_args.top_k", "x.min_p"]
    assert assembled({("extra_args", "top_k"): 3}).extra_args == {"top_k": 3}
    assert assembled({("top_k",): 3}).top_k == 3


def test_a_dictionary_says_what_its_entries_are(target):
    text = "for key, ids in params.extra_args['table'].items():\n    for token in ids: int(token)"
    assert first(target(text), "table") == "map:token:tokens"
    assert (
        first(target("ids = params.extra_args['table'].get(logits)\nlist(ids)"), "table")
        == "map:token:tokens"
    )
    words = "for _, moves in params.extra_args['t'].items():\n    for move in moves: move.lower()"
    assert first(target(words), "t") == "map:token:list:str"


def test_lists_say_what_they_hold(target):
    before = (
        "class Settings:\n    levels: list[float] | None = None\n    names: 'list[str]' = ()\n"
        "    ids: list[int] = ()\n    table: dict[str, list[int]] = {}\n"
    )
    mine = target("Settings(**params.extra_args['x'])", before=before)
    assert first(mine, "x.levels") == "list:float:0.5..4.0"
    assert first(mine, "x.ids") == "tokens"
    assert first(mine, "x.table") == "map:token:tokens"
    assert first(target("list(params.extra_args['dynamic_range'])"), "dynamic_range") == "list:float:0.5..4.0"


def test_members_that_are_checked_one_by_one_are_a_choice(target):
    text = "for one in params.extra_args['langs']:\n    if one not in LANGS: raise ValueError"
    assert first(target(text, before="LANGS = frozenset({'ko', 'en'})"), "langs") == "list:choice:en,ko"


def test_what_is_opened_is_never_a_stream(target):
    assert first(target("open(params.extra_args['x'])"), "x") == "str:/dev/null"
    assert first(target("params.extra_args['force_log']"), "force_log") == "str:/dev/null"
