"""Commands: options in, results printed, exit codes."""
