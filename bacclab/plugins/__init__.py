"""Plugins: the hooks, what may be registered through them, and the loader that finds and checks what others add."""
