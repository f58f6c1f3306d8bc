"""The game of mini-baccarat: drawing rules, round codes, bets, tables, settlement and limits."""
