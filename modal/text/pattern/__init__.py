"""Vim patterns: reading, matching, searching and replacing, without an editor.

What outside callers use is named here; `nodes parse tokens collection` read a pattern, `cost translate
program machine places window` match it, `compiled search` find matches, `replacement` replaces.
"""

from __future__ import annotations

from tpy.modal.text.pattern.collection import CharOptions
from tpy.modal.text.pattern.compiled import Match, Pattern, compile_pattern
from tpy.modal.text.pattern.context import PatternContext, SearchStopped, VisualArea
from tpy.modal.text.pattern.nodes import PatternError
from tpy.modal.text.pattern.replacement import Replacement, parse_replacement
from tpy.modal.text.pattern.search import find_all, matches_to_replace, search, split_pattern

__all__ = [
    "CharOptions",
    "Match",
    "Pattern",
    "PatternContext",
    "PatternError",
    "Replacement",
    "SearchStopped",
    "VisualArea",
    "compile_pattern",
    "find_all",
    "matches_to_replace",
    "parse_replacement",
    "search",
    "split_pattern",
]
