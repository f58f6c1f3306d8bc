"""What a page and the app say of a run in plain words: the answer, the rules it was played by, what to beware of."""
