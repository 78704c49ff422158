"""The executable reference: the batch as a list of request slots, the engine's rules, the consumer's replay.

Standard library only. `step` takes one engine step, `replay` reads an update as a processor must, `draw_step` draws
both; `rows` holds one reference function per feature.
"""

from .picture import draw_slots, draw_step
from .replay import C1_ORDER, Phase, replay
from .step import Outcome, Update, step

__all__ = ["C1_ORDER", "Outcome", "Phase", "Update", "draw_slots", "draw_step", "replay", "step"]
