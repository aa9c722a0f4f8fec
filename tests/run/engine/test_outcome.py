"""What becomes of a batch travels as a value."""

import pickle

import pytest

from kilter.core.errors import InputError, KilterWarning
from kilter.run.engine.engine import attempt
from tests.run.engine.tasks import batches, doubled, refused


def test_a_result_an_error_and_warnings_travel() -> None:
    good, _, _, bad = (
        pickle.loads(pickle.dumps(attempt(refused, batch)))  # noqa: S301 - our own bytes
        for batch in batches(4)
    )
    assert good.told() == doubled(batches(1)[0])
    with pytest.warns(KilterWarning, match="three comes"), pytest.raises(InputError, match="three"):
        bad.told()


def test_any_other_exception_is_told_with_its_traceback() -> None:
    found = attempt(lambda batch: batch.data.nothing, batches(1)[0])
    assert found.error is None
    with pytest.raises(RuntimeError, match=r"a worker failed:\n(.|\n)*AttributeError: 'int'"):
        found.told()
