"""Scripted rounds, horizons, digests and the settings of sources."""

import hashlib

import numpy as np
import pytest

from bacclab.errors import ConfigError, SourceError
from bacclab.game import codes
from bacclab.game.rules import ShoeRules
from bacclab.shoes.builtin import BUILT_IN_SOURCES, register_sources
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.scripted import ScriptedSource
from bacclab.shoes.source import Horizon, Rounds, digest

LETTERS = np.array(list("PBT"))


def letters(dealt, row=0):
    """The rounds of a session as letters, with a bar before each new shoe."""
    text = ""
    for code in dealt.codes[row, : dealt.lengths[row]].tolist():
        outcome = codes.outcomes()[code & codes.CODE_MASK]
        text += ("|" if code & codes.NEW_SHOE else "") + LETTERS[outcome]
    return text


def test_rounds_are_as_written():
    dealt = ScriptedSource("pb T | TBp\n||B|").rounds(3, 2, horizon=Horizon(rounds=7))
    assert [letters(dealt, row) for row in (0, 1)] == ["|PBT|TBP|B"] * 2
    assert dealt.lengths.tolist() == [7, 7]
    assert dealt.ran_out.tolist() == [False, False]
    assert dealt.unseen is None


def test_a_script_hits_no_line_that_a_variant_singles_out():
    dealt = ScriptedSource("PBT").rounds(0, 1, horizon=Horizon(rounds=3))
    rounds = [codes.decode(code & codes.CODE_MASK) for code in dealt.codes[0].tolist()]
    assert codes.possible_codes()[[dealt_round.code for dealt_round in rounds]].all()
    for dealt_round in rounds:
        assert not dealt_round.natural
        assert dealt_round.cards == 4
        assert not dealt_round.player_pair
        assert not dealt_round.banker_pair
    assert rounds[1].banker_total == 7, "Banker never wins with a six, or a three-card seven"


def test_the_horizon_cuts_and_the_end_shows():
    source = ScriptedSource("PB|T")
    assert letters(source.rounds(0, 1, horizon=Horizon(rounds=2))) == "|PB"
    assert letters(source.rounds(0, 1, horizon=Horizon(shoes=1))) == "|PB"
    long = source.rounds(0, 1, horizon=Horizon(rounds=5))
    assert (letters(long), long.ran_out.tolist(), long.codes.shape) == ("|PB|T", [True], (1, 5))
    assert not source.rounds(0, 1, horizon=Horizon(shoes=2)).ran_out[0]
    assert source.rounds(0, 1, horizon=Horizon(shoes=3)).ran_out[0]
    assert source.max_rounds(Horizon(shoes=9)) == 3


@pytest.mark.parametrize("script", ["PBX", "P,B", "", " | ", "B1", "庄"])
def test_a_bad_script_is_refused(script):
    with pytest.raises(SourceError, match="script"):
        ScriptedSource(script)


def test_a_script_has_no_cards():
    with pytest.raises(SourceError, match="no cards"):
        ScriptedSource("PB").rounds(0, 1, horizon=Horizon(rounds=1), unseen=True)


def test_from_config(tmp_path):
    common = {"rules": ShoeRules(), "seed": 4, "folder": tmp_path}
    assert ScriptedSource.from_config({"rounds": "PB"}, **common).describe()["rounds"] == "PB"
    assert SimulatedSource.from_config({}, **common).seed == 4
    with pytest.raises(ConfigError, match="did you mean rounds"):
        ScriptedSource.from_config({"round": "PB"}, **common)
    with pytest.raises(ConfigError, match="needs rounds"):
        ScriptedSource.from_config({"rounds": 12}, **common)
    with pytest.raises(ConfigError, match="no setting 'path'"):
        SimulatedSource.from_config({"path": "x"}, **common)


def test_built_in_sources_are_handed_in_through_the_hook():
    handed = []
    register_sources(handed.append)
    assert [source.id for source in handed] == ["simulated", "scripted", "recorded"]
    assert tuple(handed) == BUILT_IN_SOURCES


@pytest.mark.parametrize(
    "horizon", [{}, {"rounds": 5, "shoes": 1}, {"rounds": 0}, {"shoes": -1}, {"rounds": 5.0}, {"rounds": True}]
)
def test_impossible_horizons_are_refused(horizon):
    with pytest.raises(ConfigError):
        Horizon(**horizon)


@pytest.mark.parametrize(("first", "count"), [(-1, 2), (0, -1), (2**56, 1)])
def test_impossible_sessions_are_refused(first, count):
    with pytest.raises(SourceError, match="no sessions"):
        SimulatedSource(ShoeRules(), seed=1).rounds(first, count, horizon=Horizon(rounds=1))


def test_digest_is_the_sum_of_the_sessions():
    dealt = SimulatedSource(ShoeRules(), seed=1).rounds(10, 30, horizon=Horizon(shoes=2))
    expected = 0
    for row in range(30):
        data = (10 + row).to_bytes(8, "little")
        for code in dealt.codes[row, : dealt.lengths[row]].tolist():
            data += code.to_bytes(2, "little")
        expected += int.from_bytes(hashlib.sha256(data).digest(), "little")
    assert digest(dealt, 10) == expected % 2**256


def test_digest_does_not_depend_on_blocks_and_tells_sessions_apart():
    source, horizon = SimulatedSource(ShoeRules(), seed=1), Horizon(rounds=100)
    whole = digest(source.rounds(0, 20, horizon=horizon), 0)
    for size in (1, 3, 20):
        parts = [
            digest(source.rounds(first, min(size, 20 - first), horizon=horizon), first) for first in range(0, 20, size)
        ]
        assert sum(parts) % 2**256 == whole
    dealt = source.rounds(0, 20, horizon=horizon)
    assert digest(dealt, 1) != whole
    changed = dealt.codes.copy()
    changed[19, 99] += 1
    assert digest(Rounds(codes=changed, lengths=dealt.lengths, ran_out=dealt.ran_out), 0) != whole
