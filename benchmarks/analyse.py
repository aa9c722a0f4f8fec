"""The whole analysis of a study of the published design: all metrics and configurations, all figures."""

from __future__ import annotations

import csv
import tempfile
import time
from pathlib import Path

from kilter.cli.main import run as kilter
from kilter.study.design.creation import create
from tests.study.generated import write_study

PARTICIPANTS, ITEMS = 36, 50


def run() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study = write_study(folder / "study", lines=450, questionnaires=PARTICIPANTS)
        create(study, password="a password for tests")  # noqa: S106 - of a study that is thrown away
        export, report = folder / "export", folder / "report"
        assert kilter(["survey", "simulate", str(study), "-o", str(export), "-q"]) == 0
        began, cpu = time.perf_counter(), time.process_time()
        assert kilter(["survey", "analyse", str(export), "-o", str(report), "-q"]) == 0
        seconds, used = time.perf_counter() - began, time.process_time() - cpu
        with (report / "levels" / "table.csv").open(encoding="utf-8") as file:
            judged = [row for row in csv.DictReader(file) if row["participant"] == "all"]
        assert {int(row["answered"]) + int(row["missing"]) for row in judged} == {
            PARTICIPANTS * ITEMS
        }
        with (report / "correlation-translation" / "table.csv").open(encoding="utf-8") as file:
            columns = {
                (row["tool"], row["variant"], row["configuration"]) for row in csv.DictReader(file)
            }
        figures = len(list(report.rglob("*.png")))
    print("analysis of a simulated study of the published design")
    print(f"  {PARTICIPANTS} participants, {PARTICIPANTS * ITEMS} judgments, 1000 resamples")
    print(f"  {len(columns)} columns of scores, {figures} figures as SVG and PNG")
    print(f"  {seconds:.0f} s, of them {used:.0f} s on the processor")
