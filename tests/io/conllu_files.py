"""Files of CoNLL-U to read, and what is said against them."""

from pathlib import Path

from kilter.io.stream import ByteSource

SENTENCE = """\
# sent_id = garden-1
# text = Don't water the roses.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\tMood=Imp\t3\taux\t3:aux\t_
2\tn't\tnot\tPART\tRB\tPolarity=Neg\t3\tadvmod\t3:advmod\t_
3\twater\twater\tVERB\tVB\tMood=Imp|VerbForm=Fin\t0\troot\t0:root\t_
3.1\tyou\tyou\tPRON\t_\t_\t_\t_\t3:nsubj\t_
4\tthe\tthe\tDET\tDT\tDefinite=Def\t5\tdet\t5:det\t_
5\troses\trose\tNOUN\tNNS\tNumber=Plur\t3\tobj\t3:obj\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t3\tpunct\t3:punct\t_

"""


def word(number: int, head: object, form: str = "w", label: str = "dep") -> str:
    return f"{number}\t{form}\t_\tX\t_\t_\t{head}\t{label}\t_\t_\n"


def written(folder: Path, text: str, name: str = "trees.conllu") -> ByteSource:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return ByteSource(str(path))
