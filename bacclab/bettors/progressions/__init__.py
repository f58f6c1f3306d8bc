"""How much: the built-in progressions, by what their state is made of."""
