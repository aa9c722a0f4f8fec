"""Accounts of researchers, as the keys of a study hold them."""

import json
from pathlib import Path

from kilter.study.design.account import accounts, add_account, login_account, remove_account
from kilter.study.design.creation import KEY_FILE, read_keys
from kilter.study.password import password_hash
from tests.study.running import example


def test_keys_of_a_study_with_one_password_are_those_of_the_first_account(tmp_path: Path) -> None:
    folder = example(tmp_path / "study")
    old = {"secret": "ab" * 32, "password": password_hash("the password of before")}
    (folder / KEY_FILE).write_text(json.dumps(old), encoding="utf-8")
    assert accounts(folder) == ["researcher"]
    assert login_account(folder, "", "the password of before") == "researcher"
    assert login_account(folder, "researcher", "the password of before") == "researcher"
    assert login_account(folder, "anna", "the password of before") is None
    password = add_account(folder, "anna")
    assert accounts(folder) == ["anna", "researcher"]
    assert read_keys(folder).secret.hex() == old["secret"]
    assert login_account(folder, "anna", password) == "anna"
    assert login_account(folder, "researcher", password) is None
    assert login_account(folder, "", password) is None
    remove_account(folder, "researcher")
    assert accounts(folder) == ["anna"]
    assert login_account(folder, "", password) == "anna"
