"""How messages are read and written: the base struct, the three leniency rules, `decode` and `encode`.

The rules are those of the upstream schema's `x-deserialize-*` keywords (PROTOCOL §3), declared at each field:

- `Soft[T]`: a value of the wrong type counts as absent (`default-on-error`);
- `SoftList[T]`: as `Soft`, and bad elements are dropped one by one (`skip-invalid-items`);
- `NullList[T]`, `NullMap[T]`: null counts as empty, anything else wrong is an error (`default-on-null`).

A message that is right all through is read by one typed decode. Only when that refuses it is the tree walked
in Python with these rules. The messages themselves are in the neighbours of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar, cast

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

T = TypeVar("T")
Soft = Annotated[T, Meta(extra={"rule": "error"})]
SoftList = Annotated[list[T], Meta(extra={"rule": "items"})]
SoftListOrNone = Annotated[list[T] | None, Meta(extra={"rule": "items"})]
NullList = Annotated[list[T], Meta(extra={"rule": "null"})]
NullMap = Annotated[dict[str, T], Meta(extra={"rule": "null"})]
Marker: TypeAlias = dict[str, Any]
"""A capability object: `{}` means yes, absent or null means no."""
RequestId: TypeAlias = int | str | None
Uint = Annotated[int, Meta(ge=0)]


class Invalid(ValueError):
    """The message cannot be read even with leniency; the text says what is wrong and where."""


class Object(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True, gc=False):
    """Base of every message object: camelCase on the wire, defaults omitted, `_meta` kept."""

    meta: Soft[dict[str, Any] | None] = field(name="_meta", default=None)


class Empty(Object, frozen=True, gc=False):
    """Params or a result without fields of its own."""


class UnknownObject(Struct, frozen=True, gc=False):
    """Base of the stand-ins for union members nobody knew; `raw` is what came."""

    kind: str
    raw: dict[str, Any]


_encode = msgspec.json.Encoder().encode


def encode(message: object) -> bytes:
    """Return a message (struct or plain value) as JSON bytes without a newline."""
    return _encode(message)


@cache
def decoder(type_: Hashable) -> Callable[[Raw | bytes], Any]:
    """Return the strict reader of a type (raises msgspec.ValidationError); `decode` is the lenient one."""
    read: Callable[[Raw | bytes], Any] = msgspec.json.Decoder(type_).decode
    return read


def decode(raw: Raw | bytes, type_: type[T]) -> T:
    """Read JSON as `type_`, leniently where the schema says so. Invalid when that is impossible."""
    try:
        return cast(T, decoder(cast(Hashable, type_))(raw))
    except msgspec.ValidationError:
        pass
    except (ValueError, RecursionError) as error:
        raise Invalid(str(error)) from error
    try:
        value = msgspec.json.decode(raw)
    except (ValueError, RecursionError) as error:
        raise Invalid(str(error)) from error
    return convert(value, type_)


def convert(value: Any, type_: type[T]) -> T:
    """Build `type_` from decoded JSON with the leniency rules. Invalid when that is impossible."""
    try:
        return cast(T, _build(_info(cast(Hashable, type_)), value))
    except RecursionError as error:
        raise Invalid("nested too deeply") from error


@cache
def _info(type_: Hashable) -> Any:
    from msgspec import inspect

    return inspect.type_info(type_)


def _build(node: Any, value: Any) -> Any:
    """Turn `value` into what the type description `node` stands for, or raise Invalid."""
    return _BUILDERS.get(type(node).__name__, _refuse)(node, value)


def _refuse(node: Any, value: Any) -> Any:
    raise Invalid(f"expected {_kind(node)}, got {_json_name(value)}")


def _kind(node: Any) -> str:
    """Return what a type description stands for, in JSON's words."""
    if type(node).__name__ == "Metadata":
        return _kind(node.type)
    name = type(node).__name__.removesuffix("Type").lower()
    return {"struct": "object", "dict": "object", "list": "array", "str": "string", "none": "null"}.get(name, name)


def _metadata(node: Any, value: Any) -> Any:
    rule = (node.extra or {}).get("rule")
    if rule == "null" and value is None:
        return {} if type(node.type).__name__ == "DictType" else []
    if rule == "items" and isinstance(value, list):
        item = _list_node(node.type).item_type
        return [built for built in (_try(item, element) for element in value) if built is not _FAILED]
    return _build(node.type, value)


_FAILED = object()


def _try(node: Any, value: Any) -> Any:
    try:
        return _build(node, value)
    except Invalid:
        return _FAILED


def _list_node(node: Any) -> Any:
    if type(node).__name__ == "UnionType":
        return next(part for part in node.types if type(part).__name__ == "ListType")
    return node


def _struct(node: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        _refuse(node, value)
    given: dict[str, Any] = {}
    for item in node.fields:
        if item.encode_name not in value:
            if item.required:
                raise Invalid(f"{item.encode_name} is missing")
            continue
        built = _field(item, value[item.encode_name])
        if built is not _FAILED:
            given[item.name] = built
    try:
        return node.cls(**given)
    except ValueError as error:
        raise Invalid(str(error)) from error


def _field(item: Any, value: Any) -> Any:
    """Build one field; a failed `Soft` one is absent, or empty where the object needs it."""
    try:
        return _build(item.type, value)
    except Invalid as error:
        rule = (item.type.extra or {}).get("rule") if type(item.type).__name__ == "Metadata" else None
        if rule not in ("error", "items"):
            raise Invalid(f"{item.encode_name}: {error}") from error
        return [] if item.required else _FAILED


def _union(node: Any, value: Any) -> Any:
    if isinstance(value, dict):
        structs = [part for part in node.types if type(part).__name__ == "StructType"]
        if structs and structs[0].tag_field is not None:
            return _tagged(structs, node, value)
    for part in node.types:
        built = _try(part, value)
        if built is not _FAILED:
            return built
    raise Invalid(f"expected {' or '.join(map(_kind, node.types))}, got {_json_name(value)}")


def _tagged(structs: list[Any], node: Any, value: dict[str, Any]) -> Any:
    tag = value.get(structs[0].tag_field)
    for part in structs:
        if part.tag == tag:
            return _struct(part, value)
    for part in structs:
        if issubclass(part.cls, UnknownObject) and isinstance(tag, str):
            return part.cls(tag, value)
    raise Invalid(f"{structs[0].tag_field} {tag!r} is unknown")


def _list(node: Any, value: Any) -> Any:
    if not isinstance(value, list):
        _refuse(node, value)
    return [_build(node.item_type, element) for element in value]


def _dict(node: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        _refuse(node, value)
    return {key: _build(node.value_type, element) for key, element in value.items()}


def _int(node: Any, value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or (node.ge is not None and value < node.ge):
        _refuse(node, value)
    return value


def _float(node: Any, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        _refuse(node, value)
    return float(value)


def _literal(node: Any, value: Any) -> Any:
    if not isinstance(value, str) or value not in node.values:
        raise Invalid(f"{value!r} is not one of {', '.join(map(str, node.values))}")
    return value


def _plain(type_: Any) -> Callable[[Any, Any], Any]:
    return lambda node, value: value if isinstance(value, type_) else _refuse(node, value)


_BUILDERS: dict[str, Callable[[Any, Any], Any]] = {
    "Metadata": _metadata,
    "StructType": _struct,
    "UnionType": _union,
    "ListType": _list,
    "DictType": _dict,
    "IntType": _int,
    "FloatType": _float,
    "LiteralType": _literal,
    "StrType": _plain(str),
    "BoolType": _plain(bool),
    "NoneType": _plain(type(None)),
    "AnyType": lambda node, value: value,
}


def _json_name(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


__all__ = [
    "UNSET",
    "Empty",
    "Invalid",
    "Marker",
    "NullList",
    "NullMap",
    "Object",
    "RequestId",
    "Soft",
    "SoftList",
    "SoftListOrNone",
    "Uint",
    "UnknownObject",
    "UnsetType",
    "convert",
    "decode",
    "decoder",
    "encode",
]
