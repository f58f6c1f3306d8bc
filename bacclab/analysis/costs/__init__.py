"""What play costs: flat play by the hour, comps, bonuses, rebates, and the last round of a tournament."""
