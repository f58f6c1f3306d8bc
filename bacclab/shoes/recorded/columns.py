"""What columns and JSON fields are called: every name that records use, and the fact that it stands for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

CARD_FIELDS: Final = ("p1", "p2", "p3", "b1", "b2", "b3")
UNSPLIT_FIELDS: Final = tuple(f"c{place}" for place in range(1, 7))

_NAMES: Final[dict[str, str]] = {
    "winner": "winner outcome result winning_outcome actual win winner_side winning_side round_result game_result w "
    "transformation_result hand_result outcome_label 结果 結果 赢家 贏家 开奖结果 開獎結果",
    "stored_winner": "stored_winner winner_stored recorded_winner winner_recorded db_winner stored_result",
    "player_total": "player_total total_player player_score playerscore score_player player_point player_points "
    "player_value player_hand_value player_hand_total p_total ptotal playertotal 闲点 閒點 闲点数 閒點數 闲家点数",
    "banker_total": "banker_total total_banker banker_score bankerscore score_banker banker_point banker_points "
    "banker_value banker_hand_value banker_hand_total b_total btotal bankertotal 庄点 莊點 庄点数 莊點數 庄家点数",
    "winning_total": "winning_total winner_total win_total winning_score winner_score winning_point winning_points",
    "natural": "natural nat is_natural winning_natural natural_win",
    "player_natural": "player_natural natural_player p_natural",
    "banker_natural": "banker_natural natural_banker b_natural",
    "pair": "pair pairs pair_type pair_result pairs_result pair_outcome",
    "player_pair": "player_pair playerpair pair_player p_pair ppair pp is_player_pair 闲对 閒對 闲對",
    "banker_pair": "banker_pair bankerpair pair_banker b_pair bpair bp is_banker_pair 庄对 莊對 庄對",
    "player_cards": "player_cards playercards player_hand cards_player p_cards player_card player",
    "banker_cards": "banker_cards bankercards banker_hand cards_banker b_cards banker_card banker",
    "tie": "tie ties",
    "cards": "cards all_cards card_points cards_points points card_values dealt_cards hand_cards",
    "dealt": "pk",
    "marks": "marks sequence shoe_string shoe_results results_string road roadmap history letters bead_road seq",
    "shoe": ("shoe shoe_id shoe_number shoe_no shoeid shoe_name shoe_index boot session session_id deck_id "
        "terrace_deck_id 靴 靴号 靴號 靴次"),
    "table": "table table_id table_number table_name tableid table_no desk game_table 桌 桌号 桌號",
    "number": "number round round_number round_no round_index hand hand_number hand_no hand_index hand_num coup no "
    "n num round_in_shoe game_number game_no issue index 局 局号 局號 口",
    "date": "date day 日期",
    "time": ("time timestamp datetime created_at updated_at at ts start_time end_time started_at settled_at "
        "finished_at 时间 時間"),
}  # fmt: skip
_VAGUE_NUMBERS: Final = frozenset(["no", "n", "num", "number", "index", "rounds", "局"])
"""Names of a number that may count something else, where another column counts the rounds."""
ALIASES: Final = {name: fact for fact, names in _NAMES.items() for name in names.split()}
_CARD: Final = re.compile(r"^(p|player|b|banker)_?(?:card|c)?_?([123])$")
_CARD_AFTER: Final = re.compile(r"^card_?([123])_?(p|player|b|banker)$")
_CARD_WORD: Final = re.compile(r"^(player|banker)_(first|second|third)(?:_card)?$")
_UNSPLIT: Final = re.compile(r"^(?:card|c)_?([1-6])$")


def plain(name: str) -> str:
    """A name in small letters with underscores.

    >>> plain("playerScore"), plain("Winning Outcome"), plain(" Player total "), plain("shoe-id")
    ('player_score', 'winning_outcome', 'player_total', 'shoe_id')
    """
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\W_]+", "_", split.lower()).strip("_")


def fact_of(name: str) -> str | None:
    """The fact that a column of this name holds, or None.

    >>> fact_of("playerScore"), fact_of("Player card 2"), fact_of("b3"), fact_of("dealer")
    ('player_total', 'p2', 'b3', None)
    """
    key = plain(name) or ("number" if name.strip() in ("#", "№") else "")
    if found := _CARD.match(key):
        return f"{found[1][0]}{found[2]}"
    if found := _CARD_AFTER.match(key):
        return f"{found[2][0]}{found[1]}"
    if found := _CARD_WORD.match(key):
        return f"{found[1][0]}{('first', 'second', 'third').index(found[2]) + 1}"
    if found := _UNSPLIT.match(key):
        return f"c{found[1]}"
    return ALIASES.get(key)


def tells_better(fact: str, name: str, other: str) -> bool:
    """Whether, of two columns with one fact, the one called `name` tells it and not `other`.

    >>> tells_better("number", "round", "no"), tells_better("number", "no", "round"), tells_better("time", "at", "ts")
    (True, False, False)
    """
    return fact == "number" and plain(other) in _VAGUE_NUMBERS and plain(name) not in _VAGUE_NUMBERS


def says_something(facts: Iterable[str | None]) -> bool:
    """Whether columns with these facts tell of rounds."""
    told = set(facts)
    return bool(
        told & {"winner", "stored_winner", "cards", "dealt", "marks", "c1", "p1", "b1"}
        or {"player_total", "banker_total"} <= told
        or {"player_cards", "banker_cards"} <= told
    )
