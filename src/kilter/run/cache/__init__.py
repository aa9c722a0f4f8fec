"""What is made once and kept: links and parses, within a run and between runs."""
