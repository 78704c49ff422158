"""From what the user typed to a `Target` that is ready to be fuzzed."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from logitproof.model import rows
from logitproof.model.rows import RowFunction
from logitproof.spec import EngineConfig, LogitsProcessor, ModelConfig, SchedulerConfig

from .errors import TargetError, one_line
from .known import known
from .learned import learned_params
from .locate import locate
from .params import params_given
from .target import Target

if TYPE_CHECKING:
    import torch

VOCAB_SIZE = 32
"""Wide enough for params to name different tokens, narrow enough for a thousand steps a second."""


def load_target(spec: str, params: str | None = None, reference: str | None = None) -> Target:
    """Find the processor, its params and its reference, and make one instance to see that it can be made.

    Args:
        spec: `package.module:Name` or `path/to/file.py:Name`.
        params: the same for `--params`; otherwise `logitproof_params` of the class, what we know of it, or everything.
        reference: the same for `--reference`.

    Raises TargetError, in one line.
    """
    cls = locate(spec)
    target = _with_reference(_with_params(wrap_class(cls, spec), cls, params), cls, reference)
    try_constructor(target)
    return target


def wrap_class(cls: Any, name: str) -> Target:
    """A `Target` around a processor class, ours or vLLM's. Raises TargetError for anything else."""
    if not inspect.isclass(cls):
        raise TargetError(
            f"target {name!r} is not a class but of type {type(cls).__name__}; name the processor class itself"
        )
    if issubclass(cls, LogitsProcessor):
        if inspect.isabstract(cls):
            missing = ", ".join(sorted(cls.__abstractmethods__))
            raise TargetError(f"target {name!r} is abstract: it lacks {missing}")
        return Target(name, make=cls, validate=cls.validate_params)
    if _is_vllm(cls):
        from logitproof.vllm_target import wrap

        wrapped: Target = replace(wrap(cls), name=name)
        return wrapped
    raise TargetError(
        f"target {name!r} is no logits processor: {cls.__name__} derives from neither logitproof.LogitsProcessor nor "
        f"vLLM's LogitsProcessor"
    )


def _is_vllm(cls: type) -> bool:
    if not any(base.__module__.partition(".")[0] == "vllm" for base in cls.__mro__):
        return False
    from logitproof.vllm_target import is_vllm_processor

    return bool(is_vllm_processor(cls))


def _with_params(target: Target, cls: type, spec: str | None) -> Target:
    if spec is not None:
        given = params_given(locate(spec, "--params"), f"--params {spec}")
        return replace(target, params_for=given, params_from=f"--params {spec}", params_spec=spec)
    own = getattr(cls, "logitproof_params", None)
    if own is not None:
        where = f"{cls.__name__}.logitproof_params"
        return replace(target, params_for=params_given(own, where), params_from=where)
    if (feature := known(cls)) is not None:
        return replace(target, params_for=feature.params_for, params_from="built in")
    if target.params_for is not None:
        return target
    learned, origin = learned_params(cls)
    return replace(target, params_for=learned, params_from=origin)


def _with_reference(target: Target, cls: type, spec: str | None) -> Target:
    if spec is not None:
        function: RowFunction = locate(spec, "--reference")
        if not callable(function):
            raise TargetError(
                f"--reference {spec} is a {type(function).__name__}; expected a function "
                f"(params, prompt, outputs, row) -> row"
            )
        return replace(target, reference=function, reference_from=f"--reference {spec}", reference_spec=spec)
    if (feature := known(cls)) is not None:
        module = feature.reference.__module__
        of_the_model = module.startswith(f"{rows.__name__}.")
        where = f"{rows.__name__ if of_the_model else module}.{feature.reference.__name__}"
        return replace(target, reference=feature.reference, reference_from=where)
    return target


def engine_config(slots: int, vocab_size: int = VOCAB_SIZE) -> EngineConfig:
    """What a processor's constructor is given."""
    return EngineConfig(SchedulerConfig(max_num_seqs=slots), ModelConfig(vocab_size=vocab_size))


def cpu() -> torch.device:
    """Where lockstep runs take place."""
    import torch

    return torch.device("cpu")


def try_constructor(target: Target) -> None:
    """Make one instance and read its declaration. Raises TargetError if that raises."""
    try:
        target.make(engine_config(slots=8), cpu(), False).is_argmax_invariant()
    except Exception as error:
        raise TargetError(
            f"target {target.name!r}: its constructor (config, device, is_pin_memory) raised {one_line(error)}"
        ) from error
