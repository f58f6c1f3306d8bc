"""Exact mathematics: chances, edges and distributions without sampling."""
