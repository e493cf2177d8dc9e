"""Text objects (`:help text-objects`), one module for each kind; importing it registers them all."""

from __future__ import annotations

from tpy.modal.engine.textobjects import blocks, paragraphs, quotes, sentences, tags, words

__all__ = ["blocks", "paragraphs", "quotes", "sentences", "tags", "words"]
