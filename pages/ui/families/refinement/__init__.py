"""Boosting with relevance feedback: the lab, its pictures, its inspector, and the questions to a person."""
