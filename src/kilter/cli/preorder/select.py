"""`kilter preorder select`: of several parses the one whose reordering scores best."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from kilter.cli.command import read_files, settings_command
from kilter.cli.console import print_message
from kilter.cli.fields import jobs_setting, quiet_setting, segments_setting
from kilter.cli.parses import note_idle, note_joined
from kilter.cli.reorderings import ReferenceFile, rules_setting
from kilter.core.settings import InputFile, OutputFile, argument
from kilter.io.conllu import detailed, read_conllu
from kilter.io.stream import ByteSource, refuse_repeated
from kilter.preordering.rule_file import load_rule_set
from kilter.render.table.segment_file import check_segments_path, write_segments
from kilter.run.preordering.select import SelectSettings, select_parses, write_selection


@dataclass(frozen=True, kw_only=True)
class SelectOptions:
    """Of which parses one is selected, and by what."""

    trees: tuple[InputFile, ...] = argument(
        description="n-best parses (CoNLL-U), in one file or one per rank."
    )
    rules: str = rules_setting("Rule set.")
    reference: ReferenceFile
    settings: SelectSettings = field(default_factory=SelectSettings)
    statistics: OutputFile | None = segments_setting("ranks and scores")
    quiet: bool = quiet_setting()
    jobs: int = jobs_setting()


@settings_command("select")
def command(options: SelectOptions) -> None:
    """Write one parse per sentence as CoNLL-U: the one whose reordering scores best.

    TREES is a file of n-best parses (comments '# parse = 1', '# parse = 2', ...), or a file for each rank.

    \b
    Examples:
      kilter preorder select -r mine.toml -R references.jsonl nbest.conllu > selected.conllu
      kilter preorder select -r mine.toml -R references.jsonl first.conllu second.conllu third.conllu
    """
    trees, statistics, quiet = options.trees, options.statistics, options.quiet
    refuse_repeated(trees)
    if statistics:
        check_segments_path(statistics, read_files(options), called=f"--statistics {statistics}")
    rule_set = load_rule_set(options.rules)
    banks = [read_conllu(ByteSource(path)) for path in trees]
    columns = [detailed(bank.trees, bank.kept) for bank in banks]
    note_joined(columns, quiet=quiet)
    note_idle(columns, [rule_set], quiet=quiet)
    selection = select_parses(
        banks,
        rule_set,
        options.reference.read(),
        metric=options.settings.matching.frs(),
        minimum=options.settings.minimum,
        changed_only=options.settings.changed_only,
        jobs=options.jobs,
    )
    pieces = list(write_selection(banks, selection))
    if statistics:
        write_segments(selection.statistics(), statistics)
    sys.stdout.writelines(pieces)
    if not quiet:
        means = ", ".join(f"{name} {mean:.4f}" for name, mean in selection.means().items())
        changed = sum(choice.rank > 1 for choice in selection.choices)
        print_message(
            f"frs: {means}; {changed} of {len(selection.choices)} sentences have a better parse than the first; "
            f"{len(selection.written)} written"
        )
