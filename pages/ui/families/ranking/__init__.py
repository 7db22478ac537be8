"""Rankings learned from clicks: the stability and coactive labs, their pictures, inspector and scene."""
