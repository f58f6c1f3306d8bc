"""The options that several commands have, each with one name and one wording."""

from __future__ import annotations

from typing import Annotated, Final

import typer

CODES: Final = "en, el, pl, pt, sv"
"""The languages of the page and the app, written out here because the help is shown without loading them.

>>> from bacclab.dashboard.language import LANGUAGES
>>> CODES == ", ".join(LANGUAGES)
True
"""

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
TableName = Annotated[str, typer.Option("--table", metavar="NAME", help="A table, as `bacclab tables` lists them.")]
BetWords = Annotated[
    str, typer.Option("--bet", metavar="BET", help="A bet, or several laid together: banker, banker+tie=5.")
]
RuleSets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a rule of the table: commission=4%, odds.tie=9:1."),
]
Lang = Annotated[str, typer.Option("--lang", metavar="CODE", help=f"Language of the words: {CODES}.")]

ConfigFile = Annotated[str, typer.Argument(metavar="CONFIG", help="An experiment file (TOML).")]
ConfigSets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Put a value over the file's; may be repeated."),
]
RunOut = Annotated[
    str | None, typer.Option("-o", "--out", metavar="DIR", help="The run folder; a new one under runs/ if left out.")
]
NoReport = Annotated[bool, typer.Option("--no-report", help="Write no page.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress, no summary.")]
RunAsJson = Annotated[bool, typer.Option("--json", help="Print the run folder and the summary as JSON.")]
