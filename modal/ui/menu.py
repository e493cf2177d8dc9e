"""The rows of a menu: completion of the command line, lists of agents. Where it lies is `render.py`'s matter."""

from __future__ import annotations

from tpy.modal.ui.rows import Strip, cut, padded, safe
from tpy.modal.view.popup import Popup


def menu_strips(popup: Popup, columns: int) -> list[Strip]:
    """The rows of a menu: the part with the selected choice, a note below."""
    count = min(len(popup.items), popup.most)
    first = min(max(popup.selected - count // 2, 0), len(popup.items) - count)
    shown = popup.items[first : first + count]
    names = [safe(item.text) for item in shown]
    details = [safe(item.detail) for item in shown]
    wide = max(size for _, size in names)
    detail_wide = max(size for _, size in details)
    width = min(max(wide + (detail_wide + 2 if detail_wide else 0) + 2, len(popup.note) + 2), columns)
    strips = []
    for number, ((name, _), (detail, _)) in enumerate(zip(names, details, strict=True)):
        selected = first + number == popup.selected
        own = ("ui.menu.selected",) if selected else ("ui.menu",)
        head, size = cut(f" {name}", max(width - 1, 1))
        strip = padded(Strip(((head, own),), size), min(wide + 2, width), own)
        if detail and strip.cells < width:
            text, size = cut(f" {detail}", width - strip.cells)
            strip = Strip((*strip.pieces, (text, own if selected else ("ui.menu.detail",))), strip.cells + size)
        strips.append(padded(strip, width, own))
    if popup.note:
        text, size = cut(f" {popup.note}", width)
        strips.append(padded(Strip(((text, ("ui.menu.detail",)),), size), width, ("ui.menu.detail",)))
    return strips
