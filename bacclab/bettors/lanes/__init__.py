"""Many sessions abreast, a lane each: vectorised bettors, and written-for-one systems put into lanes."""
