"""Who may ask the app for something: this machine's own browser, from the app's own pages.

A page of a stranger that is open in the same browser can send requests to loopback too. Three checks keep it out:

* The Host header names this machine. A stranger's name that resolves to loopback (DNS rebinding) is none of these.
* A request that can change something comes from a page of the app itself: Origin and Host agree.
* What is read is for the app's own pages: Sec-Fetch-Site, where a browser sends it, is not cross-site.

See https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["HEADERS", "Door", "is_loopback", "policy"]

#: Sent with every answer.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def policy(script_hashes: Sequence[str]) -> str:
    """The Content-Security-Policy: everything from the app itself; inline scripts only those with a hash.

    Charts are styled inline and are saved as pictures through blob: and data: addresses.
    """
    scripts = " ".join(["'self'", *script_hashes])
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    )


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and cannot be reached from another one.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host.lower().rstrip(".") == "localhost":
        return True
    address = _address(host)
    return address is not None and address.is_loopback


@dataclass(frozen=True, slots=True)
class Door:
    """Lets requests in, or says why not. `host` is the one that the app listens on."""

    host: str

    def refusal(self, method: str, headers: Mapping[str, str]) -> str | None:
        """Why a request is refused; None if it is not."""
        asked = headers.get("Host", "")
        if not self.known(asked):
            return "this name is not one under which the app is reached"
        if headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
            navigates = headers.get("Sec-Fetch-Mode") == "navigate" and headers.get("Sec-Fetch-Dest") == "document"
            if method not in ("GET", "HEAD") or not navigates:
                return "the request comes from another site"
        if method not in ("GET", "HEAD") and not _same(headers.get("Origin"), asked):
            return "the request does not come from a page of the app"
        return None

    def known(self, asked: str) -> bool:
        """Whether a Host header names this machine.

        >>> door = Door("127.0.0.1")
        >>> door.known("127.0.0.1:8050"), door.known("[::1]:8050"), door.known("evil.example:8050"), door.known("")
        (True, True, False, False)
        >>> Door("0.0.0.0").known("192.168.1.5:8050"), Door("0.0.0.0").known("evil.example")
        (True, False)
        """
        try:
            name = urlsplit(f"//{asked}").hostname or ""
        except ValueError:
            return False
        if is_loopback(name):
            return True
        if is_loopback(self.host):
            return False
        # An address is no name that a stranger could have pointed here.
        return name == self.host.lower() or _address(name) is not None


def _same(origin: str | None, asked: str) -> bool:
    """Whether an Origin header names the very host and port that were asked."""
    if origin is None:
        return False
    try:
        found = urlsplit(origin)
    except ValueError:
        return False
    return found.scheme in ("http", "https") and found.netloc.lower() == asked.lower()


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
