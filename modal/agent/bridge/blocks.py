"""A prompt as content blocks: texts, embedded files, links, in the order they were typed (PROTOCOL §12)."""

from __future__ import annotations

import base64
import mimetypes
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tpy.acp import schema
from tpy.modal.agent.mentions import DIRECTORY, FILE, Piece, pieces

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents

MOST_IMAGE = 8 * 1024 * 1024


def build(agents: Agents, notes: str, text: str, capabilities: schema.PromptCapabilities) -> list[Any]:
    """Return the content blocks of a prompt, `notes` first; files are read now."""
    blocks: list[Any] = [schema.TextContent(notes)] if notes else []
    for piece in pieces(text, agents.project):
        if piece.kind == "text":
            blocks.append(schema.TextContent(piece.text))
        elif piece.kind in (FILE, DIRECTORY):
            path = os.path.normpath(os.path.join(agents.project, piece.text))
            blocks.append(_file(agents, path, piece, capabilities))
        else:
            blocks.append(_named(agents, piece.text, capabilities))
    return blocks


def file_uri(path: str) -> str:
    """Return the `file://` URI of an absolute path."""
    return "file://" + quote(path, errors="surrogateescape")


def _file(agents: Agents, path: str, piece: Piece, capabilities: schema.PromptCapabilities) -> Any:
    mime = mimetypes.guess_type(path)[0] or ("inode/directory" if piece.kind == DIRECTORY else "text/plain")
    uri = file_uri(path)
    if mime.startswith("image/") and mime != "image/svg+xml":
        data = _image(path) if capabilities.image else None
        if data is not None:
            return schema.ImageContent(data, mime, uri=uri)
    elif piece.kind == FILE and capabilities.embedded_context:
        content = agents.files.text_for_prompt(path)
        if content is not None:
            return schema.EmbeddedResource(schema.ResourceContents(uri, text=content, mime_type=mime))
    return schema.ResourceLink(piece.text, uri, mime_type=mime)


def _image(path: str) -> str | None:
    try:
        if os.path.getsize(path) > MOST_IMAGE:
            return None
        with open(path, "rb") as file:
            return base64.b64encode(file.read()).decode("ascii")
    except OSError:
        return None


def _named(agents: Agents, name: str, capabilities: schema.PromptCapabilities) -> Any:
    """Return the block of `@:sel`, `@:buf`, `@:qf`, `@:diff`: embedded, or plain text where that is not taken."""
    uri, mime, content = agents.named_text(name)
    if capabilities.embedded_context:
        return schema.EmbeddedResource(schema.ResourceContents(uri, text=content, mime_type=mime))
    return schema.TextContent(content)
