"""Which side: the built-in selections, by what they look at."""
