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
    "levenshtein-1966": """@article{levenshtein-1966,
  author  = {Levenshtein, Vladimir I.},
  title   = {Binary Codes Capable of Correcting Deletions, Insertions, and Reversals},
  journal = {Soviet Physics Doklady},
  volume  = {10},
  number  = {8},
  pages   = {707--710},
  year    = {1966}
}""",
    "niessen-2000": """@inproceedings{niessen-2000,
  author    = {Nie{\\ss}en, Sonja and Och, Franz Josef and Leusch, Gregor and Ney, Hermann},
  title     = {An Evaluation Tool for Machine Translation: Fast Evaluation for {MT} Research},
  booktitle = {Proceedings of the Second International Conference on Language Resources and
               Evaluation},
  year      = {2000}
}""",
    "tillmann-1997": """@inproceedings{tillmann-1997,
  author    = {Tillmann, Christoph and Vogel, Stephan and Ney, Hermann and Zubiaga, Alex and
               Sawaf, Hassan},
  title     = {Accelerated {DP} Based Search for Statistical Translation},
  booktitle = {Proceedings of the 5th European Conference on Speech Communication and Technology},
  pages     = {2667--2670},
  year      = {1997}
}""",
    "popovic-ney-2007": """@inproceedings{popovic-ney-2007,
  author    = {Popovi{\\'c}, Maja and Ney, Hermann},
  title     = {Word Error Rates: Decomposition over {POS} Classes and Applications for Error
               Analysis},
  booktitle = {Proceedings of the Second Workshop on Statistical Machine Translation},
  pages     = {48--55},
  year      = {2007}
}""",
    "leusch-2006": """@inproceedings{leusch-2006,
  author    = {Leusch, Gregor and Ueffing, Nicola and Ney, Hermann},
  title     = {{CDER}: Efficient {MT} Evaluation Using Block Movements},
  booktitle = {Proceedings of the 11th Conference of the European Chapter of the Association for
               Computational Linguistics},
  pages     = {241--248},
  year      = {2006}
}""",
    "doddington-2002": """@inproceedings{doddington-2002,
  author    = {Doddington, George},
  title     = {Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence
               Statistics},
  booktitle = {Proceedings of the Second International Conference on Human Language Technology
               Research},
  pages     = {138--145},
  year      = {2002}
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
    "kilter": """@misc{kilter,
  author = {{The Kilter authors}},
  title  = {Kilter: word order in machine translation, measured},
  year   = {2026}
}""",
}
