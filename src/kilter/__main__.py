"""`python -m kilter`: the command, where only the package is known."""

from kilter.cli.start import main

if __name__ == "__main__":
    main()
