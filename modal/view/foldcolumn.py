"""The column at the left of a window that shows its folds (`:help 'foldcolumn'`)."""

from __future__ import annotations

from tpy.modal.view.folds import Folds


def fold_column(folds: Folds | None, line: int, width: int) -> str:
    """Return what the column says of a line in `width` cells: where folds begin (`-`), go on (`|`), are closed (`+`).

    Where there is no room for all levels, the number of the first that is shown stands for those before it.
    """
    over, closed = [], False
    for fold, shut, _ in folds.path(line) if folds is not None and folds.option("foldenable") else ():
        over.append(fold)
        closed = shut
        if shut:
            break
    level = len(over)
    if not level:
        return " " * width
    begins = over[-1].first
    lowest = next(number for number, fold in enumerate(over, 1) if fold.first == begins)
    # The last cell stays empty where there are several.
    room = max(width - 1, 1)
    first = max(level - room - closed + 1, 1)
    cells = []
    for number in range(first, min(first + room, level + 1)):
        if begins == line and number >= lowest:
            cells.append("-")
        elif first == 1:
            cells.append("|")
        else:
            cells.append(str(number) if number <= 9 else ">")
    if closed:
        # In the place of the innermost level, or behind those before it.
        inside = first + len(cells) - 1 == level
        at = len(cells) - 1 if inside or len(cells) == width else len(cells)
        cells[at:] = ["+"]
    return "".join(cells).ljust(width)
