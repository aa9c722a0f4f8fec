"""WMT 2013 German-English, where its data lies beside the repository: printed numbers beside ours."""

from pathlib import Path

import pytest

from kilter.pipeline.agreement.evaluation_inputs import EvaluationInputs
from kilter.pipeline.agreement.meta import MetaSettings, meta
from kilter.pipeline.scoring.settings import Settings
from kilter.statistics.resampling import Resampling
from kilter.structures.result.agreement_measure import AgreementMeasure
from tests.thorough import tried

DATA = Path(__file__).parents[3] / "shared" / "data" / "wmt13-de-en"
ORDERS = ("kendall", "spearman", "hamming", "fuzzy", "ulam", "pet-size", "max-op", "pet-count")
TRIED = ORDERS[:: tried(1, quick=4)]

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"{DATA} is not there")


def test_system_level_figures_lie_near_the_printed_ones() -> None:
    inputs = EvaluationInputs(
        judgments=str(DATA / "pairs.tsv.gz"),
        references=(str(DATA / "ref.en.gz"),),
        systems=(str(DATA / "sys"),),
        published="wmt13-de-en",
        settings=Settings(
            metrics=tuple(f"sen:order={order}" for order in TRIED),
            language="en",
            resampling=Resampling(resamples=100),
        ),
    )
    settings = MetaSettings(measures=(AgreementMeasure.SYSTEM_SPEARMAN,))
    (found,) = meta({"de-en": inputs}, settings).pairs
    assert found.counts["pairs"] == 128_668
    assert len(found.systems) == 17
    printed = found.published["system_spearman"]
    assert len(printed) == len(TRIED)
    for name, value in printed.items():
        ours = found.value(AgreementMeasure.SYSTEM_SPEARMAN, name)
        # #PETs differs most: most sentences have the same few counts, so that links decide.
        assert ours == pytest.approx(value.value, abs=0.035)
