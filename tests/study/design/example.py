"""Example studies, changed in one place."""

from kilter.study.instrument.interface import interface_languages

LANGUAGES = interface_languages()
