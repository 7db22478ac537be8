"""Boosting of rankings: the lab, its pictures and inspector."""
