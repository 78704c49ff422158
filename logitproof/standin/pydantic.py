"""The part of pydantic that files use to read the arguments of a request, used only when it is not installed.

A model's fields are its annotations. Values are converted as pydantic does by default, and what does not fit raises
ValidationError, which is a ValueError.
"""

from __future__ import annotations

import copy
import types
from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

REQUIRED: Any = ...
BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    "gt": lambda value, bound: value > bound,
    "ge": lambda value, bound: value >= bound,
    "lt": lambda value, bound: value < bound,
    "le": lambda value, bound: value <= bound,
    "multiple_of": lambda value, bound: value % bound == 0,
    "min_length": lambda value, bound: len(value) >= bound,
    "max_length": lambda value, bound: len(value) <= bound,
}
TEXTS = {
    "true": True,
    "1": True,
    "yes": True,
    "on": True,
    "false": False,
    "0": False,
    "no": False,
    "off": False,
}


class ValidationError(ValueError):
    """Values that do not fit a model."""


class FieldInfo:
    """What `Field` says about a field."""

    def __init__(self, default: Any = REQUIRED, *, default_factory: Any = None, **bounds: Any) -> None:
        self.default, self.factory = default, default_factory
        self.alias = bounds.get("alias") or bounds.get("validation_alias")
        self.bounds = {name: bounds[name] for name in BOUNDS if bounds.get(name) is not None}

    def check(self, value: Any) -> Any:
        """The value. Raises ValueError: it lies outside the bounds."""
        for name, bound in self.bounds.items():
            if value is not None and not BOUNDS[name](value, bound):
                raise ValueError(f"{value!r} breaks {name}={bound!r}")
        return value


def Field(default: Any = REQUIRED, **more: Any) -> Any:
    """See `FieldInfo`."""
    return FieldInfo(default, **more)


def PrivateAttr(default: Any = None, *, default_factory: Any = None) -> Any:
    """An attribute that is no field."""
    return default_factory() if default_factory is not None else default


class ConfigDict(dict[str, Any]):
    """`extra` is the only entry that matters here."""


class BaseModel:
    """A class whose annotations are its fields."""

    model_config: ClassVar[Any] = {}
    model_fields: ClassVar[dict[str, FieldInfo]] = {}
    _hooks: ClassVar[list[_Hook]] = []

    def __init_subclass__(cls, **config: Any) -> None:
        super().__init_subclass__()
        own = {name: value for name, value in vars(cls).items() if isinstance(value, _Hook)}
        cls._hooks = [*cls._hooks, *own.values()]
        legacy = getattr(vars(cls).get("Config"), "extra", None)
        cls.model_config = {
            **cls.model_config,
            **vars(cls).get("model_config", {}),
            **config,
            **({"extra": legacy} if legacy else {}),
        }
        fields = dict(cls.model_fields)
        for name in cls.__annotations__ if "__annotations__" in vars(cls) else ():
            if name.startswith("_") or name == "model_config":
                continue
            given = vars(cls).get(name, REQUIRED)
            fields[name] = given if isinstance(given, FieldInfo) else FieldInfo(given)
        cls.model_fields = fields

    def __init__(self, **given: Any) -> None:
        try:
            self._fill(given)
        except ValidationError:
            raise
        except (AssertionError, TypeError, ValueError) as error:
            raise ValidationError(f"1 validation error for {type(self).__name__}: {error}") from error

    def _fill(self, given: dict[str, Any]) -> None:
        for hook in self._of_the_model("before"):
            given = hook.call(type(self), given)
        kinds = get_type_hints(type(self), include_extras=True)
        known = {info.alias or name: name for name, info in self.model_fields.items()}
        known |= {name: name for name in self.model_fields}
        values = {known[name]: value for name, value in given.items() if name in known}
        if unknown := sorted(given.keys() - known.keys()):
            if self.model_config.get("extra") == "forbid":
                raise ValueError(f"Extra inputs are not permitted: {', '.join(unknown)}")
            if self.model_config.get("extra") == "allow":
                vars(self).update({name: given[name] for name in unknown})
        for name, info in self.model_fields.items():
            vars(self)[name] = self._value(name, info, kinds[name], values)
        for hook in self._of_the_model("after"):
            hook.call(self)

    def _value(self, name: str, info: FieldInfo, kind: Any, values: Mapping[str, Any]) -> Any:
        if name not in values:
            if info.factory is not None:
                return info.factory()
            if info.default is REQUIRED:
                raise ValueError(f"{name}: Field required")
            return copy.copy(info.default)
        value = values[name]
        hooks = [hook for hook in self._hooks if name in hook.names or "*" in hook.names]
        for hook in hooks:
            value = hook.call(type(self), value) if hook.mode == "before" else value
        try:
            value = info.check(converted(value, kind))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name}: {error}") from error
        for hook in hooks:
            value = hook.call(type(self), value) if hook.mode == "after" else value
        return value

    def _of_the_model(self, mode: str) -> list[_Hook]:
        return [hook for hook in self._hooks if not hook.names and hook.mode == mode]

    @classmethod
    def model_validate(cls, given: Any, **more: Any) -> Any:
        """A model of a dictionary."""
        if isinstance(given, cls):
            return given
        if not isinstance(given, Mapping):
            raise ValidationError(f"{cls.__name__}: expected a dictionary but got {given!r}")
        return cls(**given)

    parse_obj = model_validate

    @classmethod
    def model_validate_json(cls, text: str | bytes, **more: Any) -> Any:
        """A model of a JSON text."""
        import json

        try:
            return cls.model_validate(json.loads(text))
        except json.JSONDecodeError as error:
            raise ValidationError(f"{cls.__name__}: {error}") from error

    parse_raw = model_validate_json

    def model_dump(self, **more: Any) -> dict[str, Any]:
        """Fields to values."""
        return {name: _dumped(getattr(self, name)) for name in self.model_fields}

    dict = model_dump

    def model_copy(self, *, update: Any = None, deep: bool = False) -> Any:
        """Another with the same values."""
        made = copy.deepcopy(self) if deep else copy.copy(self)
        vars(made).update(update or {})
        return made

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in vars(self).items())})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # what can be changed has no hash


BaseModel.__annotations__.clear()  # they are no fields of a model


def _dumped(value: Any) -> Any:
    return value.model_dump() if isinstance(value, BaseModel) else value


class _Hook:
    """A validator: names of its fields (none for the whole model), when it runs, and the function."""

    def __init__(self, names: tuple[str, ...], mode: str, function: Any) -> None:
        self.names, self.mode = names, mode
        self.function = getattr(function, "__func__", function)

    def call(self, *args: Any) -> Any:
        """Of a function that takes more (pydantic tells about the field), the rest is None."""
        takes = self.function.__code__.co_argcount
        given = args if takes >= len(args) else args[-1:]
        return self.function(*given, *[None] * (takes - len(given)))

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return types.MethodType(self.function, owner if instance is None else instance)


def field_validator(*names: str, mode: str = "after", **more: Any) -> Callable[[Any], Any]:
    """Marks a class method that judges fields."""
    return lambda function: _Hook(names, "before" if mode in ("before", "wrap") else "after", function)


def validator(*names: str, pre: bool = False, **more: Any) -> Callable[[Any], Any]:
    """The older spelling."""
    return lambda function: _Hook(names, "before" if pre else "after", function)


def model_validator(*, mode: str) -> Callable[[Any], Any]:
    """Marks a method that judges a whole model."""
    return lambda function: _Hook((), "before" if mode == "before" else "after", function)


def root_validator(*function: Any, pre: bool = False, **more: Any) -> Any:
    """The older spelling; only those that run before are run."""
    if function:
        return _Hook((), "never", function[0])
    return lambda each: _Hook((), "before" if pre else "never", each)


def computed_field(function: Any = None, **more: Any) -> Any:
    """A property."""
    if function is None:
        return computed_field
    return function if isinstance(function, property) else property(function)


def converted(value: Any, kind: Any) -> Any:
    """The value as that type. Raises ValueError or TypeError: it does not fit."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        value = converted(value, inner[0])
        for info in inner[1:]:
            value = info.check(value) if isinstance(info, FieldInfo) else value
        return value
    if origin in (Union, types.UnionType):
        return _one_of(value, inner)
    if origin is Literal:
        if value not in inner:
            raise ValueError(f"expected one of {inner} but got {value!r}")
        return value
    if origin in (list, set, frozenset, tuple) or kind in (list, set, frozenset, tuple):
        return _collection(value, origin or kind, inner)
    if origin is dict or kind is dict:
        if not isinstance(value, Mapping):
            raise ValueError(f"expected a dictionary but got {value!r}")
        return (
            {converted(key, inner[0]): converted(each, inner[1]) for key, each in value.items()}
            if inner
            else value
        )
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind.model_validate(value)
    return _scalar(value, kind) if kind in (bool, int, float, str) else value


def _one_of(value: Any, kinds: tuple[Any, ...]) -> Any:
    if value is None and type(None) in kinds:
        return None
    exact = [kind for kind in kinds if isinstance(kind, type) and type(value) is kind]
    for kind in (*exact, *kinds):
        if kind is not type(None):
            try:
                return converted(value, kind)
            except (TypeError, ValueError):
                continue  # perhaps the next one
    raise ValueError(f"{value!r} is none of {kinds}")


def _collection(value: Any, kind: Any, inner: tuple[Any, ...]) -> Any:
    if not isinstance(value, list | tuple | set | frozenset):
        raise ValueError(f"expected a list but got {value!r}")
    if kind is tuple and inner and inner[-1] is not ...:
        return tuple(converted(each, part) for each, part in zip(value, inner, strict=True))
    return kind(converted(each, inner[0]) for each in value) if inner else kind(value)


def _scalar(value: Any, kind: Any) -> Any:
    if kind is bool and not isinstance(value, bool):
        if str(value).lower() not in TEXTS:
            raise ValueError(f"expected a bool but got {value!r}")
        return TEXTS[str(value).lower()]
    if kind is str:
        if not isinstance(value, str):
            raise ValueError(f"expected a text but got {value!r}")
        return value
    if not isinstance(value, int | float | str):
        raise ValueError(f"expected a number but got {value!r}")
    made = kind(value)
    if kind is int and isinstance(value, float) and made != value:
        raise ValueError(f"expected a whole number but got {value!r}")
    return made


def conint(**bounds: Any) -> Any:
    """An int with bounds."""
    return Annotated[int, FieldInfo(**bounds)]


def confloat(**bounds: Any) -> Any:
    """A float with bounds."""
    return Annotated[float, FieldInfo(**bounds)]


def conlist(kind: Any, **bounds: Any) -> Any:
    """A list with bounds."""
    return Annotated[list[kind], FieldInfo(**bounds)]


PositiveInt, PositiveFloat = conint(gt=0), confloat(gt=0)
NonNegativeInt, NonNegativeFloat = conint(ge=0), confloat(ge=0)
StrictInt, StrictFloat, StrictBool, StrictStr = int, float, bool, str


class TypeAdapter:
    """Converts to any type."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    def validate_python(self, value: Any, **more: Any) -> Any:
        """The value as that type."""
        try:
            return converted(value, self._kind)
        except (TypeError, ValueError) as error:
            raise ValidationError(str(error)) from error
