"""Boosting with few labels: the lab, its pictures and inspector."""
