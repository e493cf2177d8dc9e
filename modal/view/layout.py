"""The split tree of one tab page: rectangles for windows, without any drawing.

A tree is a leaf (a window) or a row or column of trees. Between columns stands one cell of separator; under each
window one row of status line, which the rectangle of the window does not include.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tpy.modal.view.window import Window

ROW, COLUMN = "row", "column"


class Rect(NamedTuple):
    """A rectangle of cells, from 0; `height` counts rows of text, without the status line."""

    top: int
    left: int
    height: int
    width: int


class Node:
    """A leaf with a `window`, or an inner node whose `children` lie beside (`ROW`) or above (`COLUMN`) each other.

    `size` is the share of the parent's width or height, in cells, status line and separator not counted apart.
    """

    __slots__ = ("children", "kind", "parent", "size", "window")

    def __init__(self, window: Window | None = None, kind: str = "") -> None:
        self.window = window
        self.kind = kind
        self.children: list[Node] = []
        self.parent: Node | None = None
        self.size = 0


class Layout:
    """All windows of one tab page. `height` is without command and tab line; `status` tells whether the last
    window has a status line even when it is alone."""

    def __init__(self, window: Window) -> None:
        self.root = Node(window)
        self.current = window
        self.previous: Window | None = None
        self.rects: dict[Window, Rect] = {}
        self.height, self.width = 23, 80
        # Rows below all windows that are left to the command line, as where Vim makes 'cmdheight' larger.
        self.spare = 0
        self.status_always = False
        # What a room keeps about this tab page, by the room's name.
        self.extra: dict[str, Any] = {}

    def windows(self) -> list[Window]:
        """Return all windows, top left first."""
        return [node.window for node in self._leaves(self.root) if node.window is not None]

    def _leaves(self, node: Node) -> Iterator[Node]:
        if node.window is not None:
            yield node
        for child in node.children:
            yield from self._leaves(child)

    def leaf(self, window: Window) -> Node:
        """Return the leaf of a window. Raises `KeyError` when it is not here."""
        for node in self._leaves(self.root):
            if node.window is window:
                return node
        raise KeyError("no such window in this tab page")

    def focus(self, window: Window) -> None:
        """Make a window the current one."""
        if window is not self.current:
            self.previous, self.current = self.current, window
            if window in self.rects and not self.rects[window].height:
                self.arrange()

    def split(self, window: Window, new: Window, kind: str, *, after: bool, size: int | None = None) -> None:
        """Put `new` beside (`ROW`) or above or below (`COLUMN`) `window`, with half the room or `size` cells of it."""
        leaf = self.leaf(window)
        parent = leaf.parent
        if parent is None or parent.kind != kind:
            inner = Node(kind=kind)
            inner.size, inner.parent = leaf.size, parent
            if parent is None:
                self.root = inner
            else:
                parent.children[parent.children.index(leaf)] = inner
            leaf.parent = inner
            inner.children = [leaf]
            leaf.size = self.extent(inner, kind)
            if size is not None:
                leaf.size = self._given(leaf.size, kind)
            parent = inner
        node = Node(new)
        node.parent = parent
        # Sizes count the status line or separator.
        text = size if size is not None else (leaf.size - 1) // 2
        if kind == COLUMN and self._fixed(leaf):
            self.resize(window, COLUMN, leaf.size + text)
        room = leaf.size
        node.size = min(max(text + 1, 2), max(room - 2, 1))
        leaf.size = max(room - node.size, 1)
        parent.children.insert(parent.children.index(leaf) + (1 if after else 0), node)
        self.arrange()

    def split_whole(self, new: Window, kind: str, *, after: bool, size: int | None = None) -> None:
        """Put `new` beside (`ROW`) or above or below (`COLUMN`) all windows, as wide or high as all of them."""
        old = self.root
        extent = self.extent(old, kind)
        if size is not None:
            extent = self._given(extent, kind)
        root = old
        if old.kind != kind:
            root = Node(kind=kind)
            root.children, old.parent, old.size = [old], root, extent
            self.root = root
        node = Node(new)
        node.parent = root
        if size is None:
            node.size = max(extent // (len(root.children) + 1), 1)
        else:
            # The room comes from the nearest; each keeps a row and its status line.
            left = node.size = min(max(size + 1, 2), max(extent - 2 * len(root.children), 1))
            givers = root.children[::-1] if after else root.children[:]
            if kind == COLUMN:
                givers.sort(key=self._fixed)
            for child in givers:
                taken = min(left, max(child.size - 2, 0))
                child.size, left = child.size - taken, left - taken
        root.children.insert(len(root.children) if after else 0, node)
        self.arrange()

    def extent(self, node: Node, kind: str) -> int:
        """Return how many cells a node has along `kind`, its last status line or separator included."""
        rects = [self.rects[leaf.window] for leaf in self._leaves(node) if leaf.window in self.rects]
        if not rects:
            return self.width + 1 if kind == ROW else self.height + 1
        if kind == ROW:
            return max(r.left + r.width for r in rects) - min(r.left for r in rects) + 1
        return max(r.top + r.height for r in rects) - min(r.top for r in rects) + 1

    def _given(self, extent: int, kind: str) -> int:
        """Return an extent without the row that a lone window gives up for a status line when it is split."""
        return min(extent, self.height - self.spare) if kind == COLUMN else extent

    def close(self, window: Window, *, to_previous: bool = False) -> bool:
        """Take a window away; `False` when it is the last one. Room and cursor go to the next window of its row or
        column, the one before where there is none or `to_previous`; not to one of fixed height if another is there."""
        leaf = self.leaf(window)
        parent = leaf.parent
        if parent is None:
            return False
        index = parent.children.index(leaf)
        parent.children.remove(leaf)
        before, behind = parent.children[:index][::-1], parent.children[index:]
        near, far = [*before[:1], *behind[:1]], [*behind[1:], *before[1:]]
        heirs = [*(near if to_previous else near[::-1]), *far]
        heir = next((node for node in heirs if parent.kind == ROW or not self._fixed(node)), heirs[0])
        heir.size += leaf.size
        if len(parent.children) == 1:
            only, grand = parent.children[0], parent.parent
            only.parent, only.size = grand, parent.size
            if grand is None:
                self.root = only
            else:
                at = grand.children.index(parent)
                if only.kind and only.kind == grand.kind:
                    grand.children[at : at + 1] = only.children
                    for child in only.children:
                        child.parent = grand
                else:
                    grand.children[at] = only
        self.rects.pop(window, None)
        if self.previous is window:
            self.previous = None
        if self.current is window:
            self.current, self.previous = next(n.window for n in self._leaves(heir) if n.window is not None), None
        self.arrange()
        return True

    def arrange(self, height: int | None = None, width: int | None = None) -> None:
        """Give every window its rectangle within `height` rows (status lines included) and `width` columns."""
        if height is not None and width is not None:
            self.height, self.width = max(height, 1), max(width, 1)
        self.rects.clear()
        alone = self.root.window is not None
        # Each window's share counts its status line; a lone window without one gets the row back.
        extra = 1 if alone and not self.status_always else 0
        self.spare = min(self.spare, self.height - 1)
        room = self.height - self.spare + extra
        self._place(self.root, 0, 0, room, self.width + 1)
        if self.current in self.rects and not self.rects[self.current].height and self._make_room():
            self.rects.clear()
            self._place(self.root, 0, 0, room, self.width + 1)
        for window, rect in self.rects.items():
            if rect.height != window.height and window.resized_from is None:
                window.resized_from = window.height
            window.height, window.width = rect.height, rect.width

    def _make_room(self) -> bool:
        """Have a window above or below give a row to the current one, which has none; `False` where none can."""
        node = self.leaf(self.current)
        while node.parent is not None:
            if node.parent.kind == COLUMN:
                giver = max((other for other in node.parent.children if other is not node), key=lambda n: n.size)
                if giver.size > 1:
                    giver.size, node.size = giver.size - 1, node.size + 1
                    return True
            node = node.parent
        return False

    def has_room(self, window: Window) -> bool:
        """Whether all windows above and below each other can keep a row of text when `window` is split."""
        node, count = self.leaf(window), 2
        while node.parent is not None:
            if node.parent.kind == COLUMN:
                count += sum(self._weigh(other, COLUMN) for other in node.parent.children if other is not node)
            node = node.parent
        return 2 * count <= self.height - self.spare

    def _place(self, node: Node, top: int, left: int, height: int, width: int) -> None:
        if node.window is not None:
            self.rects[node.window] = Rect(top, left, max(height - 1, 0), max(width - 1, 0))
            return
        sizes = self._sizes(node, width if node.kind == ROW else height)
        at = 0
        for child, size in zip(node.children, sizes, strict=True):
            child.size = size
            if node.kind == ROW:
                self._place(child, top, left + at, height, size)
            else:
                self._place(child, top + at, left, size, width)
            at += size

    def _fixed(self, node: Node) -> bool:
        """Whether a node is to keep its height: a window with 'winfixheight', a row with one, a column of such."""
        if node.window is not None:
            return bool(node.window.options.get("winfixheight"))
        return (any if node.kind == ROW else all)(self._fixed(child) for child in node.children)

    def _sizes(self, node: Node, total: int) -> list[int]:
        """Return the sizes of a node's children for a total that may have changed; fixed heights stay if they can."""
        sizes = [child.size for child in node.children]
        kept = [node.kind == COLUMN and self._fixed(child) for child in node.children]
        room = total - sum(size for size, keep in zip(sizes, kept, strict=True) if keep)
        if all(kept) or not any(kept) or room < 2 * kept.count(False):
            return _shares(sizes, total)
        rest = iter(_shares([size for size, keep in zip(sizes, kept, strict=True) if not keep], room))
        return [size if keep else next(rest) for size, keep in zip(sizes, kept, strict=True)]

    def equalize(self, kind: str = "", *, whole: bool = True) -> None:
        """Give all windows equal room (`:help CTRL-W_=`), only in width (`ROW`) or height (`COLUMN`) where `kind` says
        so; what is left over goes first to the current one. Not `whole` leaves alone what lies beside (`COLUMN`) or
        above and below (`ROW`) the part with the current window."""
        for along in (ROW, COLUMN):
            node = self.root
            if kind not in ("", along):
                continue
            if not whole and node.kind and node.kind != along:
                node = next(n for n in node.children if any(leaf.window is self.current for leaf in self._leaves(n)))
            alone = self.root.window is not None
            self._share(node, along, self.width + 1 if along == ROW else self.height + (1 if alone else 0))
        self.arrange()

    def _weigh(self, node: Node, kind: str) -> int:
        """Return how many windows lie beside or above each other in a node, at most."""
        if node.window is not None:
            return 1
        weights = [self._weigh(child, kind) for child in node.children]
        return sum(weights) if node.kind == kind else max(weights)

    def _share(self, node: Node, kind: str, size: int) -> None:
        """Divide the cells that a node has along `kind`, status lines or separators included, as Vim does."""
        if node.kind != kind:
            for child in node.children:
                self._share(child, kind, size)
            return
        nodes = [child for child in node.children if kind == ROW or not self._fixed(child)] or node.children
        size -= sum(child.size for child in node.children if child not in nodes)
        weights = [self._weigh(child, kind) for child in nodes]
        windows = sum(weights)
        room = size - windows
        own = [any(leaf.window is self.current for leaf in self._leaves(child)) for child in nodes]
        first = 0
        if any(own):
            first = (room + windows // 2) // windows
            windows -= 1
        room -= first + windows
        for child, weight, current in zip(nodes, weights, own, strict=True):
            others = weight - current
            part = (others * room + windows // 2) // windows if others else 0
            room, windows = room - part, windows - others
            child.size = max(part + others + (first if current else 0) + weight, 1)
            self._share(child, kind, child.size)

    def resize(self, window: Window, kind: str, size: int) -> None:
        """Make the window `size` cells wide (`ROW`) or high (`COLUMN`), at its neighbours' cost."""
        node = self.leaf(window)
        while node.parent is not None and node.parent.kind != kind:
            node = node.parent
        if node.parent is None:
            if kind == COLUMN:
                alone = self.root.window is not None and not self.status_always
                self.spare = max(self.height - size - (0 if alone else 1), 0)
                self.arrange()
            return
        siblings = node.parent.children
        room = sum(child.size for child in siblings)
        wanted = min(max(size + 1, 2), room - 2 * (len(siblings) - 1))
        change = wanted - node.size
        node.size = wanted
        index = siblings.index(node)
        others = [*siblings[index + 1 :], *reversed(siblings[:index])]
        if kind == COLUMN:
            others.sort(key=self._fixed)  # those of fixed height come last
        for other in others:
            taken = min(change, other.size - 2) if change > 0 else change
            other.size -= taken
            change -= taken
            if not change:
                break
        self.arrange()

    def rotate(self, window: Window, *, down: bool) -> bool:
        """Let each window of a row or column take the next one's place, or that of the one before (not `down`).

        `False`, and nothing is done, where another place of it is split.
        """
        parent = self.leaf(window).parent
        if parent is None:
            return True
        if any(child.window is None for child in parent.children):
            return False
        nodes = parent.children
        parent.children = [nodes[-1], *nodes[:-1]] if down else [*nodes[1:], nodes[0]]
        self.arrange()
        return True

    def exchange(self, window: Window, number: int | None) -> Window | None:
        """Exchange a window with the next one of its row or column, the one before if it is the last, or with number
        `number` of it; return that one, `None` where it is split or not there."""
        leaf = self.leaf(window)
        if leaf.parent is None:
            return None
        siblings = leaf.parent.children
        at = siblings.index(leaf)
        other = siblings[min(number, len(siblings)) - 1] if number is not None else None
        if other is None:
            other = siblings[at + 1 if at + 1 < len(siblings) else at - 1]
        if other.window is None or other is leaf:
            return None
        leaf.window, other.window = other.window, leaf.window
        self.arrange()
        return leaf.window

    def move_to_edge(self, window: Window, kind: str, *, after: bool, size: int | None = None) -> None:
        """Move a window to an edge of the tab page, as high (`ROW`) or wide (`COLUMN`) as that."""
        previous = self.previous
        self.close(window)
        self.split_whole(window, kind, after=after, size=size)
        self.current, self.previous = window, previous if previous is not window else self.previous

    def neighbour(self, window: Window, direction: str, count: int = 1) -> Window | None:
        """Return the window `count` steps to the left, right, up or down ("h", "l", "k", "j") of the cursor's place."""
        for _ in range(count):
            found = self._beside(window, direction)
            if found is None:
                return window if window is not self.current else None
            window = found
        return window

    def _beside(self, window: Window, direction: str) -> Window | None:
        own = self.rects[window]
        row = own.top + min(max(window.cursor.line - window.top, 0), max(own.height - 1, 0))
        for other, rect in self.rects.items():
            level = rect.top <= row <= rect.top + rect.height
            if direction == "l" and rect.left == own.left + own.width + 1 and level:
                return other
            if direction == "h" and rect.left + rect.width + 1 == own.left and level:
                return other
            within = rect.left <= own.left <= rect.left + rect.width
            if direction == "j" and rect.top == own.top + own.height + 1 and within:
                return other
            if direction == "k" and rect.top + rect.height + 1 == own.top and within:
                return other
        return None


def _shares(sizes: list[int], total: int) -> list[int]:
    """Return the sizes scaled to add up to `total`, each at least 1 as long as that is possible."""
    known = sum(sizes)
    if known == total and all(size > 0 for size in sizes):
        return sizes
    weights = sizes if known > 0 else [1] * len(sizes)
    scaled = [max(total * weight // max(sum(weights), 1), 1) for weight in weights]
    scaled[-1] += total - sum(scaled)
    index = len(scaled) - 1
    while scaled[-1] < 1 and index > 0:
        index -= 1
        taken = min(scaled[index] - 1, 1 - scaled[-1])
        scaled[index] -= taken
        scaled[-1] += taken
    return scaled
