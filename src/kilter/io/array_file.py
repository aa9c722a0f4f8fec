"""Files of arrays, as numpy writes them: how reading one ends that is damaged."""

from __future__ import annotations

import tokenize
import zipfile
import zlib

DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
    SyntaxError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    EOFError,
    OverflowError,
    MemoryError,  # an array that claims to be larger than any memory
    NotImplementedError,  # an archive of a later version than Python reads
    RuntimeError,  # an archive with a password
)
"""What numpy and zipfile raise for a file that is cut off, changed, encrypted or something else."""
