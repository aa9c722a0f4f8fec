"""What participants do, with a browser that runs no scripts."""

import csv
import dataclasses
import io
import re
import time
from collections.abc import Callable
from pathlib import Path

from kilter.cli.main import run
from kilter.study.design.creation import create
from kilter.study.exchange.export import export_files
from kilter.study.instrument.data_file import DATA
from kilter.study.store.running_study import open_study
from tests.study.generated import write_study
from tests.study.running import PASSWORD, Person, Server, example, running

ABOUT = {
    "first_language_english": "no",
    "years_fluent": "12",
    "languages_1_name": "German",
    "languages_1_fluency": "native",
    "languages_2_name": "English",
    "languages_2_fluency": "fluent",
    "languages_2_qualifications": "a certificate",
    "gender": "other",
    "nationality": "Swiss",
    "education": "masters",
    "disability": "",
    "grammar_attention": "4",
    "age": "33",
}


def test_a_whole_questionnaire_from_the_first_page_to_the_debriefing(server: Server) -> None:
    with Person(server.address) as person:
        person.join()
        person.reach_items(**ABOUT)
        for number in range(1, 16):
            assert person.path == f"/item/{number}"
            assert f"Item {number} of 15" in person.page.text
            person.post(person.path, holistic=str(1 + number % 5), order="5", action="next")
        assert person.path == "/review"
        assert "You have answered everything." in person.page.text
        person.post("/submit")
        assert person.path == "/thanks"
        assert "how much the order of words matters" in person.page.text
        assert person.get("/continue").url.path == "/thanks"
        assert person.get("/item/3").status_code == 409


def test_a_language_without_its_name_is_asked_for(server: Server) -> None:
    with Person(server.address) as person:
        person.join()
        person.agree()
        person.post("/about", **{**ABOUT, "languages_2_name": " "})
        assert person.path == "/about"
        assert "give the name of every language that you describe" in person.page.text
        assert 'value="a certificate"' in person.page.text


def test_an_answer_that_does_not_apply_is_not_kept(server: Server) -> None:
    with Person(server.address) as person:
        person.join()
        person.agree()
        person.post("/about", **{**ABOUT, "first_language_english": "yes"})
        assert person.path == "/sample"
        about = person.get("/about").text
        assert 'data-asked-if="first_language_english" data-answer="no"' in about
        assert re.search(r'name="first_language_english" value="yes" checked', about)
        assert re.search(r'id="years_fluent"[^>]* value=""', about, re.DOTALL)


def test_an_item_is_complete_without_questions_that_do_not_apply(tmp_path: Path) -> None:
    own = (
        'schema = "kilter.instrument/1"\nshows = ["hypothesis", "reference"]\n'
        '[[question]]\nname = "wrong"\nkind = "options"\noptions = ["no", "yes"]\n'
        '[question.en]\nask = "Is anything wrong?"\nlabels = ["no", "yes"]\n'
        '[[question]]\nname = "bad"\nkind = "boxes"\nasked_if = { wrong = "yes" }\n'
        '[question.en]\nask = "If yes: how bad is it?"\n'
    )
    rows = '\n[recruitment]\nopen = true\nlimit = 9\n[[composition]]\nitems = 1\nkind = "translation"\n'
    folder = write_study(tmp_path / "study", options='instrument = "own.toml"', rest=rows)
    (folder / "own.toml").write_text(own, encoding="utf-8")
    create(folder, password=PASSWORD)
    with running(folder) as served, Person(served.address) as person:
        person.join()
        person.agree()
        person.post("/about", age="33")
        assert 'data-asked-if="wrong" data-answer="2"' in person.page.text
        person.post("/item/1", wrong="2", action="review")
        assert "You have answered everything." not in person.page.text
        person.post("/item/1", wrong="2", bad="3", action="review")
        assert "You have answered everything." in person.page.text
        person.post("/item/1", wrong="1", bad="3", action="review")
        assert "You have answered everything." in person.page.text
        running_study = open_study(folder, database=served.database)
        (answer,) = running_study.store.answers.all()
        running_study.store.close()
        assert (answer.question, answer.value) == ("wrong", 1)


def test_a_disability_is_described_only_by_those_who_say_yes(server: Server) -> None:
    with Person(server.address) as person:
        person.join()
        person.agree()
        answer = person.post("/about", disability="no", disability_text="poor sight")
        assert answer.status_code == 422
        assert "only the answer yes takes a description" in person.page.text
        assert ">poor sight</textarea>" in person.page.text
        person.post("/about", disability="yes", disability_text="poor sight")
        assert person.path == "/sample"
        about = person.get("/about").text
        assert re.search(r'name="disability" value="yes" checked', about)
        assert ">poor sight</textarea>" in about


def test_what_was_said_when_disability_was_a_text_is_still_there(server: Server) -> None:
    with Person(server.address) as person:
        link = person.join()
        person.agree()
        study = open_study(server.folder, database=server.database)
        someone = study.store.participants.named(link)
        assert someone is not None
        study.store.participants.advance(someone.id, personal={"disability": "poor sight"})
        study.store.close()
        about = person.get("/about").text
        assert re.search(r'name="disability" value="yes" checked', about)
        assert ">poor sight</textarea>" in about


def test_an_interrupted_questionnaire_goes_on_on_another_device(server: Server) -> None:
    with Person(server.address) as first, Person(server.address) as second:
        link = first.join()
        first.reach_items(age="40")
        first.post("/item/1", holistic="2", order="3", action="next")
        first.post("/item/2", holistic="4", action="next")
        second.get(link)
        assert second.path == "/item/3"
        second.get("/item/2")
        assert re.search(r'name="holistic" value="4" checked', second.page.text)
        assert re.search(r'name="order" value="" checked', second.page.text)
        server.kill()
        server.start()
        assert second.get(link).url.path == "/item/3"
        assert 'value="2" checked' in second.get("/item/1").text


def test_answers_can_be_changed_taken_back_and_left_out(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        person.join()
        person.reach_items()
        person.post("/item/1", holistic="2", order="3", action="next")
        person.post("/item/2", action="back")
        assert person.path == "/item/1"
        person.post("/item/1", holistic="5", order="", action="review")
        assert "Item 1: partly answered" in person.page.text
        assert "Item 2: not answered" in person.page.text
        assert 'name="holistic" value="5" checked' in person.get("/item/1").text
        person.post("/item/1", holistic="", order="", action="back")
        assert person.path == "/sample"
        assert "Item 1: not answered" in person.get("/review").text
        person.post("/submit")
        assert person.path == "/thanks"


def test_an_item_that_was_shown_before_is_shown_as_it_is_now(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        person.join()
        person.reach_items()
        first = person.page.text
        again = person.get("/item/1").text
        assert again.count('name="form_token"') == again.count('name="visit"') == 1
        visits = [re.findall(r'name="visit" value="(\w+)"', page)[0] for page in (first, again)]
        assert visits[0] != visits[1]
        assert 'value="0" max="15"' in again
        person.save("/item/2", person.form_token, holistic="4")
        assert 'value="1" max="15"' in person.get("/item/1").text
        assert 'lang="de"' in person.get("/item/1?language=de").text.split("<head>")[0]
        assert 'href="/item/01?language=en"' in person.get("/item/01").text


def test_the_script_is_told_when_an_answer_is_on_disk(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        person.join()
        person.reach_items()
        token = person.form_token
        saved = person.save("/item/4", token, holistic="3")
        assert saved.json() == {"saved": True, "next": "/item/4"}
        assert person.save("/item/4", token, holistic="9").status_code == 422
        assert person.save("/item/4", token, holistic="2.5").json()["saved"] is False
        assert 'name="holistic" value="3" checked' in person.get("/item/4").text
        assert person.save("/item/99", token, holistic="3").status_code == 404
        person.get("/review")
        person.post("/submit")
        assert person.save("/item/4", token, holistic="1").status_code == 409


def test_times_are_kept_if_they_can_be_and_left_out_if_not(shared_server: Server) -> None:
    day = 24 * 3600
    with Person(shared_server.address) as person:
        link = person.join()
        person.reach_items()
        token = person.form_token
        now = time.time()
        looks = [
            ("abc", now - 50),
            ("abc", now + 600),
            ("abc", now - day - 60),
            ("a-b", now - 50),
            ("a" * 41, now - 50),
            ("abc", "nan"),
            ("abc", ""),
            ("a" * 40, now - day + 600),
        ]
        for place, (visit, opened) in enumerate(looks, start=1):
            fields = {"visit": visit, "opened": str(opened)}
            assert person.save(f"/item/{place}", token, holistic="3", **fields).json()["saved"]
    study = open_study(shared_server.folder, database=None)
    someone = study.store.participants.find(link.removeprefix("/p/"))
    assert someone is not None
    spent = {
        place: t
        for (owner, place), t in study.store.answers.seconds().items()
        if owner == someone.id
    }
    study.store.close()
    assert {*spent} == {1, 8}
    assert 50 <= spent[1] < 50 + 600
    assert day - 600 <= spent[8] < day


def test_only_a_yes_to_every_line_that_is_not_voluntary_leads_on(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        person.join()
        person.post("/information")
        names = set(re.findall(r'type="radio" name="(\w+)"', person.page.text))
        assert len(names) == 8
        person.post("/consent", takes_part="yes")
        assert person.page.status_code == 422
        assert "Please answer every line." in person.page.text
        for name in sorted(names - {"archiving"}):
            person.post("/consent", **{**dict.fromkeys(names, "yes"), name: "no"})
            assert "you cannot take part" in person.page.text
        assert person.get("/item/1").url.path == "/consent"
        all_but_one = dict.fromkeys(names - {"archiving"}, "yes")
        assert person.post("/consent", **all_but_one).status_code == 422  # voluntary, yet asked
        person.post("/consent", **dict.fromkeys(names, "yes"))
        assert person.path == "/about"


def test_archiving_may_be_declined_without_losing_the_participant(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server:
        for answer, language in (("yes", "en"), ("no", "de")):
            with Person(server.address, language=language) as person:
                person.join()
                person.post("/information")
                marked = re.findall(r"<legend>(.*?) <span", person.page.text)
                assert len(marked) == 1
                assert ("archived" if language == "en" else "archiviert") in marked[0]
                names = set(re.findall(r'type="radio" name="(\w+)"', person.page.text))
                person.post("/consent", **{**dict.fromkeys(names, "yes"), "archiving": answer})
                assert person.path == "/about"
                person.post("/about")
                person.post("/sample")
                person.post("/item/1", holistic="2" if answer == "yes" else "4", action="next")
    counts = {}
    for name, options in (("all", []), ("archive", ["--archive"])):
        out = tmp_path / name
        assert run(["survey", "export", str(folder), "-o", str(out), "-q", *options]) == 0
        tables = {}
        for part in ("participants", "judgments"):
            text = (out / f"{part}.csv").read_text(encoding="utf-8")
            tables[part] = list(csv.DictReader(io.StringIO(text)))
        counts[name] = (
            [row["consent_archiving"] for row in tables["participants"]],
            [row["holistic"] for row in tables["judgments"] if row["holistic"]],
        )
    assert counts == {"all": (["yes", "no"], ["2", "4"]), "archive": (["yes"], ["2"])}


def test_wrong_answers_about_oneself_are_explained_and_nothing_is_lost(
    shared_server: Server,
) -> None:
    with Person(shared_server.address, language="de") as person:
        person.join()
        person.agree()
        person.post("/about", **{**ABOUT, "age": "old"})
        assert person.page.status_code == 422
        assert "eine ganze Zahl von 16 bis 120" in person.page.text
        assert 'value="Swiss"' in person.page.text or ">Swiss<" in person.page.text
        person.post("/about", **{**ABOUT, "gender": "robot"})
        assert person.page.status_code == 422
        person.post("/about", **{**ABOUT, "nationality": "x" * 101})
        assert "höchstens 100 Zeichen" in person.page.text
        person.post("/about", **ABOUT)
        assert person.path == "/sample"
        again = person.get("/about").text
        assert 'value="native" selected' in again
        assert 'value="33"' in again


def test_pages_speak_the_language_of_the_browser_or_the_one_chosen(shared_server: Server) -> None:
    with Person(shared_server.address, language="de-CH,de;q=0.9") as person:
        assert '<html lang="de"' in person.page.text
        assert "Willkommen" in person.page.text
        assert "Welcome" in person.get("/?language=en").text
        assert "Welcome" in person.get("/").text
        assert "Welcome" in person.get("/?language=xx").text
    with Person(shared_server.address, language="fr") as person:
        assert '<html lang="en"' in person.page.text


def test_withdrawing_erases_and_ends_the_link(server: Server) -> None:
    with Person(server.address) as person, Person(server.address) as other:
        link = person.join()
        person.reach_items(**ABOUT)
        person.post("/item/1", holistic="2", order="3", action="next")
        person.get("/withdraw")
        person.post("/withdraw")
        assert person.page.status_code == 422
        person.post("/withdraw", erase="personal")
        assert "2 answers about sentences are kept" in person.page.text
        assert person.get(link).status_code == 404
        link = other.join()
        other.reach_items(**ABOUT)
        other.post("/item/1", holistic="2", order="3", action="next")
        other.get("/withdraw")
        other.post("/withdraw", erase="all")
        assert "Everything you gave us is erased." in other.page.text
        assert other.get(link).status_code == 404


def test_a_paused_study_keeps_what_it_has_and_lets_people_withdraw(server: Server) -> None:
    with Person(server.address) as person, Person(server.address) as researcher:
        person.join()
        person.reach_items()
        token = person.form_token
        researcher.login()
        researcher.post("/research/pause", paused="yes")
        assert "The study is paused" in researcher.page.text
        assert person.get("/item/1").status_code == 503
        assert person.save("/item/1", token, holistic="3").status_code == 503
        assert person.get("/withdraw").status_code == 200
        researcher.post("/research/pause", paused="no")
        assert person.get("/item/1").status_code == 200


def test_open_recruitment_ends_at_its_limit(
    tmp_path: Path, database: Callable[[], str | None]
) -> None:
    folder = tmp_path / "study"
    example(folder)
    file = folder / "study.toml"
    text = file.read_text(encoding="utf-8").replace("limit = 40", "limit = 2")
    file.write_text(text, encoding="utf-8")
    with running(folder, database=database()) as server, Person(server.address) as late:
        for _ in range(2):
            with Person(server.address) as person:
                person.join()
        late.post("/join")
        assert late.page.status_code == 403
        assert "has enough participants" in late.page.text
        late.get("/")
        assert "has enough participants" in late.page.text
        assert "Take part" not in late.page.text


def test_people_are_spread_over_the_questionnaires(shared_server: Server) -> None:
    first_items = set()
    for _ in range(4):
        with Person(shared_server.address) as person:
            person.join()
            person.reach_items()
            first_items.add(re.findall(r"<bdi>(.*?)</bdi>", person.page.text)[0])
    assert len(first_items) >= 3


def test_nothing_on_a_page_tells_translations_from_permutations(shared_server: Server) -> None:
    pages = set()
    with Person(shared_server.address) as person:
        person.join()
        person.reach_items()
        for number in range(1, 16):
            text = person.get(f"/item/{number}").text
            for changing in (
                r"<bdi>.*?</bdi>",
                r"Item \d+",
                r"/item/\d+",
                r'(?:name="(?:visit|opened)" )?value="[0-9a-f.]+"',
            ):
                text = re.sub(changing, "", text)
            pages.add(text)
    assert len(pages) == 1
    assert "translated from German" in pages.pop()


def test_hints_are_for_the_sample_only(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        person.join()
        person.reach_items()
        hint = "Can a patient reader work it out?"
        assert hint not in person.page.text
        assert hint in person.get("/sample").text


def test_the_sample_names_the_words_that_were_exchanged(shared_server: Server) -> None:
    for language, said in (("en", "have been exchanged"), ("de", "vertauscht")):
        with Person(shared_server.address, language=language) as person:
            person.join()
            person.reach_items()
            assert said not in person.page.text
            text = person.get("/sample").text
            note = re.search(r'<aside class="note".*?</aside>', text, re.DOTALL)
            assert note is not None
            assert all(word in note[0] for word in ("letter", "postman", said))


def test_sentences_and_pages_can_run_from_right_to_left(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    example(folder)
    english = (DATA / "interface" / "en.toml").read_text(encoding="utf-8")
    (folder / "interface").mkdir()
    (folder / "documents").mkdir()
    (folder / "interface" / "ar.toml").write_text(
        english.replace('direction = "ltr"', 'direction = "rtl"'), encoding="utf-8"
    )
    documents = (DATA / "documents" / "en.toml").read_text(encoding="utf-8")
    (folder / "documents" / "ar.toml").write_text(documents, encoding="utf-8")
    file = folder / "study.toml"
    text = file.read_text(encoding="utf-8")
    text = text.replace('["en", "de"]', '["en", "ar"]').replace('"word-order"', '"own.toml"')
    text = text.replace('"about-you"', '"questions.toml"')
    file.write_text(text, encoding="utf-8")
    for name, source in (("own", "instruments/word-order"), ("questions", "questions/about-you")):
        data = (
            (DATA / f"{source}.toml")
            .read_text(encoding="utf-8")
            .replace("[question.de]", "[question.ar]")
            .replace("[sample.de]", "[sample.ar]")
        )
        (folder / f"{name}.toml").write_text(data, encoding="utf-8")
    items = folder / "items.jsonl"
    items.write_text(items.read_text(encoding="utf-8").replace("de-en", "en-ckb"), encoding="utf-8")
    lists = folder / "questionnaires.jsonl"
    lists.write_text(lists.read_text(encoding="utf-8").replace("de-en", "en-ckb"), encoding="utf-8")
    with running(folder) as server, Person(server.address, language="ar") as person:
        assert '<html lang="ar" dir="rtl">' in person.page.text
        person.join()
        person.reach_items()
        assert '<p lang="ckb" dir="rtl"><bdi>' in person.page.text


def test_a_link_from_elsewhere_exchanges_nobody_s_session_unseen(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    with running(folder) as server, Person(server.address) as person:
        with Person(server.address) as other:
            link = other.join()
        own = person.join()
        person.reach_items()
        page = person.get(link)
        assert page.status_code == 200
        assert "This link belongs to somebody else" in page.text
        assert page.history == []
        assert "set-cookie" not in page.headers
        assert person.get("/continue").url.path == "/item/1"  # still the same visit
        assert person.get(own).url.path == "/item/1"  # one's own link asks nothing
        person.get(link)
        assert person.post(link).url.path == "/information"
        assert link in person.page.text
        answer = person.client.post(own, data={"form_token": "x"})
        assert answer.status_code == 403
        person.get("/withdraw")
        person.post("/withdraw", erase="all")
        assert person.get(own).url.path == "/item/1"  # nobody is there any more


def test_a_personal_link_is_shown_at_the_beginning_and_by_no_cookie_after_it(
    shared_server: Server,
) -> None:
    with Person(shared_server.address) as person:
        link = person.join()
        token = link.removeprefix("/p/")
        for _ in range(2):
            assert person.get("/information").text.count(token) == 1
        person.reach_items()
        pages = (
            "/information",
            "/about",
            "/sample",
            "/item/1",
            "/review",
            "/withdraw",
            "/leave",
            "/",
        )
        for page in pages:
            assert token not in person.get(page).text
        assert "It was shown when you began" in person.get("/information").text
        assert token not in {*person.client.cookies.values()}
        person.get(link)  # whoever has the link already sees it in no page either
        assert token not in person.get("/information").text
        assert token not in {*person.client.cookies.values()}


def test_a_visit_can_be_ended_and_nobody_after_it_sees_anything(shared_server: Server) -> None:
    with Person(shared_server.address) as person:
        link = person.join()
        person.reach_items(nationality="Atlantean")
        for page in ("/about", "/sample", "/item/1", "/review"):
            assert 'href="/leave">End this visit</a>' in person.get(page).text
        assert 'href="/leave"' not in person.get("/research/login").text  # no page of the visit
        person.get("/review")
        old, token = dict(person.client.cookies), person.form_token
        assert person.get("/leave").status_code == 200
        assert "Your visit has ended" in person.post("/leave").text
        assert {*person.client.cookies} == set()
        assert "Take part" in person.get("/").text
        for name, value in old.items():  # somebody has kept them
            person.client.cookies.set(name, value, domain="127.0.0.1")
        for page in ("/about", "/item/1", "/withdraw", "/leave", "/continue"):
            assert person.get(page).status_code == 404
            assert "No questionnaire is open in this browser" in person.page.text
            assert "Atlantean" not in person.page.text
        assert person.save("/item/1", token, holistic="3").json()["reason"] == "no_visit"
        assert person.get(link).url.path == "/item/1"
        assert "Atlantean" in person.get("/about").text


def test_consent_is_kept_with_the_version_of_what_was_read(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    versions = {}
    with running(folder) as server:
        for language in ("en", "de"):
            with Person(server.address, language=language) as person:
                token = person.join().removeprefix("/p/")
                person.agree()
                versions[language] = token
    study = open_study(folder, database=None)
    try:
        for language, token in versions.items():
            someone = study.store.participants.find(token)
            assert someone is not None
            assert someone.consent_version == study.study.documents()[language].version
        documents = study.study.documents()["en"]
        assert documents.version != study.study.documents()["de"].version
        changed = dataclasses.replace(documents, consent={**documents.consent, "more": "a line"})
        assert changed.version != documents.version
    finally:
        study.store.close()


def test_boxes_without_numbers_are_still_told_apart_by_screen_readers(tmp_path: Path) -> None:
    study = example(tmp_path / "study")
    file = study / "study.toml"
    text = file.read_text(encoding="utf-8")
    for changed, shown in ((text, 5), (text.replace("seed =", "box_numbers = false\nseed ="), 0)):
        file.write_text(changed, encoding="utf-8")
        with running(study) as server, Person(server.address) as person:
            person.join()
            person.reach_items(**ABOUT)
            page = person.get("/item/1").text
            order = page.partition('id="order"')[2].partition("</fieldset>")[0]
            assert len(re.findall(r'<span aria-hidden="true">\d</span>', order)) == shown
            assert len(re.findall(r'<span class="spoken">[^<]*\d', order)) == 5


def test_a_comment_is_kept_shown_exported_and_erased(tmp_path: Path) -> None:
    study = example(tmp_path / "study")
    file = study / "study.toml"
    text = file.read_text(encoding="utf-8")
    with running(study) as server, Person(server.address) as person:
        person.join()
        person.reach_items(**ABOUT)
        assert 'name="comment"' not in person.get("/item/1").text
        person.post("/item/1", order="3", comment="nobody asked")
    file.write_text(text.replace("seed =", "comments = true\nseed ="), encoding="utf-8")
    with running(study) as server, Person(server.address) as person:
        person.join()
        person.reach_items(**ABOUT)
        assert '<textarea id="comment"' in person.get("/item/1").text
        person.post("/item/1", order="3", comment=" =1 <b>odd</b>\r\nwords ")
        assert "=1 &lt;b&gt;odd&lt;/b&gt;\nwords</textarea>" in person.get("/item/1").text
        person.post("/item/2", order="3", comment="x" * 3000)
        person.post("/item/3", order="3", comment="gone")
        person.post("/item/3", order="3", comment="")
        running_study = open_study(study, database=None)
        assert {position for _, position in running_study.store.answers.comments()} == {1, 2}
        data, secret = running_study.collected(), running_study.keys.secret
        files = {name: make() for name, make in export_files(data, secret=secret)}
        assert "'=1 <b>odd</b>\nwords" in files["judgments.csv"], "no formula for a spreadsheet"
        assert "x" * 2000 in files["judgments.csv"]
        assert "x" * 2001 not in files["judgments.csv"]
        assert not data.archivable().comments
        person.post("/withdraw", erase="personal")
        assert running_study.store.answers.comments() == {}
        assert len(running_study.store.answers.all()) == 4
        running_study.store.close()
