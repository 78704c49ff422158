"""The laws of the contract as data: each is stated here, once, and named everywhere else by its id."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Law:
    """One rule of the system. `id` is the contract's; `source` says where the rule was read."""

    id: str
    sentence: str
    source: str

    @property
    def section(self) -> str:
        """The letter of the contract's section."""
        return self.id[0]


SECTIONS = {
    "A": "What each operation does to the batch",
    "B": "How the engine builds an update",
    "C": "How an update reaches a processor",
    "D": "What a processor may do",
    "E": "How the sampler uses processors",
}

_OPERATIONS = "seed: BatchUpdate data structure"
_BUILDING = "seed: how the engine builds the BatchUpdate"
_STATE = "seed: updating processor state"
_MODEL = "seed: programming model"
_PRACTICE = "seed: best practices"
_SAMPLER = "seed: applying processors to logits"

LAWS: tuple[Law, ...] = (
    Law("A1", "Remove(i) empties slot i and discards its request and that request's state.", _OPERATIONS),
    Law(
        "A2",
        "Add(i) puts the request into slot i, discards an occupant, grows the batch by one just past the end; "
        "i is the index before any Move.",
        _OPERATIONS,
    ),
    Law(
        "A3",
        "A one-way Move(s, d) takes the request at s to d, empties s, and discards an occupant of d.",
        _OPERATIONS,
    ),
    Law("A4", "A Swap(s, d) exchanges the requests of two slots.", _OPERATIONS),
    Law("B1", "New requests fill finished slots in ascending slot order, one Add each.", _BUILDING),
    Law("B2", "New requests that find no finished slot extend the batch at consecutive indices.", _BUILDING),
    Law(
        "B3",
        "Finished slots that were not refilled are removed; each is greater than every refilled one.",
        _BUILDING,
    ),
    Law(
        "B4",
        "Condense moves the highest request into the lowest hole until the batch is contiguous.",
        _BUILDING,
    ),
    Law(
        "B5", "The empty slots at the end are cut off; batch_size is the number of live requests.", _BUILDING
    ),
    Law("B6", "Reordering is a sequence of swaps; contiguity survives it.", _BUILDING),
    Law("B7", "When nothing was added, removed or moved, the update is None.", _BUILDING),
    Law(
        "B8",
        "The requests after a step are those before, less the finished, plus the new; none lost, none twice.",
        "follows from the seed's construction",
    ),
    Law(
        "B9",
        "Condense moves a request at most once, only downwards, once per hole below the final size, and ends.",
        "follows from the seed's construction",
    ),
    Law("C1", "A processor handles removed, then added, then moved; moved in listed order.", _BUILDING),
    Law("C2", "Replaying an update on the old list of slots gives exactly the engine's new list.", _STATE),
    Law(
        "C3",
        "The order matters: other orders of the three phases, or of the moves, are wrong for some update.",
        "follows from C1 and the dialects of `removed`",
    ),
    Law("C4", "update_state is called once per step, before the forward pass, also with None.", _STATE),
    Law(
        "C5",
        "output_token_ids is a live reference; prompt_token_ids is one too, and may be None.",
        _OPERATIONS,
    ),
    Law("C6", "Information about a finished request is discarded.", _PRACTICE),
    Law("D1", "apply takes and returns (num_requests, vocab_size), in place or not.", _MODEL),
    Law("D2", "Rows of requests that do not use the processor come back bit-identical.", "seed: background"),
    Law("D3", "When no request uses the processor, apply returns the very tensor it was given.", _PRACTICE),
    Law(
        "D4",
        "A request's row depends on its own params, tokens and logits, never on its slot, neighbours or history.",
        "seed: background",
    ),
    Law(
        "D5",
        "is_argmax_invariant belongs to the instance, is read once, and if true no row's argmax changes.",
        _MODEL,
    ),
    Law(
        "D6",
        "validate_params raises ValueError for what cannot be honoured; a rejected request never enters.",
        _MODEL,
    ),
    Law("D7", "The constructor takes (config, device, is_pin_memory).", _MODEL),
    Law(
        "D8",
        "No row loses its last finite logit and no NaN appears, unless the row already was so.",
        "follows from sampling: a row without a finite logit has no distribution",
    ),
    Law("E1", "Processors that may change the argmax are applied first, to every batch.", _SAMPLER),
    Law(
        "E2",
        "If every request is greedy the argmax is taken there and argmax-invariant processors are skipped.",
        _SAMPLER,
    ),
    Law(
        "E3",
        "If any request is not greedy, argmax-invariant processors run on the whole batch before sampling; "
        "greedy rows still get their argmax.",
        _SAMPLER,
    ),
    Law("E4", "Skipping by E2 never changes a token.", _SAMPLER),
    Law(
        "E5",
        "Built-in processors are always loaded; custom ones come as a class, module:Class or an entry point.",
        "seed: built-in and custom processors",
    ),
)

LAW_BY_ID = {law.id: law for law in LAWS}
