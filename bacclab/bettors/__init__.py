"""Betting systems: the API that they are written against, and the built-in ones."""
