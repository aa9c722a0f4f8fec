"""What a release must do where nothing but its wheel is installed."""
