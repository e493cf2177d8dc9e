"""Words of files that list them: dictionaries and thesauruses (`:help 'dictionary'`, `:help 'thesaurus'`)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator

from tpy.modal.engine.keywords import Keywords, begun


def listed_words(
    names: str, keywords: Keywords, typed: str, fits: Callable[[str], bool], *, whole_lines: bool
) -> Iterable[str]:
    """Yield the words that begin with what was typed in the files `names` (with commas between them); with
    `whole_lines` the others of their lines too, which mean the same. A file that cannot be read has none."""
    for text in _lines(names):
        if typed and typed.lower() not in text.lower():
            continue
        for word in begun(keywords.words(text), fits, typed):
            yield word.text
            if whole_lines:
                yield from (other.text for other in keywords.words(text) if other.text != word.text)


def _lines(names: str) -> Iterator[str]:
    for name in re.split(r"(?<!\\),\s*", names):
        try:
            with open(os.path.expanduser(name), encoding="utf-8", errors="replace") as lines:
                yield from (line.rstrip("\n") for line in lines)
        except OSError:
            continue
