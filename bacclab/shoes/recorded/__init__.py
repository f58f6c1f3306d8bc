"""Recorded rounds: files in many forms are read, checked, kept in one form and replayed."""
