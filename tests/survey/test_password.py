"""Passwords and tokens."""

from kilter.survey.password import derived_token, password_hash, password_matches, token_hash


def test_passwords_and_tokens_are_told_apart() -> None:
    stored = password_hash("correct horse battery")
    assert password_matches("correct horse battery", stored)
    assert not password_matches("correct horse batterY", stored)
    assert not password_matches("x" * 201, stored)
    assert stored != password_hash("correct horse battery")
    first, second = (derived_token(b"secret", f"participant {n}") for n in (1, 2))
    assert first != second
    assert first != derived_token(b"Secret", "participant 1")
    assert len(first) == 32
    assert token_hash(first) != first
