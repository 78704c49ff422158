"""What a recording can suffer by hand: each damage takes a line's object and the slots before it, or refuses it."""

from __future__ import annotations

from copy import deepcopy


def finished(update, size):
    """Slots of the old batch whose requests have left."""
    moved = [to for _, to, how in update["moved"] if how != "SWAP"]
    return {*update["removed"], *(entry[0] for entry in update["added"] if entry[0] < size), *moved}


def index_shifted_after_removals(line, before):
    update = line["update"]
    removed = sorted(update["removed"]) if update else []
    if len(removed) < 2:
        return False
    update["removed"] = [*removed[:-1], removed[-1] - 1]
    return True


def add_shifted_after_removals(line, before):
    update = line["update"]
    if (
        not update
        or not update["added"]
        or len(finished(update, len(before))) < 2
        or update["added"][-1][0] < 2
    ):
        return False
    update["added"][-1][0] -= 1
    return True


def move_from_an_empty_slot(line, before):
    one_way = [move for move in (line["update"] or {"moved": []})["moved"] if move[2] != "SWAP"]
    if not one_way:
        return False
    line["update"]["moved"].insert(len(one_way), list(one_way[-1]))
    return True


def swap_with_an_empty_slot(line, before):
    if not line["update"]:
        return False
    line["update"]["moved"].append([0, line["update"]["batch_size"], "SWAP"])
    return True


def lost_newcomer(line, before):
    if not line["update"] or not line["update"]["added"]:
        return False
    line["update"]["added"].pop()
    return True


def lost_resident(line, before):
    update = line["update"]
    staying = sorted({*range(len(before))} - finished(update, len(before))) if update else []
    if not staying:
        return False
    update["removed"].append(staying[-1])
    return True


def one_too_few(line, before):
    if not line["update"]:
        return False
    line["update"]["batch_size"] -= 1
    return True


def doubled(line, before):
    update = line["update"]
    staying = sorted({*range(len(before))} - finished(update, len(before))) if update else []
    if not staying or not update["added"]:
        return False
    update["added"][-1][5] = before[staying[0]]
    return True


def update_where_there_was_none(line, before):
    if line["update"] is not None:
        return False
    line["update"] = {"batch_size": len(before), "removed": [], "added": [], "moved": []}
    return True


def swap_where_there_was_none(line, before):
    if line["update"] is not None or len(before) < 2:
        return False
    line["update"] = {"batch_size": len(before), "removed": [], "added": [], "moved": [[0, 1, "SWAP"]]}
    return True


def none_where_there_was_an_update(line, before):
    if not line["update"] or not (line["update"]["added"] or line["update"]["removed"]):
        return False
    line["update"] = None
    return True


def two_new_requests_swapped(line, before):
    added = (line["update"] or {"added": []})["added"]
    if len(added) < 2:
        return False
    added[0][1], added[1][1] = added[1][1], added[0][1]
    return True


def two_adds_in_the_wrong_order(line, before):
    added = (line["update"] or {"added": []})["added"]
    if len(added) < 2 or added[1][0] >= len(before):
        return False
    added[0], added[1] = added[1], added[0]
    return True


def two_residents_swapped(line, before):
    if not line["update"] or line["update"]["batch_size"] < 2:
        return False
    line["update"]["moved"].append([0, line["update"]["batch_size"] - 1, "SWAP"])
    return line["place"] != 0


def condense_upside_down(line, before):
    one_way = [move for move in (line["update"] or {"moved": []})["moved"] if move[2] != "SWAP"]
    if not one_way:
        return False
    one_way[0][0], one_way[0][1] = one_way[0][1], one_way[0][0]
    return True


DAMAGES = {
    index_shifted_after_removals: {"C1"},
    add_shifted_after_removals: {"C1"},
    move_from_an_empty_slot: {"A3"},
    swap_with_an_empty_slot: {"A4"},
    lost_newcomer: {"B8"},
    lost_resident: {"B8"},
    one_too_few: {"B8"},
    doubled: {"B8"},
    update_where_there_was_none: {"B7"},
    swap_where_there_was_none: {"B7"},
    none_where_there_was_an_update: {"B7"},
    two_new_requests_swapped: {"C2"},
    two_adds_in_the_wrong_order: {"B1"},
    two_residents_swapped: {"C2"},
    condense_upside_down: {"A3", "A4", "B9"},
}
"""The laws, one of which must be named first."""


def damaged(lines, slots, damage):
    """Every way to do this damage to one line: the number of the line, and the recording. slots: before each line."""
    for number in range(1, len(lines)):
        line = deepcopy(lines[number])
        if damage(line, slots[number - 1]) and line != lines[number]:
            yield number, [*lines[:number], line, *lines[number + 1 :]]
