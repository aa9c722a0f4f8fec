"""The publications that metrics come from, as BibTeX."""

PUBLICATIONS = {
    "stanojevic-simaan-2014": """@inproceedings{stanojevic-simaan-2014,
  author    = {Stanojevi{\\'c}, Milo{\\v{s}} and Sima'an, Khalil},
  title     = {Evaluating Word Order Recursively over Permutation-Forests},
  booktitle = {Proceedings of SSST-8, Eighth Workshop on Syntax, Semantics and Structure in
               Statistical Translation},
  year      = {2014}
}""",
    "stanojevic-simaan-2016": """@inproceedings{stanojevic-simaan-2016,
  author    = {Stanojevi{\\'c}, Milo{\\v{s}} and Sima'an, Khalil},
  title     = {Hierarchical Permutation Complexity for Word Order Evaluation},
  booktitle = {Proceedings of COLING 2016, the 26th International Conference on Computational
               Linguistics},
  year      = {2016}
}""",
    "talbot-2011": """@inproceedings{talbot-2011,
  author    = {Talbot, David and Kazawa, Hideto and Ichikawa, Hiroshi and Katz-Brown, Jason and
               Seno, Masakazu and Och, Franz},
  title     = {A Lightweight Evaluation Framework for Machine Translation Reordering},
  booktitle = {Proceedings of the Sixth Workshop on Statistical Machine Translation},
  year      = {2011}
}""",
    "birch-osborne-2010": """@inproceedings{birch-osborne-2010,
  author    = {Birch, Alexandra and Osborne, Miles},
  title     = {{LRscore} for Evaluating Lexical and Reordering Quality in {MT}},
  booktitle = {Proceedings of the Joint Fifth Workshop on Statistical Machine Translation and
               MetricsMATR},
  year      = {2010}
}""",
}
