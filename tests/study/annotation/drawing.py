"""Links drawn by somebody without a browser."""

import re

import httpx

from tests.study.annotation.serving import Annotated
from tests.study.running import authorities


def draw(site: Annotated, person: str, number: int, translation: str, links: str) -> None:
    """Let somebody draw links in a sentence, zero-based, possible ones with `?`, and be done with it."""
    with httpx.Client(base_url=site.address, follow_redirects=True, verify=authorities()) as client:
        client.get(site.links[person])
        page = client.get(f"/sentence/{number}").text
        token = re.search(r'data-token="(\w+)"', page)
        known = re.search(r'"version": (\d+)', page)
        assert token is not None
        assert known is not None
        drawn = [re.fullmatch(r"(\d+)-(\d+)(\??)", each) for each in links.split()]
        body = {
            "form_token": token[1],
            "version": int(known[1]),
            "translation": translation,
            "target": translation.split(),
            "links": [
                {"source": int(each[1]), "target": int(each[2]), "sure": not each[3]}
                for each in drawn
                if each
            ],
            "comment": "",
            "bookmark": False,
            "done": True,
            "seconds": 5,
        }
        answer = client.post(
            f"/sentence/{number}/save", json=body, headers={"accept": "application/json"}
        )
        assert answer.json()["state"] == "done", answer.text
