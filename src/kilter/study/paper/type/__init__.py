"""Letters on paper: fonts found, letters shaped and set in lines."""
