"""Files and the structures that they hold."""
