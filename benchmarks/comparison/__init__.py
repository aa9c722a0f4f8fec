"""Kilter beside every peer that can be installed: one run, one report."""
