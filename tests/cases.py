"""A test that asks the same of many cases in one go, where pytest takes longer for each than the case does."""

import inspect
from functools import wraps

import pytest


def cases(names, values):
    """Run a test for all cases, given as to `pytest.mark.parametrize` but without marks, and tell which of them fail.

    Cases share their fixtures, but for `monkeypatch` and for folders in `tmp_path`, of which each has its own.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    several = len(names) > 1
    every = [each if hasattr(each, "marks") else pytest.param(*(each if several else [each])) for each in values]
    assert every and not any(case.marks for case in every)

    def decorate(test):
        signature = inspect.signature(test)

        @wraps(test)
        def run(**fixtures):
            failed, skipped = [], []
            for number, case in enumerate(every):
                given = fixtures | dict(zip(names, case.values, strict=True))
                if "tmp_path" in fixtures:
                    given["tmp_path"] = fixtures["tmp_path"] / str(number)
                    given["tmp_path"].mkdir()
                try:
                    with pytest.MonkeyPatch.context() as patch:
                        test(**given | ({"monkeypatch": patch} if "monkeypatch" in fixtures else {}))
                except pytest.skip.Exception as reason:
                    skipped.append(reason)
                except (Exception, BaseExceptionGroup, pytest.fail.Exception) as error:
                    told = case.id or ", ".join(f"{name} = {given[name]!r:.90}" for name in names)
                    error.add_note(f"in the case {told}")
                    failed.append((told, error))
            if len(failed) > 1:
                told = "; ".join(told for told, _ in failed)
                raise BaseExceptionGroup(f"{len(failed)} of {len(every)} cases: {told}", [error for _, error in failed])
            for _, error in failed:
                raise error
            if len(skipped) == len(every):
                raise skipped[0]

        others = [parameter for name, parameter in signature.parameters.items() if name not in names]
        run.__signature__ = signature.replace(parameters=others)
        return run

    return decorate
