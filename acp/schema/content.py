"""Content blocks: what prompts, messages and tool output are made of (PROTOCOL §12)."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from tpy.acp.schema.base import Object, Soft, SoftList, SoftListOrNone, UnknownObject


class Annotations(Object, frozen=True, gc=False):
    """Hints on a block: for whom, how important, how old."""

    audience: SoftListOrNone[Literal["assistant", "user"]] = None
    last_modified: Soft[str | None] = None
    priority: Soft[float | None] = None


class TextContent(Object, frozen=True, tag="text", gc=False):
    """Plain or Markdown text."""

    text: str
    annotations: Soft[Annotations | None] = None


class ImageContent(Object, frozen=True, tag="image", gc=False):
    """A picture; `data` is base64."""

    data: str
    mime_type: str
    uri: Soft[str | None] = None
    annotations: Soft[Annotations | None] = None


class AudioContent(Object, frozen=True, tag="audio", gc=False):
    """A sound; `data` is base64."""

    data: str
    mime_type: str
    annotations: Soft[Annotations | None] = None


class ResourceLink(Object, frozen=True, tag="resource_link", gc=False):
    """A resource the receiver can fetch by itself."""

    name: str
    uri: str
    title: Soft[str | None] = None
    description: Soft[str | None] = None
    mime_type: Soft[str | None] = None
    size: Soft[int | None] = None
    annotations: Soft[Annotations | None] = None


class ResourceContents(Object, frozen=True, gc=False):
    """The content of an embedded resource: `text`, or `blob` in base64."""

    uri: str
    text: str | None = None
    blob: str | None = None
    mime_type: Soft[str | None] = None

    def __post_init__(self) -> None:
        if self.text is None and self.blob is None:
            raise ValueError("a resource needs text or blob")


class EmbeddedResource(Object, frozen=True, tag="resource", gc=False):
    """A resource with its content."""

    resource: ResourceContents
    annotations: Soft[Annotations | None] = None


class UnknownContent(UnknownObject, frozen=True, tag="?", gc=False):
    """A block of a type nobody knew; shown as a placeholder."""


ContentBlock: TypeAlias = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource | UnknownContent


class ContentList(Object, frozen=True, gc=False):
    """A list of blocks; those that cannot be read are left out."""

    content: SoftList[ContentBlock]


def text_of(block: Any) -> str | None:
    """Return the text of a text block, else None."""
    return block.text if isinstance(block, TextContent) else None
