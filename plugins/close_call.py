"""An example of a plugin of one file: a side bet of its own, and a table that offers it.

Try it with ``bacclab --plugin plugins/close_call.py odds --table close-call``, or name the file in an experiment under
``[plugins]`` and write ``rules = "close-call"`` under ``[table]``.
"""

import bacclab as bl


def one_point_apart(coup: bl.Round):
    """The pay line that a round hits: None when the bet is lost."""
    return "win" if coup.margin == 1 else None


CLOSE_CALL = bl.Bet(
    id="close_call",
    title="Close Call",
    kind="side",
    lines=one_point_apart,
    odds={"win": "4:1"},
    rule="Wins when one side beats the other by a single point.",
    source="made up for this example",
    example="7 against 6: 10.00 wins 40.00.",
)
TABLE = bl.table("commission").variant(
    "close-call",
    title="Five per cent commission, with Close Call",
    source="made up for this example",
    extra_bets=[CLOSE_CALL],
    minimum=10,
    limits={"close_call": {"minimum": 5, "maximum": 100}},
)
