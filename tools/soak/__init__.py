"""Mixed commands and running servers in a loop, for as long as one likes."""
