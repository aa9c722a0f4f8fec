"""Pages and folders of reports."""
