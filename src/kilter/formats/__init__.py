"""Bytes to structures and back, nothing else."""
