"""Which processors an engine runs: the built-in ones, always, and the custom ones, however they are named."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules

import torch

from logitproof.spec import EngineConfig, LogitsProcessor

from . import processors
from .entry import Entry
from .processor_set import ProcessorSet, partition

BEFORE_CUSTOM = ("allowed_token_ids", "bad_words", "min_tokens", "logit_bias", "temperature", "min_p")
AFTER_CUSTOM = ("repetition_penalty", "frequency_penalty", "presence_penalty", "top_k", "top_p")
"""The order in which they act, once the set is parted by argmax-invariance (contract E1): allowed ids, bad words,
min-tokens, logit bias, custom ones, repetition, frequency and presence penalty; then temperature, min-p, custom ones,
top-k, top-p. It is the order of vLLM, except that there min-tokens and logit bias take turns; they commute.
Entries of other names stand where custom ones do, before these.
"""


def _entries() -> tuple[Entry, ...]:
    """The entries that the files of `impl/processors` hold, in this order."""
    modules = [
        import_module(f"{processors.__name__}.{found.name}") for found in iter_modules(processors.__path__)
    ]
    found = {
        value.name: value for module in modules for value in vars(module).values() if isinstance(value, Entry)
    }
    new = sorted(found.keys() - {*BEFORE_CUSTOM, *AFTER_CUSTOM})
    return tuple(found[name] for name in (*BEFORE_CUSTOM, *new, *AFTER_CUSTOM))


_ALL = _entries()

ENTRIES: tuple[Entry, ...] = tuple(sorted(_ALL, key=lambda entry: entry.argmax_invariant))
"""Every built-in processor, in the order in which they act."""

BUILTIN_PROCESSORS: tuple[type[LogitsProcessor], ...] = tuple(entry.processor for entry in ENTRIES)
"""Their classes, in this order."""

ENTRY_POINT_GROUP = "vllm.logits_processors"


def load_processors(
    custom: Sequence[type[LogitsProcessor] | str],
    config: EngineConfig,
    device: torch.device,
    is_pin_memory: bool,
) -> ProcessorSet:
    """Instances of the built-in processors, of installed entry points, and of `custom`, in the order of `ENTRIES`.

    Custom ones stand in the order given, after logit bias (or after min-p, if they never change the argmax).

    custom: classes, or "module:Class" strings.

    Raises ValueError: a name that cannot be imported, or a class that would be loaded twice.
    Raises TypeError: something that is no concrete subclass of `logitproof.spec.LogitsProcessor`.
    Source: contract E5, D5, D7.
    """
    classes = list(BUILTIN_PROCESSORS)
    builtin = len(classes)
    for entry_point in entry_points(group=ENTRY_POINT_GROUP):
        _include(
            classes, f"{entry_point.value} (entry point {entry_point.name!r})", _import(entry_point.value)
        )
    if isinstance(custom, str | type):
        raise TypeError(f"Expected a sequence of custom processors but got {custom!r}; write [{custom!r}]")
    for item in custom:
        _include(classes, repr(item), _import(item) if isinstance(item, str) else item)
    after = [entry.processor for entry in _ALL if entry.name in AFTER_CUSTOM]
    before = [entry.processor for entry in _ALL if entry.name not in AFTER_CUSTOM]
    ordered = [*before, *classes[builtin:], *after]
    return partition(processor(config, device, is_pin_memory) for processor in ordered)


def _import(name: str) -> object:
    module_name, separator, class_name = name.partition(":")
    if not (module_name and separator and class_name):
        raise ValueError(
            f'Expected "module:Class" but got processor {name!r}; for instance "my_package.mask:Mask"'
        )
    try:
        module = import_module(module_name)
    except Exception as error:
        raise ValueError(
            f"Expected an importable module but processor {name!r} fails with {type(error).__name__}: {error}; "
            f'check the spelling, and that `python -c "import {module_name}"` works in this environment'
        ) from error
    if not hasattr(module, class_name):
        classes = sorted(key for key, value in vars(module).items() if inspect.isclass(value))
        raise ValueError(
            f"Expected a class of module {module_name!r} but processor {name!r} names {class_name!r}, which it does "
            f"not define; its classes are {classes}"
        )
    return getattr(module, class_name)


def _include(classes: list[type[LogitsProcessor]], name: str, loaded: object) -> None:
    if not (isinstance(loaded, type) and issubclass(loaded, LogitsProcessor)):
        foreign = isinstance(loaded, type) and any(
            base.__module__.startswith("vllm.") for base in loaded.__mro__
        )
        remedy = (
            "it is written against vLLM's interface, whose MoveDirectionality is another enum; derive it from ours here"
            if foreign
            else "give the class itself, neither an instance nor a function, and derive it from that interface"
        )
        raise TypeError(
            f"Expected a subclass of logitproof.spec.LogitsProcessor but got processor {name}; {remedy}"
        )
    if inspect.isabstract(loaded):
        missing = sorted(getattr(loaded, "__abstractmethods__", ()))
        raise TypeError(
            f"Expected a complete processor but {name} does not implement {missing}; add these methods"
        )
    if loaded in classes:
        raise ValueError(
            f"Expected each processor once but {name} is already loaded, as a built-in one, an entry point or "
            f"an earlier item; it would act twice on every row: leave it out"
        )
    classes.append(loaded)
