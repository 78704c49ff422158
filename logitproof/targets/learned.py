"""What can be learned about a target's requests from its source, and from trying."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from logitproof.spec import SamplingParams
from logitproof.standin import NotInStandIn

from .arg_language import Argument, params_for
from .assembled import in_extra_args
from .errors import TargetError
from .evidence import Evidence, Path
from .params import FEATURES
from .reading import reading
from .search import Search
from .source import Source, source_of
from .surrounded import SET
from .surroundings import asks_for_cuda, reads_environment
from .target import ParamsFor, Target
from .trial import admitting, config_of, trial
from .vocabulary import roomy, wide_enough

ENGINE_FIELD = "thinking_token_budget"
"""A field that only vLLM's params have, and that processors read."""
FIELDS: frozenset[str] = frozenset().union(*FEATURES)
OF_THE_MODEL = re.compile(r"(?i)config|tokenizer|^(tok|cfg)$")
MOST_VOCABULARIES = 3
"""Larger and larger ones, until no token id lies beyond."""


def learned(
    target: Target, subject: object, vocab: int | None, more: dict[Path, Evidence] | None = None
) -> Target:
    """The target with requests that use it, as far as that can be found out.

    subject: the class or function whose source is read. vocab: what the user has asked for. more: evidence from
    elsewhere about its arguments.
    """
    source = source_of(subject)
    found = _arguments_of(source, subject) | (more or {})
    target = roomy(target, source, vocab)
    for _ in range(MOST_VOCABULARIES):
        search = Search(target, config_of(target), found, target.tokens)
        arguments, changes = search.run() if found else ((), False)
        alone = trial(target, SamplingParams())
        lacking = next(
            (each for each in (*search.errors, alone.error) if isinstance(each, NotInStandIn)), None
        )
        if lacking is not None and not changes:
            raise TargetError(f"target {target.name!r} cannot be run: {lacking}")
        beyond = max(filter(None, (search.token_beyond, alone.token_beyond)), default=None)
        if vocab is not None or beyond is None or beyond < target.vocab:
            break
        target = roomy(target, source, None, (beyond,))
    target = _with_requests(target, source, subject, arguments, changes)
    if vocab is not None and beyond is not None and beyond >= vocab and not changes:
        target = replace(target, try_next=f"--vocab {wide_enough(beyond)}")
    return target


def _arguments_of(source: Source, subject: object) -> dict[Path, Evidence]:
    found = reading(source)
    if ENGINE_FIELD in names_read(subject) and in_extra_args((ENGINE_FIELD,)) not in found:
        found[(ENGINE_FIELD,)] = Evidence((ENGINE_FIELD,), {"int"})
    return found


def _with_requests(
    target: Target, source: Source, subject: object, arguments: tuple[Argument, ...], changes: bool
) -> Target:
    environment = reads_environment(source)
    if environment and SET not in dict(target.notes):
        target = replace(target, notes=(*target.notes, ("environment", environment)))
    plain, origin = learned_params(subject)
    if not arguments:
        return replace(target, params_for=plain, params_from=origin)
    guessed = params_for(arguments)
    if not changes:
        names = ", ".join(".".join(each.path) for each in arguments)
        said = f"its source reads {names}, but no guess changed a logit"
        asked = partial(_mixed, guessed, plain)
        target = replace(target, params_for=asked, params_from=said, try_next=_next(arguments, source))
        return admitting(target)
    said = f"learned from its source and tried: {' '.join(f'--arg {each}' for each in arguments)}"
    beside = _features(params_fields(source))
    if beside:
        fields = sorted(name for feature in beside for name in feature & params_fields(source))
        said += f"; fields that its source reads: {', '.join(fields)}"
        guessed = partial(_mixed, guessed, partial(_one_of, beside))
    return admitting(replace(target, params_for=guessed, params_from=said))


def _next(arguments: tuple[Argument, ...], source: Source) -> str:
    first = arguments[0]
    option = f"--arg {'.'.join(first.path)}={first.kind.removeprefix('optional:')}"
    return option + (
        ". It asks for a CUDA device, and logits are on the CPU here" if asks_for_cuda(source) else ""
    )


def _mixed(guessed: ParamsFor, plain: ParamsFor, vocab_size: int) -> SearchStrategy[SamplingParams]:
    return st.one_of(guessed(vocab_size), plain(vocab_size))


def learned_params(subject: object) -> tuple[ParamsFor, str]:
    """Params that use the features a class reads, or all features; and a sentence for the user about it."""
    read = sorted(names_read(subject))
    fields = [name for fields in FEATURES for name in fields if name in read]
    if not fields:
        return partial(_one_of, tuple(FEATURES)), "every field of SamplingParams, no extra_args"
    return partial(
        _one_of, _features(read)
    ), f"fields that its source reads: {', '.join(sorted(set(fields)))}"


def _features(read: Iterable[str]) -> tuple[frozenset[str], ...]:
    return tuple(feature for feature in FEATURES if not feature.isdisjoint(read))


def params_fields(source: Source) -> set[str]:
    """Attributes of names that look like params: `params.min_p`, but not `hf_config.eos_token_id`."""
    return {
        node.attr
        for node in source.walk()
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and ("param" in node.value.id or node.value.id in ("p", "sp"))
    }


def any_params(vocab_size: int) -> SearchStrategy[SamplingParams]:
    """Every feature of `SamplingParams`, for a processor about which nothing is known."""
    return _one_of(tuple(FEATURES), vocab_size)


def _one_of(features: tuple[frozenset[str], ...], vocab_size: int) -> SearchStrategy[SamplingParams]:
    return st.one_of(*(FEATURES[feature](vocab_size) for feature in features))


def names_read(subject: object) -> set[str]:
    """Attributes and strings in the files that define a class and its own bases; `params.min_p` reads "min_p".

    A field's name that it reads off a configuration or a tokenizer is left out.
    """
    names: set[str] = set()
    of_others: set[ast.AST] = set()
    for node in source_of(subject, with_neighbours=False).walk():
        match node:
            case ast.Attribute(value=owner, attr=name) if name not in FIELDS or not _is_of_the_model(owner):
                names.add(name)
            case ast.Call(func=ast.Name(id="getattr" | "hasattr"), args=[owner, name, *_]) if (
                _is_of_the_model(owner)
            ):
                of_others.add(name)
            case ast.Constant(value=str() as name) if name not in FIELDS or node not in of_others:
                names.add(name)
    return names


def _is_of_the_model(owner: ast.AST) -> bool:
    """Whether it is a configuration or a tokenizer by its name: `eos_token_id` of those is no field of a request."""
    return bool(OF_THE_MODEL.search(str(getattr(owner, "attr", getattr(owner, "id", "")))))
