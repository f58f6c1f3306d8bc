"""Experiment files: read, checked, and told where in them a mistake is."""
