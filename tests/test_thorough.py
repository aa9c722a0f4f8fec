"""What `make test` leaves to `make test-all`."""

from tests.thorough import spread


def variants(name: str, count: int) -> list[str]:
    return [f"{name}[{number}]" for number in range(count)]


def test_few_variants_and_tests_without_any_are_all_kept() -> None:
    tests = ["tests/test_a.py::test_one", *variants("tests/test_a.py::test_other", 3)]
    assert spread(tests) == set(tests)


def test_of_many_variants_a_fifth_is_kept_with_the_first_and_the_last() -> None:
    for count in range(4, 60):
        tests = variants("tests/test_a.py::test_one", count)
        kept = spread(tests)
        assert {tests[0], tests[-1]} <= kept <= set(tests)
        assert count // 5 <= len(kept) <= count // 5 + 3


def test_every_variant_is_kept_in_one_test_or_another() -> None:
    names = [f"tests/test_contract.py::test_{law}" for law in "abcdefghijklmnop"]
    kept = spread(test for name in names for test in variants(name, 37))
    assert {test.partition("[")[2] for test in kept} == {f"{number}]" for number in range(37)}
    assert spread(variants(names[0], 37)) < kept
