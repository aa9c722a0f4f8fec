"""Small changes to the code that some test must notice: `make mutate`."""
