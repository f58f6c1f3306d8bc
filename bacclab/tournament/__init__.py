"""Running an experiment: config, plan, play, store, reduce."""
