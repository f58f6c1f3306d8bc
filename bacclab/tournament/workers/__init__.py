"""Where blocks are played: worker processes here, or a cluster."""
