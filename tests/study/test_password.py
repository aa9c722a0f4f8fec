"""Passwords and tokens."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from kilter.study import password
from kilter.study.password import (
    derived_token,
    password_hash,
    password_matches,
    token_hash,
)
from tests.thorough import tried


def test_passwords_and_tokens_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = password_hash("correct horse battery")
    assert password_matches("correct horse battery", stored)
    monkeypatch.setattr(password, "_COST", tried(password._COST, quick=2))
    stored = password_hash("correct horse battery")
    assert not password_matches("correct horse batterY", stored)
    assert not password_matches("x" * 201, stored)
    assert stored != password_hash("correct horse battery")
    first, second = (derived_token(b"secret", f"participant {n}") for n in (1, 2))
    assert first != second
    assert first != derived_token(b"Secret", "participant 1")
    assert len(first) == 32
    assert token_hash(first) != first


def test_no_more_than_two_passwords_are_hashed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = 0, 0
    lock = threading.Lock()

    def slow(*_: object, **__: object) -> bytes:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1
        return b""

    stored = password_hash("correct horse battery")
    monkeypatch.setattr("hashlib.scrypt", slow)
    with ThreadPoolExecutor(12) as pool:
        assert not any(pool.map(lambda _: password_matches("wrong", stored), range(24)))
    assert most == 2
