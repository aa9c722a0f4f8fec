"""Speed, measured against named peers in one run."""
