"""Studies in other scripts: sentences of our own, and an interface that runs from right to left."""

import json
import shutil
from pathlib import Path

from kilter.study.instrument.data_file import DATA

SENTENCES = {
    "cs": (
        "Pošťák včera přinesl dopis do domu mé babičky.",
        "Včera pošťák přinesl mojí babičce domů dlouhý dopis.",
    ),
    "el": (
        "Έφερε χθες ένας ταχυδρόμος γράμμα στο σπίτι της γιαγιάς μου.",
        "Χθες ένας ταχυδρόμος έφερε μεγάλο γράμμα στο σπίτι της γιαγιάς μου.",
    ),
    "ru": (
        "Вчера почтальон принёс письмо в дом моей бабушки.",
        "Почтальон вчера принёс длинное письмо бабушке домой.",
    ),
    "ja": (
        "昨日、郵便配達員が祖母の家に手紙を届けました。",
        "昨日、郵便配達員は祖母に長い手紙を届けに来ましたが、誰もいなかったので「また明日」と書いた紙を置いて帰りました。",
    ),
    "ar": (
        "أحضر ساعي البريد أمس رسالة إلى بيت جدتي.",
        "أمس أحضر ساعي البريد رسالة طويلة (من 3 صفحات) إلى بيت جدتي في مدينة Leipzig، ثم عاد إلى مكتب البريد.",
    ),
}
"""A translation and its reference by language."""

_TEXTS = {
    "information": "معلومات عن الدراسة",
    "consent": "الموافقة",
    "yes": "نعم",
    "no": "لا",
    "about_you": "معلومات عنك",
    "about_you_intro": "الإجابة عن هذه الأسئلة اختيارية.",
    "sample": "مثال",
    "sample_intro": "هكذا تبدو الأسئلة. لا تُستعمل إجاباتك هنا.",
    "item": "السؤال {number} من {total}",
    "first": "الجملة الأولى",
    "second": "الجملة الثانية",
    "hypothesis": "ترجمة",
    "reference": "الأصل",
    "translated_from": "مترجمة من {language}",
    "debriefing": "شكرا لك",
}
_PAPER = {
    "keep": "هذه الورقة لك.",
    "consent_intro": "ضع علامة في مربع واحد في كل سطر، ثم اكتب اسمك ووقّع.",
    "consent_all": "لا يمكنك المشاركة إلا إذا وافقت على كل سطر.",
    "consent_optional": "لا يمكنك المشاركة إلا إذا وافقت على كل سطر غير اختياري.",
    "optional": "(اختياري)",
    "again": "هذا السؤال اختياري.",
    "name": "الاسم",
    "signature": "التوقيع",
    "date": "التاريخ",
    "marking": "ضع علامة في مربع واحد لكل سؤال.",
    "writing": "اكتب داخل الإطار.",
    "anonymous": "لا تكتب اسمك على هذه الأوراق.",
    "code": "رمز هذه الأوراق: {code}",
    "page": "صفحة {page} من {pages}",
}
_DOCUMENTS = """schema = "kilter.documents/1"
information = ["ندعوك إلى المشاركة في دراسة عن فهم الجمل. المشاركة اختيارية.", "للأسئلة: {contact}"]
coding = "تُحفظ إجاباتك تحت رمز لا تحت اسمك."
consent = [
  { name = "read_information", text = "قرأت ورقة المعلومات وفهمتها." },
  { name = "archiving", text = "أوافق على حفظ البيانات دون اسمي لأبحاث أخرى.", optional = true },
  { name = "takes_part", text = "أوافق على المشاركة في هذه الدراسة." },
]
debriefing = ["شكرا لك. تسأل هذه الدراسة عن أهمية ترتيب الكلمات."]
"""
_INSTRUMENT = """schema = "kilter.instrument/1"
shows = ["hypothesis", "reference"]
[[question]]
name = "order"
kind = "boxes"
boxes = 5
[question.ar]
ask = "إلى أي حد يصعّب ترتيب الكلمات وحده فهم الجملة الأولى؟"
left = "كثيرا جدا"
right = "لا يصعّبه"
"""
_QUESTIONS = """schema = "kilter.questions/1"
[[question]]
name = "education"
kind = "options"
options = ["school", "university"]
[question.ar]
ask = "ما أعلى شهادة حصلت عليها؟"
labels = ["المدرسة", "الجامعة"]
[[question]]
name = "languages"
kind = "languages"
rows = 2
options = ["basic", "fluent", "native"]
[question.ar]
ask = "أي لغات تعرف؟"
labels = ["قليلا", "جيدا", "لغتي الأم"]
columns = ["اللغة", "كيف تعرفها", "الشهادات"]
[[question]]
name = "age"
kind = "number"
low = 16
high = 120
[question.ar]
ask = "كم عمرك؟"
"""


def with_sentences(study: Path, folder: Path, language: str) -> Path:
    """Copy a study and let its items be sentences of a language."""
    shutil.copytree(study, folder)
    first, second = SENTENCES[language]
    items = []
    for number, line in enumerate(
        (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()
    ):
        item = json.loads(line) | {"pair": f"de-{language}", "reference": second}
        items.append(item | {"hypothesis": first if number % 2 else second})
    text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    (folder / "items.jsonl").write_text(text, encoding="utf-8")
    return folder


def in_arabic(study: Path, folder: Path) -> Path:
    """Copy a study and let all of it be Arabic: interface, documents, questions and sentences."""
    with_sentences(study, folder, "ar")
    text = (folder / "study.toml").read_text(encoding="utf-8")
    for old, new in {
        'interface = ["en", "de"]': 'interface = ["ar"]',
        'instrument = "word-order"': 'instrument = "order.toml"',
        'participant_questions = "about-you"': 'participant_questions = "questions.toml"',
        'title = "Reading translated sentences"': 'title = "قراءة جمل مترجمة"',
    }.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "study.toml").write_text(text, encoding="utf-8")
    (folder / "order.toml").write_text(_INSTRUMENT, encoding="utf-8")
    (folder / "questions.toml").write_text(_QUESTIONS, encoding="utf-8")
    for kind in ("interface", "documents"):
        (folder / kind).mkdir()
    (folder / "documents" / "ar.toml").write_text(_DOCUMENTS, encoding="utf-8")
    (folder / "interface" / "ar.toml").write_text(_interface(), encoding="utf-8")
    return folder


def _interface() -> str:
    """Return the English interface with Arabic in the places that paper shows, from right to left."""
    english = (DATA / "interface" / "en.toml").read_text(encoding="utf-8")
    lines, table = [], ""
    for line in english.replace('"ltr"', '"rtl"').splitlines():
        key = line.partition(" =")[0]
        table = line if line.startswith("[") else table
        said = {"[text]": _TEXTS, "[paper]": _PAPER}.get(table, {}).get(key)
        lines.append(line if said is None else f'{key} = "{said}"')
    return "\n".join(lines) + "\n"
