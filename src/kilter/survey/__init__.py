"""The judgment survey: studies, questionnaires, a web survey, booklets and their data. Section 12, [TH]"""
