"""Judgments of the sample's systems, and how the commands over judgments are asked about them."""

from tests.cli.sample import PATHS, REFERENCE
from tests.docs.pages import ROOT

RANKINGS = str(ROOT / "examples" / "rankings.csv")
SYSTEMS = [part for path in PATHS for part in ("--systems", path)]
TEXTS = ["--judgments", RANKINGS, "-r", REFERENCE, *SYSTEMS]
