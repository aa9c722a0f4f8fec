"""`kilter reorder profile`: the word order of treebanks, or of two that are linked."""

from __future__ import annotations

from kilter.cli.command import settings_command
from kilter.cli.console import print_result
from kilter.cli.fields import format_setting
from kilter.cli.texts import system_names
from kilter.core.settings import Group, InputFile, argument, flag, setting
from kilter.io.conllu import read_trees
from kilter.io.link_format import LinkFormat
from kilter.io.links import read_links
from kilter.io.stream import ByteSource, refuse_repeated
from kilter.render.table.table import TableFormat
from kilter.run.reordering.profile import order_profile
from kilter.stats.resampling import Resampling


@settings_command("profile")
def command(
    *,
    treebanks: tuple[InputFile, ...] = argument(description="Dependency trees in CoNLL-U."),
    links: InputFile | None = setting(
        "-a", "--links", default=None, description="Links of the words of the first two treebanks."
    ),
    link_format: LinkFormat = setting(
        default=LinkFormat.PHARAOH,
        group=Group.INPUT,
        needs="links",
        description="How links are written.",
    ),
    possible: bool = flag(
        group=Group.INPUT, needs="links", description="Use links that are only possible, too."
    ),
    resamples: int = setting(
        default=1000, low=1, high=1_000_000, description="Bootstrap samples.", group=Group.SCORING
    ),
    seed: int = setting(default=1, description="Seed of chance.", group=Group.SCORING),
    format: TableFormat = format_setting(),
) -> None:
    """Measure the word order of treebanks: dependency length, head direction, order entropy, crossings.

    \b
    Examples:
      kilter reorder profile en.conllu ja.conllu
      kilter reorder profile en.conllu ja.conllu -a en-ja.links --format csv
    """
    refuse_repeated(treebanks)
    trees = {
        name: read_trees(path)
        for name, path in zip(system_names(treebanks), treebanks, strict=True)
    }
    batch = None
    if links is not None:
        file = read_links(
            ByteSource(links), form=link_format, segments=len(next(iter(trees.values())))
        )
        batch = file.all() if possible else file.sure
    resampling = Resampling(resamples=resamples, seed=seed)
    print_result(order_profile(trees, links=batch, resampling=resampling), format)
