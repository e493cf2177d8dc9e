"""An agent's request for input as a plain `Form` (PROTOCOL §15)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from tpy.acp import schema
from tpy.acp.asks import ElicitationAsk
from tpy.modal.agent import forms
from tpy.modal.agent.lines import visible


def form_of(ask: ElicitationAsk) -> forms.Form:
    """Return what is asked."""
    asked = ask.form
    if asked.mode == "url":
        url = visible(asked.url or "")
        return forms.Form(asked.message, url=url, host=_host(url))
    wanted = asked.requested_schema or schema.ElicitationSchema()
    required = set(wanted.required or ())
    fields = tuple(_field(name, prop, name in required) for name, prop in wanted.properties.items())
    return forms.Form(asked.message, fields)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


def _field(name: str, prop: Any, required: bool) -> forms.Field:
    base: dict[str, Any] = {"name": name, "title": getattr(prop, "title", None) or name, "required": required}
    base["description"] = getattr(prop, "description", None) or ""
    default = getattr(prop, "default", None)
    if isinstance(prop, schema.StringProperty):
        choices = _choices(prop.enum, prop.one_of)
        return forms.Field(
            **base, kind=forms.CHOICE if choices else forms.TEXT, choices=choices, default=visible(default or ""),
            least=None if choices else prop.min_length, most=None if choices else prop.max_length,
            pattern=prop.pattern or "", format=prop.format or "",
        )  # fmt: skip
    if isinstance(prop, schema.NumberProperty | schema.IntegerProperty):
        kind = forms.NUMBER if isinstance(prop, schema.NumberProperty) else forms.INTEGER
        shown = "" if default is None else f"{default:g}" if isinstance(default, float) else str(default)
        return forms.Field(**base, kind=kind, default=shown, least=prop.minimum, most=prop.maximum)
    if isinstance(prop, schema.BooleanProperty):
        shown = "" if default is None else "yes" if default else "no"
        return forms.Field(**base, kind=forms.YES_NO, default=shown)
    if isinstance(prop, schema.ArrayProperty):
        return forms.Field(
            **base, kind=forms.CHOICES, choices=_choices(prop.items.enum, prop.items.any_of),
            default=", ".join(default or ()), least=prop.min_items, most=prop.max_items,
        )  # fmt: skip
    return forms.Field(**base, kind=forms.UNKNOWN)


def _choices(enum: list[str] | None, titled: list[schema.EnumOption] | None) -> tuple[tuple[str, str], ...]:
    if titled is not None:
        return tuple((option.const, option.title) for option in titled)
    return tuple((value, value) for value in enum or ())
