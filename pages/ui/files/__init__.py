"""Choosing, uploading and downloading files."""
