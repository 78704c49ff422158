"""Functions of one request as targets: `(output_ids, logits)`, `(prompt_ids, output_ids, logits)`, or what makes one.

A plain function is used by requests whose `extra_args` hold `per_request: true`, about half of them; the others must
come back untouched. A function of one argument is a factory: it gets the params of every request and says by None that
this one does not use it. A class whose instances are such functions is made anew for every request that has its
constructor's arguments in `extra_args`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from logitproof.impl.processors.per_request import PerRequestLogitsProcessor, takes_prompt
from logitproof.spec import SamplingParams
from logitproof.vllm_params import to_vllm_params

from .arg_language import Argument, params_for
from .assembled import in_extra_args
from .errors import TargetError
from .evidence import Evidence, Path
from .source import imports, source_of
from .target import Target

SWITCH = "per_request"
"""The key in `extra_args` of requests that use a plain function."""
NewRequest = Callable[[SamplingParams], "Callable[..., Any] | None"]


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
        return Target(name, make=_adapted(_from_class(subject), subject))
    if _required(subject) == 1:
        return Target(name, make=_adapted(_from_factory(subject), subject))
    takes_prompt(subject)
    target = Target(name, make=_adapted(lambda params: subject if _is_on(params) else None, subject))
    switched = params_for((Argument((SWITCH,), "choice:true"),))
    said = f"requests with extra_args[{SWITCH!r}] use it, plain ones do not"
    return replace(target, params_for=switched, params_from=said)


def _is_on(params: SamplingParams) -> bool:
    return bool((params.extra_args or {}).get(SWITCH))


def _from_factory(factory: Any) -> NewRequest:
    reads_vllm = imports(source_of(factory), "vllm")
    return lambda params: factory(to_vllm_params(params) if reads_vllm else params)


def _from_class(cls: type[Any]) -> NewRequest:
    names = [each for each in inspect.signature(cls).parameters.values() if each.kind in (1, 3)]
    required = {each.name for each in names if each.default is each.empty}

    def new_request(params: SamplingParams) -> Callable[..., Any] | None:
        extra = params.extra_args or {}
        if not required <= extra.keys() or not (required or extra.get(SWITCH)):
            return None
        made: Callable[..., Any] = cls(
            **{each.name: extra[each.name] for each in names if each.name in extra}
        )
        return made

    return new_request


def constructor_evidence(subject: object) -> dict[Path, Evidence]:
    """What a class of per-request functions reads: the arguments of its constructor."""
    if not inspect.isclass(subject) or not is_per_request(subject):
        return {}
    found: dict[Path, Evidence] = {}
    for each in inspect.signature(subject).parameters.values():
        if each.kind not in (1, 3):
            continue
        given = [] if each.default in (each.empty, None) else [each.default]
        types = {str(getattr(each.annotation, "__name__", each.annotation)).partition("[")[0]}
        path = in_extra_args((each.name,))
        found[path] = Evidence(path, types & {"int", "float", "bool", "str", "list", "dict"}, given)
    return found or {(SWITCH,): Evidence((SWITCH,), {"bool"})}


def _adapted(make: NewRequest, subject: Any) -> type[PerRequestLogitsProcessor]:
    class Adapted(PerRequestLogitsProcessor):
        target = subject

        def new_request(self, params: SamplingParams) -> Callable[..., Any] | None:
            return make(params)

    Adapted.__name__ = Adapted.__qualname__ = getattr(subject, "__name__", type(subject).__name__)
    return Adapted


def refuse(subject: object, name: str) -> TargetError:
    """Why it cannot be a target."""
    kind = (
        f"of type {type(subject).__name__}"
        if not inspect.isclass(subject)
        else f"the class {subject.__name__}"
    )
    return TargetError(
        f"target {name!r} is {kind}, and no logits processor: expected a class with update_state and apply (deriving "
        f"from logitproof.LogitsProcessor or vLLM's, or from neither), a function (output_ids, logits) or "
        f"(prompt_ids, output_ids, logits), a function that makes one of a request's params, or, with --observe (and "
        f"--consumer METHOD if the update goes elsewhere than to update_state), a class that only follows the batch"
    )
