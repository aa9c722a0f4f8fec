"""Printed tables of the publications, computed again."""
