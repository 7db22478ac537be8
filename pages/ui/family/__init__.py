"""The pictures of the labs, family by family."""
