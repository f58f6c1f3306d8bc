"""Counting cards: running counts, exact odds on the cards that are left, and both as selections."""
