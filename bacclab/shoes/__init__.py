"""Where rounds come from: the dealer, scripts, and what a source of rounds is."""
