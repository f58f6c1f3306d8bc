"""The same bet round after round, exactly: what it nets, ruin, goals, Kelly shares and streaks."""
