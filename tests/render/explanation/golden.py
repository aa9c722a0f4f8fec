"""The pictures of the worked examples; `python -m tests.render.explanation.golden` draws them again."""

from pathlib import Path

from kilter.metrics.derp import derp_graph
from kilter.metrics.dted import dted_table
from kilter.render.explanation.dependency_picture import dependency_picture
from kilter.render.explanation.error_table import edit_table_picture
from kilter.render.explanation.link_diagram import link_diagram
from kilter.render.explanation.path_graph import path_graph_picture
from kilter.render.explanation.permutation_diagram import permutation_diagram
from kilter.render.explanation.permutation_tree_picture import permutation_tree_picture
from tests.golden.test_tree_examples import BECOMES, BECOMING, CELLIST_LINKS, SHERLOCK_LINKS
from tests.render.explanation import worked

FOLDER = Path(__file__).parent / "drawn"


def pictures() -> dict[str, str]:
    """Return all pictures by the name of their file."""
    six = worked.values_and_ranks(worked.SIX)
    because = worked.BECAUSE.tree()
    cellist = worked.CELLIST_TREE, worked.MS_TREE
    table = dted_table(*cellist, links=CELLIST_LINKS, variant="cl")
    graph = derp_graph(BECOMES, BECOMING, links=SHERLOCK_LINKS)
    return {
        "six-links": link_diagram(six),
        "six-grid": permutation_diagram(six),
        "six-tree": permutation_tree_picture(worked.SIX.tree()),
        "because-links": link_diagram(worked.BECAUSE_PAIR),
        "because-grid": permutation_diagram(worked.BECAUSE_PAIR),
        "because-tree": permutation_tree_picture(
            because, worked.BECAUSE_WORDS, misplaced=worked.BECAUSE_PAIR.misplaced
        ),
        "cellist-links": link_diagram(worked.CELLIST_PAIR),
        "cellist-grid": permutation_diagram(worked.CELLIST_PAIR),
        "cellist-dependencies": dependency_picture(*cellist, worked.CELLIST_PAIR),
        "cellist-edits": edit_table_picture(table),
        "sherlock-links": link_diagram(worked.SHERLOCK_PAIR),
        "sherlock-dependencies": dependency_picture(BECOMES, BECOMING, worked.SHERLOCK_PAIR),
        "sherlock-paths": path_graph_picture(graph, BECOMING.words),
    }


def path_of(name: str) -> Path:
    """Return the file of a picture."""
    return FOLDER / f"{name}.svg"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        path_of(name).write_text(picture, encoding="utf-8")
