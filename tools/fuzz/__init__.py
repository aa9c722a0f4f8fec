"""Seeded fuzzing: whatever comes in, a result or a clear error comes out."""
