"""The code of the project as tests read it: a process parses each file once, however many tests look at it."""

import ast
import gc
from functools import cache


@cache
def nodes(path):
    """All nodes of the code of a file but contexts (`ast.Load`), the module first.

    The garbage collector would look at all nodes again and again, which takes thrice as long as parsing.
    """
    collects = gc.isenabled()
    gc.disable()
    found = [ast.parse(path.read_text("utf-8"))]
    for node in found:  # grows
        for name, part in ast.iter_fields(node):
            if name != "ctx":
                found += [child for child in (part if isinstance(part, list) else [part]) if isinstance(child, ast.AST)]
    if collects:
        gc.enable()
    return found
