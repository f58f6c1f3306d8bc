"""The app as a server on this machine: made, guarded and run."""

from __future__ import annotations

import logging
import socket
from importlib import resources
from typing import TYPE_CHECKING

import flask
from dash import Dash, set_props
from werkzeug.serving import BaseWSGIServer, make_server

from bacclab.dashboard.app import watching
from bacclab.dashboard.app.callbacks import add_callbacks
from bacclab.dashboard.app.downloads import add_downloads
from bacclab.dashboard.app.layout import page
from bacclab.dashboard.app.security import HEADERS, Door, policy
from bacclab.errors import BacclabError, StoreError

if TYPE_CHECKING:
    from bacclab.dashboard.app.context import Context

__all__ = ["listening", "make_app"]

MOST_PORT = 65_535
#: The largest request that is read: an experiment text, with room.
MOST_BYTES = 2_000_000

INDEX = """<!DOCTYPE html>
<html lang="LANGUAGE">
<head>
{%metas%}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{%title%}</title>
{%favicon%}
{%css%}
<script src="/chart_menus.js"></script>
</head>
<body>
{%app_entry%}
<footer>
{%config%}
{%scripts%}
{%renderer%}
</footer>
</body>
</html>"""


def make_app(context: Context, *, host: str = "127.0.0.1") -> Dash:
    """The app of a folder; `host` decides under which names it answers."""
    assets = resources.files("bacclab.dashboard.app").joinpath("assets")
    app = Dash(
        "bacclab",
        assets_folder=str(assets),
        serve_locally=True,
        title="bacclab",
        update_title="",
        index_string=INDEX.replace("LANGUAGE", context.say.code),
        add_log_handler=False,
        enable_mcp=False,
        use_pages=False,
        on_error=_told,
    )
    app.layout = page(context.panels, root=str(context.folder.root), may_start=context.may_start, say=context.say)
    add_callbacks(app, context)
    watching.add_callbacks(app, context)
    add_downloads(app.server, context)
    _menus(app.server)
    _guard(app, Door(host))
    return app


def _menus(server: flask.Flask) -> None:
    """The script with which pages draw the menus of a chart, for the app as well."""
    script = resources.files("bacclab.dashboard").joinpath("assets", "chart_menus.js").read_text(encoding="utf-8")

    @server.route("/chart_menus.js")
    def chart_menus() -> flask.Response:
        return flask.Response(script, mimetype="text/javascript")


def _told(error: Exception) -> None:
    """A mistake that a person can mend (a run that was taken away, a damaged frame) is told at the top of the page."""
    if not isinstance(error, BacclabError):
        raise error
    set_props("problem", {"children": str(error), "hidden": False})


def _guard(app: Dash, door: Door) -> None:
    server: flask.Flask = app.server
    server.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    said: list[str] = []

    @server.before_request
    def refuse() -> flask.Response | None:
        why = door.refusal(flask.request.method, dict(flask.request.headers))
        return None if why is None else flask.Response(f"{why}\n", status=403, mimetype="text/plain")

    @server.after_request
    def harden(answer: flask.Response) -> flask.Response:
        if not said:
            said.append(policy(app.csp_hashes()))
        for name, value in {**HEADERS, "Content-Security-Policy": said[0]}.items():
            if not (name == "Cache-Control" and flask.request.path.startswith("/_dash-component-suites")):
                answer.headers[name] = value
        return answer


def listening(app: Dash, *, host: str, port: int) -> BaseWSGIServer:
    """A server that has its port; `serve_forever` answers. StoreError if the port or the host cannot be had."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    if not 0 <= port <= MOST_PORT:  # the system would count on from 0
        raise StoreError(f"there is no port {port}", hint=f"choose one from 1 to {MOST_PORT:,} with --port")
    try:
        socket.getaddrinfo(host or "?", port)  # an empty name would be every address of this machine
    except (OSError, UnicodeError):
        raise StoreError(
            f"there is no host {host!r}", hint="127.0.0.1 is this machine, 0.0.0.0 all its addresses"
        ) from None
    try:
        return make_server(host, port, app.server, threaded=True)
    except (OSError, SystemExit) as error:
        reason = getattr(error, "strerror", None) or "it is in use"
        raise StoreError(f"cannot listen on {host} port {port}: {reason}", hint="choose another with --port") from None
