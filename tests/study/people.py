"""Participants as the database would give them."""

from typing import Any

from kilter.study.store.participant import Participant


def person(number: int, **fields: Any) -> Participant:
    """Return a participant of questionnaire 2 who has done nothing yet, but for what is said."""
    nothing: dict[str, Any] = dict.fromkeys(
        ("link", "consent", "personal", "informed_at", "consented_at", "described_at",
         "sampled_at", "submitted_at", "withdrawn_at"),
    )  # fmt: skip
    given = {"id": number, "origin": "open", "questionnaire": 2, "created_at": 1.0}
    return Participant(**nothing | given | fields)
