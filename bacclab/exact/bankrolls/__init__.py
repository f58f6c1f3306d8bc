"""The exact distribution of a bettor's bankroll, round by round, from its table of states."""
