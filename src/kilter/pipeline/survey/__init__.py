"""What the commands of the survey do."""
