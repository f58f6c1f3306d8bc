"""Frames to take away: the file as it is, or as CSV in pieces, so that memory stays small, however large the frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, abort, request, send_file

from bacclab.errors import BacclabError
from bacclab.tournament.csv_out import for_csv

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from bacclab.dashboard.app.context import Context

__all__ = ["add_downloads", "csv_pieces"]

#: Rows of a piece.
PIECE = 100_000


def add_downloads(server: Flask, context: Context) -> None:
    """Add the address /download?run=…&frame=…&to=parquet or csv."""

    @server.route("/download")
    def download() -> Response:
        form = request.args.get("to", "parquet")
        if form not in ("parquet", "csv"):
            abort(404, "frames can be had as parquet or csv")
        try:
            entry = context.folder.find(request.args.get("run"))
            path = context.folder.frame(entry, request.args.get("frame", ""))
        except BacclabError as error:
            abort(404, str(error))
        name = f"{entry.id}-{path.stem}.{form}"
        if form == "parquet":
            return send_file(path, as_attachment=True, download_name=name, mimetype="application/vnd.apache.parquet")
        answer = Response(csv_pieces(path), mimetype="text/csv")
        answer.headers.set("Content-Disposition", "attachment", filename=name)
        return answer


def csv_pieces(path: Path) -> Iterator[bytes]:
    """A Parquet file as CSV, piece by piece."""
    import polars as pl

    frame = pl.scan_parquet(path, glob=False)
    rows = int(frame.select(pl.len()).collect().item())
    for first in range(0, max(rows, 1), PIECE):
        piece = frame.slice(first, PIECE).collect()
        yield for_csv(piece).write_csv(include_header=first == 0).encode()
