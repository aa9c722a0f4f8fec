"""Names under which tables of judgments give segment and system; the first one found counts."""

SEGMENT_NAMES = ("segment", "seg", "sid", "seg_id", "segmentid")
SYSTEM_NAMES = ("system", "sys")
