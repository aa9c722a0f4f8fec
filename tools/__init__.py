"""Programs for those who work on Kilter; nothing here is installed or tested."""
