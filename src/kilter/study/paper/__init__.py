"""Questionnaires on paper, printed and read back."""
