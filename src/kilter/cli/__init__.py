"""What a command is made of: options in, results printed, exit codes."""
