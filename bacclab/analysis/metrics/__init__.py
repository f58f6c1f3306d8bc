"""Figures of the summary as metrics: their definitions, and how they are worked out from the sessions of a run."""
