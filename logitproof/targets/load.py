"""From what the user typed to a `Target` that is ready to be fuzzed."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any

from logitproof.model import rows
from logitproof.model.rows import RowFunction
from logitproof.spec import EngineConfig, LogitsProcessor, ModelConfig, SamplingParams, SchedulerConfig
from logitproof.standin import is_offered

from .arg_language import params_for, parse
from .assembled import EXTRA
from .consumer import wrap_consumer
from .duck import is_duck, wrap_duck
from .errors import TargetError, one_line
from .evidence import Path
from .known import known
from .learned import learned
from .locate import locate, spec_of
from .missing import pretended_by
from .outside import Outside
from .params import params_given
from .per_request import constructor_evidence, is_per_request, refuse, wrap_per_request
from .probe import Outcome
from .quiet import quiet
from .reading import reading
from .source import imports, source_of
from .surrounded import surrounded
from .surroundings import asks_for_cuda, told_of_cuda
from .target import VOCAB_SIZE, Target
from .trial import some_params, trial, without_embeddings
from .vocabulary import roomy, uses_tokenizer

if TYPE_CHECKING:
    import torch

FIELDS = tuple(field.name for field in fields(SamplingParams))
STAND_INS = {
    "vllm": "it plays what processors import",
    "transformers": "every tokenizer is a toy of the vocabulary",
    "pydantic": "it reads and checks fields",
    "regex": "it is the module re",
}
"""What is said of a stand-in that a target imports."""


@quiet()
def load_target(
    spec: str | type,
    params: Any = None,
    reference: Any = None,
    *,
    args: Sequence[str] = (),
    vocab: int | None = None,
    consumer: str | None = None,
    observe: str | None = None,
    learns: bool = True,
) -> Target:
    """Find the processor, its params and its reference, and make one instance to see that it can be made.

    Args:
        spec: `package.module:Name` or `path/to/file.py:Name`, or the object itself.
        params: such a spec, or what `params_given` takes; otherwise `args`, `logitproof_params` of the class, what
            we know of it, or what its source and a few trials say.
        reference: such a spec, or a function.
        args: every `--arg`, in the language of `arg_language`.
        vocab: width of the logits; 32, or as many as the token ids in its source need, if not given.
        consumer, observe: for an object that only follows the batch, see `consumer`.
        learns: False for a replay, which has its requests already.

    Raises TargetError, in one line.
    """
    subject = locate(spec) if isinstance(spec, str) else _class_given(spec)
    name = spec if isinstance(spec, str) else spec_of(subject)
    target = wrap_class(subject, name, consumer, observe)
    for package, said in STAND_INS.items():
        if is_offered(package) and imports(source_of(subject), package):
            target = _with_note(target, package, f"stand-in ({package} is not installed); {said}")
    if absent := pretended_by(source_of(subject)):
        target = _with_note(
            target, "missing", f"{', '.join(absent)}: not found here, so stand-ins took their place"
        )
    if learns and vocab is None and uses_tokenizer(source_of(subject)):
        target = roomy(target, source_of(subject), vocab)  # a constructor may look for tokens
    else:
        target = replace(target, vocab=vocab or VOCAB_SIZE)
    target = surrounded(target, source_of(subject), partial(_how_far, subject=subject, vocab=vocab))
    try_constructor(target)  # what is made once, when the first instance is, belongs to the beginning
    target = replace(target, outside=Outside(subject))
    if _wants_cuda(target, subject, vocab):
        target = told_of_cuda(target)
    if target.told is not None and isinstance(error := trial(target, SamplingParams()).error, TargetError):
        raise error
    if learns:
        target = _with_params(target, subject, params, tuple(args), vocab)
        if _is_vllms(subject) or is_per_request(subject):
            target = without_embeddings(target)
    return replace(
        _with_reference(target, subject, reference),
        args_spec=tuple(args),
        params_spec=params if isinstance(params, str) else None,
    )


def _class_given(subject: Any) -> Any:
    """Itself, unless it is no class and no function. Raises TargetError."""
    if callable(subject):
        return subject
    is_instance = any(hasattr(subject, method) for method in ("update_state", "apply"))
    hint = "; give the class itself, not an object of it" if is_instance else ""
    raise TargetError(
        f"Expected target to be a processor class, or text such as 'path/to/file.py:Name', but got {subject!r} "
        f"(type={type(subject).__name__}){hint}"
    )


def wrap_class(subject: Any, name: str, consumer: str | None = None, observe: str | None = None) -> Target:
    """A `Target` around a processor class, ours or vLLM's, or what else can be driven. Raises TargetError."""
    if consumer is not None or observe is not None:
        return wrap_consumer(subject, name, consumer, observe)
    if inspect.isclass(subject) and issubclass(subject, LogitsProcessor):
        if inspect.isabstract(subject):
            missing = ", ".join(sorted(subject.__abstractmethods__))
            raise TargetError(f"target {name!r} is abstract: it lacks {missing}")
        return Target(name, make=subject, validate=subject.validate_params)
    if inspect.isclass(subject) and _is_vllm_processor(subject):
        from logitproof.vllm_target import wrap

        wrapped: Target = replace(wrap(subject), name=name)
        return wrapped
    if is_duck(subject):
        return wrap_duck(subject, name)
    if inspect.isfunction(subject) and not inspect.signature(subject).parameters:
        return wrap_class(_made_by(subject, name), name)
    if is_per_request(subject):
        return wrap_per_request(subject, name)
    if inspect.isclass(subject) and callable(getattr(subject, "update_state", None)):
        return wrap_consumer(subject, name, consumer, observe)
    raise refuse(subject, name)


def _made_by(function: Any, name: str) -> Any:
    """The class that a function without parameters builds. Raises TargetError: it raises, or gives no class."""
    try:
        made = function()
    except Exception as error:
        raise TargetError(
            f"target {name!r} is a function without parameters, and raised {one_line(error)}"
        ) from error
    if not inspect.isclass(made):
        raise TargetError(
            f"target {name!r} is a function without parameters that gave a {type(made).__name__}; expected one that "
            f"builds a processor class"
        )
    return made


def _is_vllm_processor(cls: type) -> bool:
    if not any(base.__module__.partition(".")[0] == "vllm" for base in cls.__mro__):
        return False
    from logitproof.vllm_target import is_vllm_processor

    return bool(is_vllm_processor(cls))


def _is_vllms(subject: Any) -> bool:
    """Whether it was written for vLLM, whose users rarely have requests without prompt ids."""
    return not (inspect.isclass(subject) and issubclass(subject, LogitsProcessor)) and imports(
        source_of(subject), "vllm"
    )


def _with_note(target: Target, word: str, sentence: str) -> Target:
    return replace(target, notes=(*target.notes, (word, sentence)))


def _with_params(target: Target, subject: Any, spec: Any, args: tuple[str, ...], vocab: int | None) -> Target:
    if spec is not None and args:
        raise TargetError(
            f"--params {spec if isinstance(spec, str) else '(params=)'} and --arg {args[0]} both say what requests "
            f"look like: give one of them"
        )
    if spec is not None and not isinstance(spec, str):
        return replace(target, params_for=params_given(spec, "params="), params_from="params=")
    if spec is not None:
        given = params_given(locate(spec, "--params"), f"--params {spec}")
        return replace(target, params_for=given, params_from=f"--params {spec}")
    if args:
        return _with_args(target, subject, args, vocab)
    own = getattr(subject, "logitproof_params", None)
    if own is not None:
        where = f"{subject.__name__}.logitproof_params"
        return replace(target, params_for=params_given(own, where), params_from=where)
    if (feature := _known(subject)) is not None:
        return replace(target, params_for=feature.params_for, params_from="built in")
    if target.params_for is not None:
        return roomy(target, source_of(subject), vocab)
    return learned(target, subject, vocab, constructor_evidence(subject))


def _wants_cuda(target: Target, subject: Any, vocab: int | None) -> bool:
    """Whether it does nothing unless its device is a CUDA one; found by trying, so that a replay finds the same."""
    if not _is_vllms(subject) or not asks_for_cuda(source_of(subject)):
        return False
    return (
        bool(learned(target, subject, vocab).try_next)
        and not learned(told_of_cuda(target), subject, vocab).try_next
    )


def _how_far(target: Target, *, subject: Any, vocab: int | None) -> int:
    """0 if it cannot be made, 1 if no request that was tried changes a logit, 2 if one does."""
    try:
        try_constructor(target)
        target = learned(target, subject, vocab, constructor_evidence(subject))
    except TargetError:
        return 0
    return 1 + any(trial(target, params).outcome is Outcome.CHANGED for params in some_params(target))


def _with_args(target: Target, subject: Any, args: tuple[str, ...], vocab: int | None) -> Target:
    arguments = tuple(parse(text) for text in args)
    read = {_head(path) for path in (*reading(source_of(subject)), *constructor_evidence(subject))}
    for each in arguments:
        name = _head(each.path)
        if name in read or name in FIELDS:
            continue
        if near := get_close_matches(name, read, n=1, cutoff=0.85):
            raise TargetError(f"--arg {each}: the target reads no {name!r}; did you mean {near[0]!r}?")
        if near := get_close_matches(name, FIELDS, n=1, cutoff=0.85):
            raise TargetError(
                f"--arg {each}: the target reads no {name!r}, and SamplingParams has none; did you mean {near[0]!r}?"
            )
    if unset := sorted(read - {_head(each.path) for each in arguments}):
        target = _with_note(
            target, "not set", f"{', '.join(unset)}: its source reads it too, and no --arg sets it"
        )
    said = " ".join(f"--arg {each}" for each in arguments)
    target = roomy(target, source_of(subject), vocab)
    for each in arguments:
        each.values(target.vocab)
    return replace(target, params_for=params_for(arguments), params_from=said)


def _head(path: Path) -> str:
    return ".".join(path[: 1 + (path[0] == EXTRA)])


def _with_reference(target: Target, subject: Any, spec: Any) -> Target:
    if spec is not None and not isinstance(spec, str):
        where = spec_of(spec)
        return replace(target, reference=spec, reference_from=where, reference_spec=where)
    if spec is not None:
        function: RowFunction = locate(spec, "--reference")
        if not callable(function):
            raise TargetError(
                f"--reference {spec} is a {type(function).__name__}; expected a function "
                f"(params, prompt, outputs, row) -> row"
            )
        return replace(target, reference=function, reference_from=f"--reference {spec}", reference_spec=spec)
    if (feature := _known(subject)) is not None:
        module = feature.reference.__module__
        of_the_model = module.startswith(f"{rows.__name__}.")
        name = feature.reference.__name__
        where = f"{rows.__name__}.{name}" if of_the_model else spec_of(feature.reference)
        return replace(target, reference=feature.reference, reference_from=where)
    return target


def _known(subject: Any) -> Any:
    return known(subject) if inspect.isclass(subject) else None


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
        target.make(engine_config(8, target.vocab), cpu(), False).is_argmax_invariant()
    except TargetError:
        raise
    except Exception as error:
        raise TargetError(
            f"target {target.name!r}: its constructor (config, device, is_pin_memory) raised {one_line(error)}"
        ) from error
