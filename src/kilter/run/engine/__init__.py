"""Where work runs: in this process, in several of this machine, or on Ray."""
