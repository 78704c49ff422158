"""Functions of one request as targets: `(output_ids, logits)`, `(prompt_ids, output_ids, logits)`, or what makes one.

A plain function is used by requests whose `extra_args` hold `per_request: true`, about half of them; the others must
come back untouched. A function of one argument is a factory: it gets the params of every request and says by None that
this one does not use it. A class whose instances are such functions is made anew for every request that has its
constructor's arguments in `extra_args`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from logitproof.impl.processors.per_request import PerRequestLogitsProcessor, takes_prompt
from logitproof.spec import EngineConfig, SamplingParams
from logitproof.toy_model import model_name
from logitproof.vllm_params import to_vllm_params

from .arg_language import Argument, params_for
from .assembled import in_extra_args
from .errors import TargetError
from .evidence import Evidence, Path
from .source import imports, source_of
from .target import Target

if TYPE_CHECKING:
    import torch

PLAIN = ("int", "float", "bool", "str", "list", "dict")
SWITCH = "per_request"
"""The key in `extra_args` of requests that use a plain function."""
NewRequest = Callable[[SamplingParams, Mapping[str, Any]], "Callable[..., Any] | None"]
"""A request's function, of its params and of what `OFFERED` names."""
OFFERED = ("tokenizer", "vocab_size", "device")
"""Arguments of a constructor that the engine's side has, and no request."""


def is_per_request(subject: object) -> bool:
    """Whether it is a function of one to three arguments, or a class whose instances take two or three."""
    if inspect.isclass(subject):
        return "__call__" in dir(subject) and _required(subject.__call__) in (3, 4)
    return callable(subject) and _required(subject) in (1, 2, 3)


def _required(function: Any) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # written in C: it shows no parameters
        return 0
    return sum(each.default is each.empty and each.kind in (0, 1) for each in parameters)


def wrap_per_request(subject: Any, name: str) -> Target:
    """A target around a function, a factory or a class of functions."""
    if inspect.isclass(subject):
        return Target(name, make=_adapted(_from_class(subject), subject), in_vllms_types=True)
    if _required(subject) == 1:
        return Target(name, make=_adapted(_from_factory(subject), subject), in_vllms_types=True)
    takes_prompt(subject)
    make = _adapted(lambda params, _: subject if _is_on(params) else None, subject)
    target = Target(name, make=make, in_vllms_types=True)
    switched = params_for((Argument((SWITCH,), "choice:true"),))
    said = f"requests with extra_args[{SWITCH!r}] use it, plain ones do not"
    return replace(target, params_for=switched, params_from=said)


def _is_on(params: SamplingParams) -> bool:
    return bool((params.extra_args or {}).get(SWITCH))


def _from_factory(factory: Any) -> NewRequest:
    reads_vllm = imports(source_of(factory), "vllm")
    return lambda params, _: factory(to_vllm_params(params) if reads_vllm else params)


def _from_class(cls: type[Any]) -> NewRequest:
    names = [each for each in inspect.signature(cls).parameters.values() if each.kind in (1, 3)]
    required = {each.name for each in names if each.default is each.empty and each.name not in OFFERED}

    def new_request(params: SamplingParams, offered: Mapping[str, Any]) -> Callable[..., Any] | None:
        extra = params.extra_args or {}
        if not required <= extra.keys() or not (required or extra.get(SWITCH)):
            return None
        given = {**offered, **extra}
        made: Callable[..., Any] = cls(
            **{each.name: given[each.name] for each in names if each.name in given}
        )
        return made

    return new_request


def constructor_evidence(subject: object) -> dict[Path, Evidence]:
    """What a class of per-request functions reads: the arguments of its constructor."""
    if not inspect.isclass(subject) or not is_per_request(subject):
        return {}
    found: dict[Path, Evidence] = {}
    for each in inspect.signature(subject).parameters.values():
        if each.kind not in (1, 3) or each.name in OFFERED:
            continue
        given = [] if each.default in (each.empty, None) else [each.default]
        path = in_extra_args((each.name,))
        required = each.default is each.empty
        found[path] = Evidence(path, _types(each.annotation), given, is_required=required)
    if not any(each.is_required for each in found.values()):
        found[(SWITCH,)] = Evidence((SWITCH,), {"bool"})
    return found


def _types(annotation: Any) -> set[str]:
    """The plain types in an annotation, as words; of `Optional[list[int]]` a list."""
    if isinstance(annotation, str):
        return {word for word in PLAIN if re.search(rf"\b{word}\b", annotation.partition("[")[0])}
    kind = get_origin(annotation) or annotation
    if kind in (Union, UnionType):
        return set().union(*(_types(each) for each in get_args(annotation)))
    return {str(getattr(kind, "__name__", ""))} & {*PLAIN}


def _adapted(make: NewRequest, subject: Any) -> type[PerRequestLogitsProcessor]:
    takes_tokenizer = inspect.isclass(subject) and "tokenizer" in inspect.signature(subject).parameters

    class Adapted(PerRequestLogitsProcessor):
        target = subject

        def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
            super().__init__(config, device, is_pin_memory)
            vocab = config.model_config.vocab_size
            self._offered = {"vocab_size": vocab, "device": device}
            if takes_tokenizer:
                self._offered["tokenizer"] = _tokenizer(vocab)

        def new_request(self, params: SamplingParams) -> Callable[..., Any] | None:
            return make(params, self._offered)

    Adapted.__name__ = Adapted.__qualname__ = getattr(subject, "__name__", type(subject).__name__)
    return Adapted


@lru_cache(maxsize=8)
def _tokenizer(vocab: int) -> Any:
    transformers = import_module("transformers")  # the real one, or its stand-in
    return transformers.AutoTokenizer.from_pretrained(model_name(vocab))


def refuse(subject: object, name: str) -> TargetError:
    """Why it cannot be a target."""
    kind = (
        f"of type {type(subject).__name__}"
        if not inspect.isclass(subject)
        else f"the class {subject.__name__}"
    )
    return TargetError(
        f"target {name!r} is {kind}, and no logits processor: expected a class with update_state and apply, a function "
        f"(output_ids, logits) or one that makes such, or with --observe a class that follows the batch"
    )
