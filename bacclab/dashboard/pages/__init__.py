"""Pages that open anywhere: one HTML file each, without a network."""
