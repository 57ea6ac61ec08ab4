"""A guard whose sessions live on a server. It never raises from `observe`."""

import http.client
import json
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, List, Optional, Sequence

Event = Dict[str, Any]
Verdict = Dict[str, Any]

MAX_AT_ONCE = 100
MAX_PAUSE = 30.0
#: Answers that say something about the server at this moment, not about the events.
PASSING = (408, 425, 429)


def no_verdict(message: str, where: str = "client") -> Verdict:
    """The verdict if the server cannot answer: nothing is to be done, and why."""
    return {
        "signals": [],
        "plan": None,
        "shadow": None,
        "outcomes": [],
        "faults": [{"where": where, "message": message}],
        "step": 0,
    }


class Client:
    """Asks a server of Unrut about each event.

    url       Where `unrut serve` listens.
    token     What the server was started with, if it asks for one.
    can       What your program can do. Default: note, hint, block, escalate, stop.
    origin    Is added to every event: release, team, person.
    shadow    Record only: the verdict's `shadow` holds what would have been done.
    attended  Whether your program asks somebody on `escalate`. Default: the server's config.
    timeout   Seconds to wait for an answer before the agent continues without one.
    most      Max events kept while the server is away; the oldest are dropped first.
    pause     Seconds before the first retry; doubles each time, up to 30.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:4717",
        token: Optional[str] = None,
        can: Optional[Sequence[str]] = None,
        origin: Optional[Dict[str, str]] = None,
        shadow: bool = False,
        attended: Optional[bool] = None,
        timeout: float = 2.0,
        most: int = 10_000,
        pause: float = 0.5,
    ):
        parts = urllib.parse.urlsplit(url)
        if parts.username or parts.password:
            raise ValueError("[unrut] url: expected one without a password. Use token.")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"[unrut] url: expected something like http://127.0.0.1:4717, got {url}")
        for field, value in (origin or {}).items():
            if not isinstance(value, str) or len(value) > 100:
                raise ValueError(f"[unrut] expected origin.{field}, at most 100 characters")
        query = {}
        if can is not None:
            query["can"] = ",".join(can)
        if shadow:
            query["shadow"] = "1"
        if attended is not None:
            query["attended"] = "1" if attended else "0"
        self._url = url.rstrip("/") + "/v1/events"
        if query:
            self._url += "?" + urllib.parse.urlencode(query)
        self._headers = {"content-type": "application/json"}
        if token is not None:
            token = token.strip()
            if not token.isascii() or any(sign.isspace() for sign in token):
                raise ValueError("[unrut] token: expected ASCII in one line")
            self._headers["authorization"] = f"Bearer {token}"
        self._origin = origin
        self._timeout = timeout
        self._most = most
        self._pause = pause
        self._name = uuid.uuid4().hex
        self._count = 0
        self._waiting: List[Event] = []
        self._dropped = 0
        self._failures = 0
        self._away_until = 0.0
        self._why = ""
        self._closed = False
        self._retry: Optional[threading.Timer] = None
        self._lock = threading.RLock()
        # A proxy of the environment must not stand between an agent and its guard on this machine.
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}) if parts.hostname in ("127.0.0.1", "localhost", "::1")
            else urllib.request.ProxyHandler(),
            _NoRedirect(),
        )

    @property
    def waiting(self) -> int:
        """Events that are waiting to be sent."""
        return len(self._waiting)

    @property
    def dropped(self) -> int:
        """Events that were dropped: too many while the server was away, or refused by it."""
        return self._dropped

    def observe(self, event: Event) -> Verdict:
        """Returns the server's verdict on an event. Never raises: a fault is in the verdict."""
        with self._lock:
            if self._closed:
                return no_verdict("The client has been closed. Create another one.")
            if not isinstance(event, dict):
                return no_verdict(f"expected an event, got {type(event).__name__}", "event")
            event = dict(event)
            event.setdefault("at", int(time.time() * 1000))
            if event.get("id") is None:
                event["id"] = f"{self._name}-{self._count}"
                self._count += 1
            if self._origin:
                event["origin"] = {**self._origin, **(event.get("origin") or {})}
            try:
                json.dumps(event, allow_nan=False)
            except (TypeError, ValueError) as error:
                return no_verdict(f"The event cannot be written as JSON: {error}", "event")
            self._waiting.append(event)
            self._trim()
            if time.monotonic() < self._away_until:
                return no_verdict(self._why)
            return self._send() or no_verdict(self._why)

    def flush(self) -> int:
        """Sends what is waiting now. Returns the number of events that are still waiting."""
        with self._lock:
            self._away_until = 0.0
            while self._waiting:
                before = len(self._waiting)
                self._send()
                if len(self._waiting) >= before:
                    break
            return len(self._waiting)

    def close(self) -> int:
        """Accepts no more events and tries once to send what is waiting. Returns what is lost."""
        left = self.flush()
        with self._lock:
            self._closed = True
            if self._retry:
                self._retry.cancel()
        return left

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _trim(self) -> None:
        over = len(self._waiting) - self._most
        if over > 0:
            del self._waiting[:over]
            self._dropped += over

    def _send(self) -> Optional[Verdict]:
        """Sends the oldest events, in order. Returns the verdict of the newest, if it was sent."""
        verdict: Optional[Verdict] = None
        while self._waiting:
            # The events of one session go together.
            family = _family(self._waiting[0])
            batch = [each for each in self._waiting if _family(each) == family][:MAX_AT_ONCE]
            newest = self._waiting[-1]
            verdicts, fault, again = self._post(batch, family)
            if verdicts is None and again:
                self._later(fault)
                return None
            sent = {id(each) for each in batch}
            self._waiting = [each for each in self._waiting if id(each) not in sent]
            self._failures = 0
            self._away_until = 0.0
            if verdicts is None:
                self._dropped += len(batch)
                self._why = fault
            if id(newest) in sent:
                verdict = verdicts[-1] if verdicts is not None else no_verdict(fault)
        return verdict

    def _later(self, fault: str) -> None:
        self._why = f"{fault} {len(self._waiting)} events are kept and sent later."
        pause = min(MAX_PAUSE, self._pause * 2**self._failures)
        self._failures += 1
        self._away_until = time.monotonic() + pause
        if self._retry:
            self._retry.cancel()
        self._retry = threading.Timer(pause, self._try_again)
        self._retry.daemon = True
        self._retry.start()

    def _try_again(self) -> None:
        with self._lock:
            if not self._closed:
                self._send()

    def _post(self, events: List[Event], family: str) -> Any:
        headers = {**self._headers, "x-unrut-session": _fnv(family)}
        data = json.dumps(events).encode()
        request = urllib.request.Request(self._url, data=data, headers=headers, method="POST")
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                body = answer.read()
        except urllib.error.HTTPError as error:
            if error.code < 400:
                return None, f"{self._url} cannot be reached: it points to another address.", True
            return None, _refusal(error), error.code >= 500 or error.code in PASSING
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, (TimeoutError, socket.timeout)):
                return None, f"no answer within {self._timeout:g} seconds.", True
            return None, f"{self._url} cannot be reached: {reason}.", True
        verdicts = _verdicts_in(body)
        if isinstance(verdicts, list) and len(verdicts) == len(events) and all(map(_is_verdict, verdicts)):
            return [{**no_verdict(""), "faults": [], **each} for each in verdicts], "", False
        return (
            None,
            f"expected {len(events)} verdicts from {self._url}, got something else. "
            "Is it a server of Unrut?",
            True,
        )


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An event must not be sent to another address than the user gave."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _verdicts_in(body: bytes) -> Any:
    try:
        return json.loads(body).get("verdicts")
    except (ValueError, AttributeError):
        return None


def _is_verdict(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("signals"), list)


def _family(event: Event) -> str:
    return str(event.get("parent") or event.get("session"))


def _fnv(text: str) -> str:
    """A short hash, so that a load balancer can tell sessions apart without reading their names."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def _refusal(error: urllib.error.HTTPError) -> str:
    try:
        message = json.loads(error.read())["error"]["message"]
        return f"the server refused with {error.code}: {message}"
    except (OSError, ValueError, KeyError, TypeError):
        return f"the server refused with {error.code}."
