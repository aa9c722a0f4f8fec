"""What researchers see and do."""

import csv
import io
import re
from pathlib import Path

from kilter.cli.main import run
from kilter.study.instrument.data_file import DATA
from kilter.study.store.running_study import open_study
from tests.study.running import Person, Server, example, running


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def rows(text: str) -> dict[str, list[str]]:
    """Return the cells of all tables of a page by the heads of their rows, without markup."""
    found = re.findall(r"<tr role=\"row\"><th [^>]*>(.*?)</th>(.*?)</tr>", text, re.DOTALL)
    return {
        head: [re.sub("<.*?>", "", cell).strip() for cell in re.findall("<td .*?>(.*?)</td>", row)]
        for head, row in found
    }


def test_progress_quality_and_agreement_follow_the_answers(server: Server) -> None:
    for answer in ("4", "2"):
        with Person(server.address) as person:
            person.join()
            person.reach_items()
            for _ in range(15):
                person.post(person.path, holistic=answer, order=answer, action="next")
            person.post("/submit")
    with Person(server.address) as researcher:
        assert researcher.login().url.path == "/research"
        text = researcher.page.text
        cells = rows(text)
        assert sum(int(cells[str(number)][2]) for number in range(1, 5)) == 2
        assert "15 of 15" in text
        assert "holistic" in text
        quality = {name: row for name, row in cells.items() if re.fullmatch("p[0-9a-f]{10}", name)}
        assert sorted(row[1] for row in quality.values()) == ["0 of 1", "1 of 1"]
        assert {row[0] for row in quality.values()} == {"15"}
        assert {row[-1] for row in quality.values()} == {"yes"}
        warned = re.findall(r"<li><strong>(.*?)</strong>: (.*?)</li>", text)
        for name in quality:
            assert (name, "gave the same answers to 15 items in a row") in warned
        assert sum(said == "missed 1 of 1 control items" for _, said in warned) == 1
        pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
        assert len(pictures) == 2
        assert re.search(r"started: [^;]*: 2; submitted: [^;]*: 2<", pictures[0])
        assert re.search(r"items answered: [^;]*: 30<", pictures[1])


def test_an_archive_is_exported_from_the_page_without_those_who_declined(
    shared_server: Server,
) -> None:
    with Person(shared_server.address) as person, Person(shared_server.address) as researcher:
        person.join()
        person.post("/information")
        names = set(re.findall(r'type="radio" name="(\w+)"', person.page.text))
        person.post("/consent", **{**dict.fromkeys(names, "yes"), "archiving": "no"})
        researcher.login()
        assert "/research/export/participants.csv?archive=yes" in researcher.page.text
        everybody = table(researcher.get("/research/export/participants.csv").text)
        agreed = table(researcher.get("/research/export/participants.csv?archive=yes").text)
        assert [row["consent_archiving"] for row in everybody] == ["no"]
        assert agreed == []
        assert "participants.csv for an archive" in researcher.get("/research/actions").text


def test_links_can_be_copied_and_more_can_be_made(server: Server) -> None:
    with Person(server.address) as researcher, Person(server.address) as person:
        researcher.login()
        researcher.get("/research/links")
        links = re.findall(r"http://[^<]*/p/[\w-]+", researcher.page.text)
        assert len(links) == len({*links}) == 4
        researcher.get("/research")
        researcher.post("/research/extend", links="3", open_places="5")
        more = re.findall(r"http://[^<]*/p/[\w-]+", researcher.page.text)
        assert more[:4] == links
        assert len(more) == 7
        assert "45 places for open recruitment" in researcher.get("/research").text
        for wrong in ("-1", "1001", "0000009999", "9" * 50, "\u0661", "1.0"):
            researcher.get("/research")
            assert researcher.post("/research/extend", links=wrong).status_code == 422
        researcher.get("/research")
        assert researcher.post("/research/extend", links="1", group="=1").status_code == 422
        researcher.get("/research")
        researcher.post("/research/extend", links="1", group="evening class")
        assert researcher.page.text.count("evening class") == 1
        person.get(more[6])
        assert person.path == "/information"
        person.reach_items()
        assert rows(researcher.get("/research/links").text)["7"][2] == "yes"


def test_the_live_export_holds_missing_answers_as_missing(server: Server) -> None:
    with Person(server.address) as person, Person(server.address) as researcher:
        person.join()
        person.reach_items(
            nationality="=HYPERLINK(1)", languages_1_name="German", languages_1_fluency="native"
        )
        person.post("/item/2", holistic="5", action="next")
        researcher.login()
        names = re.findall(r'/research/export/([\w.]+)"', researcher.page.text)
        assert names == ["judgments.csv", "participants.csv", "items.csv", "dictionary.csv"]
        judgments = table(researcher.get("/research/export/judgments.csv").text)
        assert len(judgments) == 15
        assert [row["holistic"] for row in judgments] == ["", "5", *[""] * 13]
        assert {row["order"] for row in judgments} == {""}
        (someone,) = table(researcher.get("/research/export/participants.csv").text)
        assert someone["nationality"] == "'=HYPERLINK(1)"
        assert someone["language_points"] == "7"
        assert someone["participant"] == judgments[0]["participant"]
        assert "link" not in someone
        items = table(researcher.get("/research/export/items.csv").text)
        assert {row["sentence"] for row in judgments} <= {row["sentence"] for row in items}
        columns = table(researcher.get("/research/export/dictionary.csv").text)
        described = {(row["table"], row["column"]) for row in columns}
        for name, rows in (("judgments", judgments), ("participants", [someone]), ("items", items)):
            assert {(name, column) for column in rows[0]} <= described
        assert all(row["meaning"] for row in columns)


def test_logging_out_ends_the_session(shared_server: Server) -> None:
    with Person(shared_server.address) as researcher:
        researcher.login()
        stolen = researcher.client.cookies["kilter_researcher"]
        researcher.post("/research/logout")
        researcher.client.cookies.set("kilter_researcher", stolen, domain="127.0.0.1")
        assert researcher.get("/research").url.path == "/research/login"


def test_researchers_read_their_pages_in_their_language(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server, Person(server.address, language="de") as researcher:
        assert "Anmeldung für Forschende" in researcher.get("/research/login").text
        assert "Falsches Passwort." in researcher.login("not the password").text
        text = researcher.login().text
        assert '<div lang="de" dir="ltr">' in text
        assert "Die Studie läuft; 4 Links, 40 Plätze für offene Teilnahme." in " ".join(
            text.split()
        )
        for said in (
            "beantwortete Aufgaben",
            "Krippendorffs Alpha",
            "Keine Warnungen",
            "Abmelden",
        ):
            assert said in text
        assert "Jeden Link nur an eine Person schicken" in researcher.get("/research/links").text
        researcher.get("/research")
        assert "Die Studie ruht" in researcher.post("/research/pause", paused="yes").text
        assert "The study is paused" in researcher.get("/research?language=en").text


def test_a_language_without_texts_for_researchers_leaves_them_in_english(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    for kind in ("interface", "documents"):
        (folder / kind).mkdir()
        text = (DATA / kind / "de.toml").read_text(encoding="utf-8")
        if kind == "interface":
            text = text[: text.index("[research]")] + text[text.index("[languages]") :]
        (folder / kind / "de.toml").write_text(text, encoding="utf-8")
    with running(folder) as server, Person(server.address, language="de") as researcher:
        text = researcher.get("/research/login").text
        assert '<html lang="de"' in text
        assert '<div lang="en" dir="ltr">' in text
        assert "Login for researchers" in text


def test_what_researchers_do_is_written_down_without_answers(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server:
        with Person(server.address) as person:
            link = person.join()
            person.reach_items(nationality="Atlantean")
        with Person(server.address) as researcher:
            researcher.login("a wrong password")
            researcher.login()
            researcher.post("/research/pause", paused="yes")
            researcher.post("/research/pause", paused="no")
            researcher.post("/research/extend", links="2", open_places="3")
            assert researcher.path == "/research/links"
            researcher.get("/research/export/participants.csv")
            researcher.get("/research")
            researcher.post("/research/logout")
            assert run(["survey", "export", str(folder), "-o", str(tmp_path / "out")]) == 0
            assert run(["survey", "erase", str(folder), link, "--judgments"]) == 0
            researcher.login()
            page = researcher.get("/research/actions").text
            assert "erased a participant" in page
    assert page.index("erased a participant") < page.index("paused the study")  # newest first
    opened = open_study(folder, database=None)
    done = opened.store.actions.all()
    opened.store.close()
    assert [(str(action.way), str(action.kind), action.detail) for action in done] == [
        ("web", "login", ""),
        ("web", "pause", ""),
        ("web", "resume", ""),
        ("web", "extend", "2 + 3"),
        ("web", "links", ""),
        ("web", "export", "participants.csv"),
        ("web", "logout", ""),
        ("command", "export", ""),
        ("command", "erase", "personal data and judgments"),
        ("web", "login", ""),
    ]
    moments = [action.done_at for action in done]
    assert moments == sorted(moments)
    assert link.removeprefix("/p/") not in page
    assert "Atlantean" not in page


def test_closing_a_study_destroys_links_if_the_information_sheet_promises_it(
    tmp_path: Path,
) -> None:
    folder = example(tmp_path / "study")
    with (
        running(folder) as server,
        Person(server.address) as person,
        Person(server.address) as researcher,
    ):
        link = person.join()
        person.reach_items(nationality="Atlantean")
        token = person.form_token
        person.post("/item/1", holistic="5", order="2", action="next")
        researcher.login()
        before = table(researcher.get("/research/export/judgments.csv").text)
        researcher.get("/research")
        assert "everything that links people to their answers is destroyed" in researcher.page.text
        for wrong in ("", "Example", "exampl"):
            assert researcher.post("/research/close", name=wrong).status_code == 422
            assert "The study was not closed" in researcher.page.text
        assert researcher.get("/research/close?language=en").url.path == "/research"
        assert person.get("/item/1").status_code == 200
        assert (
            "linked 5 people to their answers is destroyed"
            in researcher.post("/research/close", name="example").text
        )
        text = researcher.get("/research").text
        assert "The study is closed." in text
        assert "/research/close" not in text
        after = table(researcher.get("/research/export/judgments.csv").text)
        assert [row["holistic"] for row in after] == [row["holistic"] for row in before]
        codes = {row["participant"] for rows in (before, after) for row in rows}
        assert len(codes) == 2
        researcher.get("/research/login")
        for path in ("pause", "extend", "close"):
            assert researcher.post(f"/research/{path}", paused="no").status_code == 409
            researcher.get("/research")
        assert person.get("/item/2").status_code == 404  # the visit is over
        assert person.save("/item/2", token, holistic="1").status_code == 404
        assert person.get(link).status_code == 410
        assert "The study is over" in person.page.text
        assert "The study is over" in person.get("/").text
        assert "Take part" not in person.page.text
        assert "closed the study" in researcher.get("/research/actions").text


def test_closing_a_study_that_promises_nothing_keeps_its_links(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    (folder / "documents").mkdir()
    for language in ("en", "de"):
        text = (DATA / "documents" / f"{language}.toml").read_text(encoding="utf-8")
        own = text.replace("links_end = true", "links_end = false")
        (folder / "documents" / f"{language}.toml").write_text(own, encoding="utf-8")
    with (
        running(folder) as server,
        Person(server.address) as person,
        Person(server.address) as researcher,
    ):
        link = person.join()
        person.reach_items()
        researcher.login()
        assert "what leads from people to their answers" not in researcher.page.text
        assert "Personal links are kept" in researcher.post("/research/close", name="example").text
        assert person.get(link).status_code == 410
        assert person.get("/item/1").status_code == 410
        person.get("/withdraw")
        assert "is erased" in person.post("/withdraw", erase="all").text
