"""Consumers of updates that transform no logits."""


class Names:
    def __init__(self):
        self.by_slot = {}

    def on_batch(self, update):
        if update is None:
            return
        for index in update.removed:
            self.by_slot.pop(index, None)
        for index, params, prompt, _ in update.added:
            self.by_slot[index] = (params.temperature, list(prompt or ()))
        for a, b, how in update.moved:
            self._move(a, b, how)

    def _move(self, a, b, how):
        one, other = self.by_slot.pop(a, None), self.by_slot.pop(b, None)
        if one is not None:
            self.by_slot[b] = one
        if other is not None and how.name == "SWAP":
            self.by_slot[a] = other


class NamesLost(Names):
    """Faulty: a swap is read as a one-way move."""

    def _move(self, a, b, how):
        one = self.by_slot.pop(a, None)
        self.by_slot.pop(b, None)
        if one is not None:
            self.by_slot[b] = one


def state(names):
    return {slot: {"prompt": prompt} for slot, (_, prompt) in names.by_slot.items()}
