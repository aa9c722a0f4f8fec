"""A module that costs nothing to import: it is loaded when something in it is first looked up."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any

_waiting: set[str] = set()
_LOADING = RLock()


class _DeferredModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        spec = self.__spec__
        with _LOADING:  # another thread waits; this one may look up what is not there yet
            if spec is not None and spec.loader is not None and spec.name in _waiting:
                _waiting.remove(spec.name)
                if spec.submodule_search_locations is not None:
                    self.__path__ = spec.submodule_search_locations
                spec.loader.exec_module(self)
                self.__class__ = ModuleType  # type: ignore[assignment] # no longer of this one
        return ModuleType.__getattribute__(self, name)


def defer(name: str) -> None:
    """Let every `import` find the module at once, and load it when something in it is first looked up.

    Python's own `LazyLoader` loads a module when it is imported a second time, which ours all are.
    """
    spec = None if name in sys.modules else PathFinder.find_spec(name)
    if spec is None:
        return
    module = module_from_spec(spec)
    module.__class__ = _DeferredModule
    # An import of a module inside it asks for the path, and the whole must be loaded before its parts.
    vars(module).pop("__path__", None)
    _waiting.add(name)
    sys.modules[name] = module
