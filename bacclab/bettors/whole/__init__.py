"""Built-in bettors that are no selection times progression: they choose the side and the stake together."""
