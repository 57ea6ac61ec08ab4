"""For agent loops of your own on messages of OpenAI, Anthropic or Gemini."""

import contextlib
import hashlib
import json
import time
import uuid
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from .client import Client
from .loop_error import LoopError

Item = Dict[str, Any]
MAX_CONVERSATIONS = 200
#: Plans that are a text for the model, after a result.
TEXTS = ("note", "hint", "escalate")


class FollowedReply:
    """What is to be done about a model's reply."""

    def __init__(self, refused: Mapping[Union[str, int], str], stop: Optional[str]):
        #: Calls that must not run: their result, by id, or by place if they have none.
        self.refused = refused
        #: The run ends: why, in words for a person. No call of this reply must run.
        self.stop = stop


class FollowedTurn:
    """One request to a model."""

    def __init__(self, follow: "FollowMessages", talk: "_Talk", messages: List[Any]):
        self._follow = follow
        self._talk = talk
        self._since = _now()
        #: To be sent: the same messages, with warnings after results. Keep your own list.
        self.messages = messages
        #: Nothing is to be asked: why the run ends.
        self.stop: Optional[str] = talk.stopped["toHuman"] if talk.stopped else None

    def after(self, reply: Any) -> FollowedReply:
        """Reads the reply: the client's response, or its message."""
        return self._follow._after(self._talk, reply, self._since, self.messages)


class _Talk:
    """A conversation that was seen before."""

    def __init__(self, session: str, agent: Optional[str]):
        self.session = session
        self.agent = agent
        self.prints: List[str] = []
        self.responses = 0
        self.proposed: List[Item] = []
        self.refused: List[Item] = []
        self.notes: Dict[int, str] = {}
        self.untold: List[str] = []
        self.stopped: Optional[Dict[str, Any]] = None


class FollowMessages:
    """Reads conversations, adds warnings to results, and says which calls must not run."""

    def __init__(
        self,
        client: Client,
        session: Optional[str] = None,
        on_plan: Optional[Callable[[Dict[str, Any]], None]] = None,
        on_stop: str = "answer",
    ):
        if on_stop not in ("answer", "throw"):
            raise ValueError(f"[unrut] on_stop: expected answer or throw, got {on_stop}")
        self._client = client
        self._session = session
        self._on_plan = on_plan
        self._on_stop = on_stop
        self._talks: List[_Talk] = []

    def before(
        self, messages: List[Any], session: Optional[str] = None, agent: Optional[str] = None
    ) -> FollowedTurn:
        """Reads what is new in a conversation, before it is sent to a model."""
        plain = [_plain(message) for message in messages]
        items = [item for i, message in enumerate(plain) for item in _items(message, i)]
        stable = [item for item in items if item["kind"] != "said"]
        prints = [_print(item) for item in stable]
        talk, start = self._find(prints, session or self._session, agent)
        self._read(talk, stable, start)
        talk.prints = prints
        talk.proposed, talk.refused = [], []
        turn = FollowedTurn(self, talk, _with_notes(messages, plain, stable, talk.notes))
        if talk.stopped:
            self._end(talk, turn.messages)
        return turn

    def _find(self, prints: List[str], session: Optional[str], agent: Optional[str]) -> Tuple[_Talk, int]:
        """The conversation whose beginning this is, or a new one; and where the new part starts."""
        best: Optional[_Talk] = None
        for talk in self._talks:
            is_same = talk.session == session and talk.agent == agent if session else True
            if is_same and prints[: len(talk.prints)] == talk.prints and talk.responses > 0:
                if best is None or len(talk.prints) > len(best.prints):
                    best = talk
        if best:
            return best, len(best.prints)
        talk = _Talk(session or f"messages {uuid.uuid4().hex[:8]}", agent)
        self._talks = [*self._talks[-MAX_CONVERSATIONS + 1 :], talk]
        return talk, 0

    def _read(self, talk: _Talk, items: List[Item], start: int) -> None:
        is_replay = talk.responses == 0
        told = f"response {talk.responses}"
        batch = ""
        open_calls: List[Tuple[Item, str]] = []
        newest: Optional[int] = None
        for index, item in enumerate(items):
            if item["kind"] == "call":
                batch = batch or f"earlier {index}"
                is_known = _includes(talk.proposed, item) or _includes(talk.refused, item)
                open_calls.append((item, told if is_known else batch))
                continue
            batch = ""
            if item["kind"] == "user":
                if index >= start:
                    talk.stopped = None
                    self._observe(talk, {"type": "user-spoke", "text": item["text"]}, f"{index} user")
                continue
            match = next(
                (pair for pair in open_calls if not item["id"] or pair[0]["id"] == item["id"]), None
            )
            if match is None:
                continue
            open_calls.remove(match)
            call, of = match
            if index < start:
                continue
            newest = index
            if _includes(talk.refused, call) and not _includes(talk.proposed, call):
                continue
            event = {"type": "call-finished", "call": _call(call), "batch": of, "result": item["result"]}
            if item.get("error"):
                event["error"] = True
            verdict = self._observe(talk, event, f"{index} {item['id']}")
            is_replay = is_replay and not verdict.get("repeated")
            plan = verdict.get("plan")
            # From history alone, only warnings are restored.
            if not plan or (is_replay and plan["rung"] not in ("note", "hint")):
                continue
            if plan["rung"] == "stop":
                talk.stopped = plan
            elif plan["rung"] in TEXTS:
                _add(talk.notes, index, plan["toModel"])
            self._performed(talk, plan, plan["rung"] == "block")
        if newest is not None and talk.untold:
            _add(talk.notes, newest, "\n\n".join(talk.untold))
            talk.untold = []

    def _after(self, talk: _Talk, reply: Any, since: int, messages: List[Any]) -> FollowedReply:
        talk.responses += 1
        batch = f"response {talk.responses}"
        items = [item for message in _messages_in(_plain(reply)) for item in _items(message, 0)]
        stop: Optional[Dict[str, Any]] = None
        refused: Dict[Union[str, int], str] = {}
        place = len(talk.prints)
        for i, item in enumerate(each for each in items if each["kind"] == "said"):
            added = {"type": "text-added", "text": item["text"], "channel": "answer", "done": True}
            plan = self._observe(talk, added, f"{place}.{i} said").get("plan")
            if plan:
                if plan["rung"] == "stop":
                    stop = plan
                else:
                    talk.untold.append(plan["toModel"])
                self._performed(talk, plan)
        calls = [item for item in items if item["kind"] == "call"]
        for index, item in enumerate(calls):
            proposed = {"type": "call-proposed", "call": _call(item), "batch": batch}
            plan = self._observe(talk, {**proposed, "modelMs": _now() - since}).get("plan")
            is_refused = bool(plan) and plan["rung"] == "block"
            if plan:
                if plan["rung"] == "stop":
                    stop = plan
                self._performed(talk, plan)
            if is_refused:
                refused[item["id"] or index] = plan["toModel"]
            (talk.refused if is_refused else talk.proposed).append(item)
        for index, item in enumerate(calls):
            if stop or (item["id"] or index) in refused:
                finished = {"type": "call-finished", "call": _call(item), "batch": batch}
                self._observe(talk, {**finished, "refusedBy": "unrut"})
        if stop and calls:
            talk.stopped = stop
            self._end(talk, messages)
        return FollowedReply(refused, stop["toHuman"] if stop and calls else None)

    def _observe(self, talk: _Talk, event: Dict[str, Any], name: Optional[str] = None) -> Dict[str, Any]:
        about: Dict[str, Any] = {"session": talk.session, "at": _now()}
        if talk.agent:
            about["agent"] = talk.agent
        if name is not None:
            about["id"] = name
        return self._client.observe({**about, **event})

    def _performed(self, talk: _Talk, plan: Dict[str, Any], failed: bool = False) -> None:
        if self._on_plan:
            with contextlib.suppress(Exception):
                self._on_plan(plan)
        event: Dict[str, Any] = {"type": "plan-performed", "plan": plan["id"], "rung": plan["rung"]}
        self._observe(talk, {**event, "failed": True} if failed else event)

    def _end(self, talk: _Talk, messages: List[Any]) -> None:
        if self._on_stop == "throw" and talk.stopped:
            raise LoopError(talk.stopped, talk.session, messages)


def follow_messages(client: Optional[Client] = None, **options: Any) -> FollowMessages:
    """Follows conversations. Default client: one of a server on this machine."""
    return FollowMessages(client or Client(), **options)


def _now() -> int:
    return int(time.time() * 1000)


def _plain(value: Any) -> Any:
    """What a client library returns, as dictionaries."""
    for name in ("model_dump", "to_dict"):
        dump = getattr(value, name, None)
        if callable(dump):
            return dump()
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(str(part["text"]) for part in content if isinstance(part, dict) and part.get("text"))


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return value if value is not None else {}
    try:
        return json.loads(value)
    except ValueError:
        return value


def _items(message: Any, i: int) -> List[Item]:
    """The items of a message of chat completions, Responses, Anthropic or Gemini."""
    if not isinstance(message, dict):
        return []
    role, kind = message.get("role"), message.get("type")
    if kind in ("function_call", "custom_tool_call"):
        args = _parsed(message.get("arguments", message.get("input")))
        return [_call_item(message.get("call_id"), message.get("name"), args)]
    if kind in ("function_call_output", "custom_tool_call_output"):
        return [_result_item(message.get("call_id"), message.get("output"), (i, "output"))]
    if role == "tool":
        return [_result_item(message.get("tool_call_id"), message.get("content"), (i, "content"))]
    if isinstance(message.get("parts"), list):
        return _gemini_items(message, i)
    content = message.get("content")
    blocks = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    if role == "user":
        results = [
            _result_item(b.get("tool_use_id"), b.get("content"), (i, j), b.get("is_error"))
            for j, b in enumerate(content if isinstance(content, list) else [])
            if isinstance(b, dict) and b.get("type") == "tool_result"
        ]
        text = _texts(content)
        return [*results, *([{"kind": "user", "text": text}] if text or not results else [])]
    if role != "assistant":
        return []
    said = [{"kind": "said", "text": _texts(content)}] if _texts(content).strip() else []
    used = [_call_item(b.get("id"), b.get("name"), b.get("input")) for b in blocks if b.get("type") == "tool_use"]
    called = [
        _call_item(call.get("id"), (call.get("function") or {}).get("name"), _parsed((call.get("function") or {}).get("arguments")))
        for call in message.get("tool_calls") or []
    ]
    return [*said, *used, *called]


def _gemini_items(message: Dict[str, Any], i: int) -> List[Item]:
    items: List[Item] = []
    for j, part in enumerate(message["parts"]):
        if not isinstance(part, dict):
            continue
        call = part.get("functionCall") or part.get("function_call")
        result = part.get("functionResponse") or part.get("function_response")
        if call:
            items.append(_call_item(call.get("id"), call.get("name"), call.get("args") or {}))
        elif result:
            response = result.get("response") or {}
            items.append(_result_item(result.get("id"), response, (i, j), "error" in response))
        elif part.get("text"):
            items.append({"kind": "user" if message.get("role") == "user" else "said", "text": part["text"]})
    return items


def _call_item(name: Any, tool: Any, args: Any) -> Item:
    return {"kind": "call", "id": name or "", "tool": tool or "", "args": args}


def _result_item(name: Any, result: Any, at: Tuple[int, Any], error: Any = None) -> Item:
    return {"kind": "result", "id": name or "", "result": result, "at": at, "error": bool(error)}


def _call(item: Item) -> Dict[str, Any]:
    return {"id": item["id"], "tool": item["tool"], "args": item["args"]}


def _includes(calls: List[Item], call: Item) -> bool:
    return any(_call(each) == _call(call) for each in calls)


def _print(item: Item) -> str:
    seen = {key: value for key, value in item.items() if key != "at"}
    return hashlib.sha256(json.dumps(seen, sort_keys=True, default=str).encode()).hexdigest()


def _add(notes: Dict[int, str], index: int, text: str) -> None:
    notes[index] = f"{notes[index]}\n\n{text}" if index in notes else text


def _messages_in(reply: Any) -> List[Any]:
    if isinstance(reply, list):
        return reply
    if not isinstance(reply, dict):
        return []
    if reply.get("choices"):
        return [{"role": "assistant", **reply["choices"][0]["message"]}]
    if reply.get("candidates"):
        return [reply["candidates"][0]["content"]]
    return reply["output"] if isinstance(reply.get("output"), list) else [reply]


def _with_notes(messages: List[Any], plain: List[Any], items: List[Item], notes: Dict[int, str]) -> List[Any]:
    """The same messages with texts after results; those without a note stay as they are."""
    noted = list(messages)
    for index, text in notes.items():
        if index >= len(items) or items[index]["kind"] != "result":
            continue
        i, place = items[index]["at"]
        message = dict(plain[i] if noted[i] is messages[i] else noted[i])
        if isinstance(place, str):
            message[place] = _after_text(message.get(place), text, "input_text" if place == "output" else "text")
        elif "parts" in message:
            message["parts"] = [_gemini_noted(part, text) if j == place else part for j, part in enumerate(message["parts"])]
        else:
            message["content"] = [
                {**block, "content": _after_text(block.get("content"), text)} if j == place else block
                for j, block in enumerate(message["content"])
            ]
        noted[i] = message
    return noted


def _after_text(content: Any, text: str, kind: str = "text") -> Any:
    if isinstance(content, list):
        return [*content, {"type": kind, "text": text}]
    return f"{content if isinstance(content, str) else json.dumps(content or '')}\n\n{text}"


def _gemini_noted(part: Dict[str, Any], text: str) -> Dict[str, Any]:
    key = "functionResponse" if "functionResponse" in part else "function_response"
    response = dict(part[key].get("response") or {})
    name = next((each for each in ("output", "result", "error", "content") if isinstance(response.get(each), str)), None)
    response[name or "note"] = f"{response[name]}\n\n{text}" if name else text
    return {**part, key: {**part[key], "response": response}}
