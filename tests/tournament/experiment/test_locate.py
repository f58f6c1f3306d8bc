"""Lines of keys, compared with lines written into the keys themselves."""

from __future__ import annotations

import tomllib

import pytest

from bacclab.tournament.experiment.locate import find_line, key_lines, parse_key, show_key

# Each @ becomes the number of the line on which it stands.
TEXT = '''\
a = @
  b.c = @   # a comment with [brackets] and = signs
"d.e" = @
'f "g' = @
text = """
not = @
[not.a.table]
"""
quotes = """a "quoted" word""""
h = [@, @,
  @, [@, @],   # 99
  { x = @, y = [@,
    @] },
]
i = { j = @, k.l = @, m = {} }
date = 1979-05-27T07:32:00Z
[one]
z = @
[one.two]
z = @
[[many]]
z = @
  [many.inner]
  z = @
  [[many.list]]
  z = @
[[many]]
z = @
  [[many.list]]
  z = @
[ spaced . "out name" ]
z = @
'''
NUMBERED = "\n".join(line.replace("@", str(number)) for number, line in enumerate(TEXT.split("\n"), start=1))


def numbers(node, key=()):
    if isinstance(node, dict):
        for name, child in node.items():
            yield from numbers(child, (*key, name))
    elif isinstance(node, list):
        for place, child in enumerate(node):
            yield from numbers(child, (*key, place))
    elif isinstance(node, int):
        yield key, node


def test_every_number_is_found_on_its_line() -> None:
    lines = key_lines(NUMBERED)
    found = dict(numbers(tomllib.loads(NUMBERED)))
    assert len(found) == 22
    assert {key: lines[key] for key in found} == found


def test_a_missing_key_is_placed_at_its_table() -> None:
    lines = key_lines(NUMBERED)
    assert find_line(lines, ("one", "two", "nothing")) == lines["one", "two"] == lines["one", "two", "z"] - 1
    assert find_line(lines, ("nothing",)) is None


@pytest.mark.parametrize("text", ["a", "a.b", "a.0.b", '"a.b".c', '"with space".1', '"quote \\" and \\\\".x'])
def test_keys_survive_writing_and_reading(text: str) -> None:
    assert show_key(parse_key(text)) == text


@pytest.mark.parametrize("text", ["", ".", "a.", "a b", "a = 1\nb", 'a."b', "a=b"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the caller words the message
        parse_key(text)
