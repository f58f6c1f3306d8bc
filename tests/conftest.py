"""Settings for all tests: property tests have no deadline, since a first call may compile."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("bacclab", deadline=None)
settings.load_profile("bacclab")
