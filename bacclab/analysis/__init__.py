"""What the frames of a run say: summaries, curves, comparisons."""
