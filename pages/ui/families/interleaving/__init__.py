"""Rankings compared by interleaving: the lab, its pictures, inspector and scene."""
