"""The judgments of a study: read from an export or the running study, and scored. Section 12.6"""
