"""Scanned and photographed pages of booklets, read back."""
