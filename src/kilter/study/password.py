"""Passwords and unguessable tokens: made, stored as hashes, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from base64 import urlsafe_b64encode

# scrypt with 64 MiB of memory: about a fifth of a second per try, for us and for anybody who guesses.
_COST, _BLOCK, _PARALLEL = 1 << 16, 8, 1
_MEMORY = 160 * (1 << 20)
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
LONGEST_PASSWORD = 200
# Each takes 64 MiB; whoever sends passwords to a server must not be able to take all of its memory.
_AT_ONCE = threading.BoundedSemaphore(2)


def new_password() -> str:
    """Return a password of 80 random bits that is easy to copy by hand."""
    letters = [secrets.choice(_LETTERS) for _ in range(16)]
    return "-".join("".join(letters[start : start + 4]) for start in range(0, 16, 4))


def password_hash(password: str) -> str:
    """Return what is stored of a password: parameters, salt and scrypt hash."""
    salt = secrets.token_bytes(16)
    digest = _scrypt(password, salt, _COST, _BLOCK, _PARALLEL)
    return f"scrypt${_COST}${_BLOCK}${_PARALLEL}${salt.hex()}${digest.hex()}"


def password_matches(password: str, stored: str) -> bool:
    """Return whether a password is the one that was stored."""
    name, cost, block, parallel, salt, digest = stored.split("$")
    if name != "scrypt" or len(password) > LONGEST_PASSWORD:
        return False
    derived = _scrypt(password, bytes.fromhex(salt), int(cost), int(block), int(parallel))
    return hmac.compare_digest(derived, bytes.fromhex(digest))


def _scrypt(password: str, salt: bytes, cost: int, block: int, parallel: int) -> bytes:
    with _AT_ONCE:
        return hashlib.scrypt(
            password.encode(), salt=salt, n=cost, r=block, p=parallel, maxmem=_MEMORY, dklen=32
        )


def new_token() -> str:
    """Return a token of 192 random bits for a link or a cookie."""
    return secrets.token_urlsafe(24)


def derived_token(secret: bytes, purpose: str) -> str:
    """Return a token of 192 bits that only the secret leads to, always the same for a purpose."""
    digest = hmac.new(secret, purpose.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(digest[:24]).decode()


def token_hash(token: str) -> str:
    """Return what is stored of a token; 192 random bits need no salt."""
    return hashlib.sha256(token.encode()).hexdigest()


def participant_code(secret: bytes, name: str) -> str:
    """Return the code of a participant in exported data, from which no link can be told."""
    digest = hmac.new(secret, f"code {name}".encode(), hashlib.sha256).hexdigest()
    return f"p{digest[:10]}"
