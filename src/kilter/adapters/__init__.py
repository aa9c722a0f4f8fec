"""Adapters to the interfaces of other tools, a file per tool."""
