"""Run folders: files put in place whole, the manifest, and what is told of damage."""
