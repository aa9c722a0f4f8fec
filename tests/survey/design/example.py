"""Example studies, changed in one place."""

from kilter.survey.instrument.interface import interface_languages

LANGUAGES = interface_languages()
