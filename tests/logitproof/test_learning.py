"""What trying adds to reading: guesses that were wrong, requests that are left out, tokens that outputs must hold."""

from __future__ import annotations

import pytest

from logitproof.lockstep import Budget, Verdict, fuzz, histories
from logitproof.lockstep.admission import admitted
from logitproof.lockstep.blame import blame
from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import Target, load_target
from logitproof.targets.drawing import few
from logitproof.targets.quiet import quiet

HEAD = """
import torch
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor, LogitsProcessor, process_dict_updates

class Base(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory): self.rows = {}
    def is_argmax_invariant(self): return False
    def update_state(self, update): process_dict_updates(self.rows, update, self.state)
    def apply(self, logits):
        for index, state in self.rows.items(): self.one(logits[index], state)
        return logits
"""
SMALL = Budget(max_examples=25)


@pytest.fixture
def load(tmp_path):
    number = 0

    def write(body, **options):
        nonlocal number
        number += 1
        file = tmp_path / f"learns{number}.py"
        file.write_text(HEAD + "class Mine(Base):\n" + "\n".join(f"    {line}" for line in body.splitlines()))
        return load_target(f"{file}:Mine", **options)

    return write


def test_a_guess_that_raises_is_exchanged_for_one_that_does_not(load):
    # By its name a whole number; it is looked up like a text.
    target = load(
        "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('size')\n"
        "def one(self, row, size): row[{'a': 1, 'the': 2, 'in a': 3, 'eat': 4}[size]] += 1.0"
    )
    assert target.params_from.endswith("--arg size=str")
    assert fuzz(target, 1, budget=SMALL).verdict is Verdict.CLEAN


def test_params_that_raise_alone_are_not_admitted(load):
    target = load(
        "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('ngram_size')\n"
        "def one(self, row, size):\n    if size == 4: raise ValueError('four')\n    row[size] += 1.0"
    )
    assert not admitted(SamplingParams(extra_args={"ngram_size": 4}), target, target.vocab)
    assert admitted(SamplingParams(extra_args={"ngram_size": 3}), target, target.vocab)
    assert fuzz(target, 1, budget=SMALL).verdict is Verdict.CLEAN


def test_validate_params_that_raises_something_else_refuses_a_guess(load):
    target = load(
        "@classmethod\ndef validate_params(cls, params):\n"
        "    if params.extra_args: {1: 1, 2: 2}[params.extra_args['k_tokens']]\n"
        "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('k_tokens')\n"
        "def one(self, row, k): row[k] += 1.0"
    )
    assert not admitted(SamplingParams(extra_args={"k_tokens": 5}), target, target.vocab)


def test_requests_without_prompt_ids_are_left_out_where_they_raise(load):
    body = (
        "def state(self, params, prompt, outputs):\n"
        "    on = (params.extra_args or {}).get('enable_echo')\n    return (prompt, outputs) if on else None\n"
        "def one(self, row, state): row[state[0][len(state[1]) % len(state[0])]] += 1.0"
    )
    target = load(body)
    assert target.takes_no_embeddings
    assert "left out: it raises TypeError" in dict(target.notes)["prompt"]
    for history in few(histories(target, Dialect.ELIDED), 30):
        assert all(arrival.prompt is not None for arrival in history.arrivals())
        assert all(history.prompts)
    assert fuzz(target, 1, budget=SMALL).verdict is Verdict.CLEAN
    spared = load(body.replace("return (prompt, outputs)", "return (prompt or [0], outputs)"))
    assert not spared.takes_no_embeddings


PHRASE = """
TRIGGER_TOKENS = [40, 41, 42]
def state(self, params, prompt, outputs): return outputs
def one(self, row, outputs):
    if outputs[-3:] == self.TRIGGER_TOKENS: row[0] += 1.0
"""


def test_outputs_hold_the_phrases_and_tokens_that_the_source_names(load):
    target = load(PHRASE)
    assert (target.phrases, target.tokens, target.vocab) == (((40, 41, 42),), (0, 40, 41, 42), 64)
    scripts = [
        arrival.script
        for each in few(histories(target, Dialect.ELIDED, 64), 20)
        for arrival in each.arrivals()
    ]
    begun = [script for script in scripts if script[:3] == (40, 41, 42)]
    assert len(scripts) > len(begun) > len(scripts) / 3
    assert any({40, 41, 42} & {*script} for script in scripts if script not in begun)
    assert fuzz(target, 1, budget=SMALL).verdict is Verdict.CLEAN


def test_histories_of_other_targets_stay_as_they_were(target_of):
    plain = few(histories(Target("x", make=object)), 20)
    assert all(token < 8 for each in plain for arrival in each.arrivals() for token in arrival.script)


def test_a_row_that_is_emptied_by_what_is_only_a_guess_is_a_warning(load):
    body = (
        "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('first_token')\n"
        "def one(self, row, first): row[first:] = -torch.inf"
    )
    report = fuzz(load(body), 1, budget=SMALL)
    assert report.verdict is Verdict.CLEAN
    assert "is a guess" in report.warnings["nonfinite"].summary
    asked_for = fuzz(load(body, args=["first_token=int:0..3"]), 1, budget=SMALL)
    assert asked_for.verdict is Verdict.FAILED
    assert asked_for.caught[0].findings[0].oracle == "nonfinite"


def test_a_guess_is_no_excuse_where_other_logits_are_not_emptied(load):
    body = (
        "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('only_token')\n"
        "def one(self, row, token):\n    kept = row[token].clone()\n    row[:] = -torch.inf\n"
        "    if kept > -2: row[token] = kept"
    )
    report = fuzz(load(body), 1, budget=SMALL)
    assert report.verdict is Verdict.FAILED
    finding = report.caught[0].findings[0]
    assert finding.oracle == "nonfinite"
    assert "banned already" not in finding.summary


def test_what_was_banned_before_is_not_held_against_a_mask(load):
    report = fuzz(
        load(
            "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('only_token')\n"
            "def one(self, row, token):\n    kept = row[token].clone()\n    row[:] = -torch.inf\n    row[token] = kept",
            args=["only_token=token"],
        ),
        1,
    )
    assert report.verdict is Verdict.CLEAN
    assert "banned already" in report.warnings["nonfinite"].summary


def test_a_file_of_a_package_is_imported_without_the_package(tmp_path):
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "outer" / "__init__.py").write_text("import not_installed_anywhere")
    (inner / "__init__.py").write_text("raise RuntimeError('not this either')")
    (tmp_path / "outer" / "amounts.py").write_text("AMOUNT = 2.0")
    (inner / "keys.py").write_text("KEY = 'boost_token'")
    (inner / "mine.py").write_text(
        "from ..amounts import AMOUNT\nfrom .keys import KEY\n" + HEAD + "class Mine(Base):\n"
        "    def state(self, params, prompt, outputs): return (params.extra_args or {}).get(KEY)\n"
        "    def one(self, row, token): row[token] += AMOUNT\n"
    )
    target = load_target(f"{inner / 'mine.py'}:Mine")
    assert target.params_from.endswith("--arg boost_token=token")


def test_what_a_target_prints_and_logs_is_not_shown(capsys, caplog):
    import logging
    import warnings

    with quiet():
        print("loading")
        logging.getLogger("x").error("twice")
        warnings.warn("old", stacklevel=1)
    assert capsys.readouterr().out == ""
    assert not caplog.records
    logging.getLogger("x").error("heard again")
    assert len(caplog.records) == 1


def test_fields_count_beside_arguments_only_where_params_are_read(load):
    body = (
        "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('one_token')\n"
        "def one(self, row, token): row[token] += 1.0\n"
        "def more(self, hf_config, params): return hf_config.eos_token_id, params.min_p"
    )
    target = load(body)
    assert target.params_from.endswith("--arg one_token=token; fields that its source reads: min_p")
    drawn = few(target.params_for(32), 60)
    assert {*map(bool, (params.min_p for params in drawn))} == {True, False}
    assert not any(params.eos_token_id for params in drawn)


def test_what_is_read_off_a_configuration_is_no_field_of_a_request(load):
    body = (
        "def __init__(self, vllm_config, device, is_pin_memory):\n"
        "    hf_config = vllm_config.model_config.hf_config\n    self.rows = {}\n"
        "    self.eos = getattr(hf_config, 'eos_token_id', 2) or hf_config.eos_token_id\n"
        "def state(self, params, prompt, outputs): return outputs\n"
        "def one(self, row, outputs):\n    if len(outputs) < 3: row[self.eos] = -float('inf')"
    )
    assert load(body).params_from == "every field of SamplingParams, no extra_args"
    assert load(body.replace("return outputs", "return (params.eos_token_id, outputs)[1]")).params_from == (
        "fields that its source reads: eos_token_id"
    )


def test_a_vocabulary_can_be_spelt_where_a_tokenizer_is_read(load):
    body = (
        "def __init__(self, vllm_config, device, is_pin_memory):\n"
        "    from vllm.transformers_utils.tokenizer import get_tokenizer\n    self.rows = {}\n"
        "    vocab = get_tokenizer(vllm_config.model_config.tokenizer).get_vocab()\n"
        "    self.digits = [vocab[digit] for digit in '0123456789']\n"
        "def state(self, params, prompt, outputs): return (params.extra_args or {}).get('digits_only')\n"
        "def one(self, row, on):\n    if on: row[self.digits] += 1.0"
    )
    assert load(body).vocab == 128
    assert load("def state(self, p, _, o): return 1\ndef one(self, row, on): row[0] += 1.0").vocab == 32


@pytest.mark.parametrize(("does", "is_told"), [("row[0] += 1.0", True), ("row.cuda()", False)])
def test_a_processor_that_idles_without_cuda_is_told_of_one(load, does, is_told):
    body = (
        "def __init__(self, vllm_config, device, is_pin_memory):\n"
        "    self.rows = {}\n    self.is_cuda = device.type == 'cuda'\n"
        "def state(self, params, prompt, outputs): return (params.extra_args or {}).get('one_token')\n"
        f"def one(self, row, token):\n    if self.is_cuda: {does}"
    )
    target = load(body)
    assert ("device" in dict(target.notes)) is is_told
    assert fuzz(target, 1, budget=SMALL).verdict is (Verdict.CLEAN if is_told else Verdict.VACUOUS)


def test_an_argument_that_spares_tokens_is_drawn_too(load):
    target = load(
        "def state(self, params, prompt, outputs):\n    extra = params.extra_args or {}\n"
        "    return extra and ({*(extra.get('ban_tokens') or ())}, set(extra.get('spare_ids') or ()))\n"
        "def one(self, row, state):\n    for token in state[0] - (state[1] and {*range(30)}): row[token] -= 4"
    )
    assert "--arg ban_tokens=tokens" in target.params_from
    assert "--arg spare_ids=optional:tokens" in target.params_from


def test_what_must_not_end_is_long(load):
    target = load(
        "def state(self, params, prompt, outputs):\n"
        "    ids = (params.extra_args or {}).get('forced_ids')\n    return ids and (ids, outputs)\n"
        "def one(self, row, state):\n    ids, outputs = state\n"
        "    if len(outputs) >= len(ids): raise RuntimeError('the end')\n    row[ids[len(outputs)]] += 1.0"
    )
    assert target.params_from.endswith("--arg forced_ids=tokens:64")
    assert fuzz(target, 1, budget=SMALL).verdict is Verdict.CLEAN


def test_a_guess_that_raises_for_some_prompts_only_is_a_warning(load):
    body = (
        "def state(self, params, prompt, outputs):\n    return ((params.extra_args or {}).get('table'), prompt)\n"
        "def one(self, row, state):\n    table, prompt = state\n    if not table: return\n    row[0] += 1.0\n"
        "    if prompt and prompt[-1] == 6: raise KeyError(table)"
    )
    report = fuzz(load(body), 1)
    assert report.verdict is Verdict.CLEAN
    assert "a request alone raises the same" in report.warnings["crash"].summary
    crashes = body.replace("if prompt and prompt[-1] == 6", "if row.storage_offset() and prompt")
    assert fuzz(load(crashes), 1).verdict is Verdict.FAILED


def test_a_wrong_guess_may_show_only_when_a_request_comes_with_outputs(load):
    target = load(
        "def state(self, params, prompt, outputs):\n"
        "    return [(params.extra_args or {}).get('table'), prompt, outputs, False]\n"
        "def one(self, row, state):\n    table, prompt, outputs, seen = state\n    if not table: return\n"
        "    row[0] += 1.0\n"
        "    if len(outputs) > 2 and not seen and prompt and prompt[-1] in (4, 5, 6, 7): raise KeyError(table)\n"
        "    state[3] = True"
    )
    report = fuzz(target, 1)
    assert report.verdict is Verdict.CLEAN
    assert "a request alone raises the same" in report.warnings["crash"].summary


@pytest.mark.parametrize(
    "faulty", ["if outputs[-1] % 2: row[0] += size", "row[0] += size / params.temperature"]
)
def test_what_raises_for_want_of_outputs_or_of_a_temperature_is_no_wrong_guess(load, faulty):
    target = load(
        "def state(self, params, prompt, outputs):\n"
        "    size = (params.extra_args or {}).get('size')\n    return size and (size, params, outputs)\n"
        f"def one(self, row, state):\n    size, params, outputs = state\n    {faulty}"
    )
    report = fuzz(target, 1, budget=SMALL)
    assert [caught.findings[0].oracle for caught in report.caught] == ["crash"]
    assert len(report.caught[0].history.steps) == 1


def test_a_guess_opens_no_file_by_its_number(load, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    target = load(
        "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('into')\n"
        "def one(self, row, into):\n    with open(into, 'a') as file: file.write('')\n    row[0] += 1.0"
    )
    assert target.params_from.endswith("--arg into=str")
    with open(2, closefd=False) as stream:
        assert stream.fileno() == 2


def test_a_vocabulary_that_is_too_small_is_what_is_told(load):
    target = load(
        "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('on')\n"
        "def one(self, row, on): row[198] -= 4.0",
        vocab=64,
    )
    report = fuzz(target, 1, budget=SMALL)
    assert report.verdict is Verdict.VACUOUS
    assert report.note.endswith("It raises for a token id beyond the vocabulary. Make it larger: --vocab 256")


def test_what_only_a_fresh_instance_shows_is_explained(load):
    target = load(
        "def state(self, params, prompt, outputs):\n    return (params.extra_args or {}).get('budget_steps') and [0]\n"
        "def one(self, row, calls):\n    calls[0] += 1\n    if calls[0] > 2: row[1] += 1.0"
    )
    (caught,) = fuzz(target, 1).caught
    assert caught.findings[0].oracle == "rebuild"
    said = blame(caught.history, target, caught.findings[0])
    assert said.startswith(
        "A request that was preempted comes back as such an Add, with the outputs that it has: "
    )
