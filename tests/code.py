"""The code of the project as tests read it: a process parses each file once, however many tests look at it."""

import ast
from functools import cache


@cache
def nodes(path):
    """All nodes of the code of a file, the module first."""
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))
