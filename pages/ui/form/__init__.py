"""The settings of a page, declared once as a function of a `Form`, and the three ways to answer it.

A function such as `ask(form)` asks for one setting after another and returns what they describe. `Form` answers from a
link and draws nothing, `Settings` draws widgets, `Controls` draws a few of them and answers the rest from a link.
"""
