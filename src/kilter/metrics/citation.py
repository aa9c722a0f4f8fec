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
    "mccaffery-2017": """@phdthesis{mccaffery-2017,
  author = {McCaffery, Martin},
  title  = {The mat sat on the cat: investigating structure in the evaluation of order in machine
            translation},
  school = {University of St Andrews},
  year   = {2017}
}""",
    "vanroy-2021": """@incollection{vanroy-2021,
  author    = {Vanroy, Bram and De Clercq, Orph{\\'e}e and Tezcan, Arda and Daems, Joke and
               Macken, Lieve},
  title     = {Metrics of Syntactic Equivalence to Assess Translation Difficulty},
  booktitle = {Explorations in Empirical Translation Process Research},
  publisher = {Springer},
  year      = {2021}
}""",
    "chen-2021": """@inproceedings{chen-2021,
  author    = {Chen, Junkun and Zheng, Renjie and Kita, Atsuhito and Ma, Mingbo and Huang, Liang},
  title     = {Improving Simultaneous Translation by Incorporating Pseudo-References with Fewer
               Reorderings},
  booktitle = {Proceedings of the 2021 Conference on Empirical Methods in Natural Language Processing},
  year      = {2021}
}""",
    "papineni-2002": """@inproceedings{papineni-2002,
  author    = {Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing},
  title     = {{BLEU}: a Method for Automatic Evaluation of Machine Translation},
  booktitle = {Proceedings of the 40th Annual Meeting of the Association for Computational
               Linguistics},
  year      = {2002}
}""",
    "post-2018": """@inproceedings{post-2018,
  author    = {Post, Matt},
  title     = {A Call for Clarity in Reporting {BLEU} Scores},
  booktitle = {Proceedings of the Third Conference on Machine Translation: Research Papers},
  year      = {2018}
}""",
    "popovic-2015": """@inproceedings{popovic-2015,
  author    = {Popovi{\\'c}, Maja},
  title     = {{chrF}: character n-gram {F}-score for automatic {MT} evaluation},
  booktitle = {Proceedings of the Tenth Workshop on Statistical Machine Translation},
  year      = {2015}
}""",
    "snover-2006": """@inproceedings{snover-2006,
  author    = {Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and
               Makhoul, John},
  title     = {A Study of Translation Edit Rate with Targeted Human Annotation},
  booktitle = {Proceedings of the 7th Conference of the Association for Machine Translation in
               the Americas},
  year      = {2006}
}""",
    "banerjee-lavie-2005": """@inproceedings{banerjee-lavie-2005,
  author    = {Banerjee, Satanjeev and Lavie, Alon},
  title     = {{METEOR}: An Automatic Metric for {MT} Evaluation with Improved Correlation with
               Human Judgments},
  booktitle = {Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation Measures for
               Machine Translation and/or Summarization},
  year      = {2005}
}""",
    "isozaki-2010": """@inproceedings{isozaki-2010,
  author    = {Isozaki, Hideki and Hirao, Tsutomu and Duh, Kevin and Sudoh, Katsuhito and
               Tsukada, Hajime},
  title     = {Automatic Evaluation of Translation Quality for Distant Language Pairs},
  booktitle = {Proceedings of the 2010 Conference on Empirical Methods in Natural Language
               Processing},
  year      = {2010}
}""",
}
