"""Kilter in the clothes of other tools: thin files, one a tool."""
