"""Playing: a block of rounds, every bettor on the same rounds, three ways with one settlement."""

from __future__ import annotations

from bacclab.tournament.play.block import CellPlay, Failed, Played, play_block, prepare_cell

__all__ = ["CellPlay", "Failed", "Played", "play_block", "prepare_cell"]
