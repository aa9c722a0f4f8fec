"""Sub-reports of a judgment study, one file per subject of section 13."""
