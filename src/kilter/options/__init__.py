"""Options as dataclass fields, named choices, things found by name."""
