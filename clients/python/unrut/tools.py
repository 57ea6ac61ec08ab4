"""Decorators for tools: of LangGraph, of the OpenAI Agents SDK, or of a loop of your own."""

import contextlib
import contextvars
import functools
import inspect
import itertools
import math
import time
import uuid
from typing import Any, Callable, Iterator, Optional

from .client import Client
from .loop_error import LoopError

_session: contextvars.ContextVar[Optional[str]] = contextvars.ContextVar("unrut_session", default=None)
_count = itertools.count(1)


@contextlib.contextmanager
def session(name: Optional[str] = None) -> Iterator[str]:
    """Names the session of all guarded tools that run inside. Default: a new name."""
    name = name or f"python {uuid.uuid4().hex[:8]}"
    token = _session.set(name)
    try:
        yield name
    finally:
        _session.reset(token)


def guard_tool(
    client: Client,
    *,
    name: Optional[str] = None,
    session: Optional[Callable[..., Optional[str]]] = None,
    on_plan: Optional[Callable[[dict], None]] = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Guards a tool. Put it below `@tool` of LangChain or `@function_tool` of OpenAI Agents.

    A blocked call does not run, and its result says why. A warning is added to a result that is a
    text. A stop raises LoopError. `session` returns the session for the arguments of a call;
    default: `unrut.session`, else LangGraph's thread, else one for the process.
    """

    def decorate(tool: Callable[..., Any]) -> Callable[..., Any]:
        label = name or tool.__name__
        signature = inspect.signature(tool)

        def begin(args: tuple, kwargs: dict) -> dict:
            try:
                given = dict(signature.bind(*args, **kwargs).arguments)
            except TypeError:
                given = {**dict(enumerate(args)), **kwargs}
            shown = {str(key): _plain(value) for key, value in given.items() if not _is_context(value)}
            run = (session(*args, **kwargs) if session else None) or _session.get() or _thread() or PROCESS
            call = {"id": f"{PROCESS} {next(_count)}", "tool": label, "args": shown}
            return {"session": run, "call": call}

        def tell(verdict: dict, about: dict) -> Optional[dict]:
            plan = verdict.get("plan")
            if plan:
                if on_plan:
                    with contextlib.suppress(Exception):
                        on_plan(plan)
                client.observe(
                    {
                        "type": "plan-performed",
                        "session": about["session"],
                        "at": _now(),
                        "plan": plan["id"],
                        "rung": plan["rung"],
                    }
                )
            return plan

        def before(about: dict) -> Optional[str]:
            """The reason why the call must not run, for the model."""
            verdict = client.observe({**about, "type": "call-proposed", "at": _now()})
            plan = tell(verdict, about)
            if not plan or plan["rung"] not in ("block", "stop"):
                return None
            client.observe({**about, "type": "call-finished", "at": _now(), "refusedBy": "unrut"})
            if plan["rung"] == "stop":
                raise LoopError(plan, about["session"])
            return plan["toModel"]

        def after(about: dict, result: Any) -> Any:
            finished = {**about, "type": "call-finished", "at": _now(), "result": _plain(result)}
            plan = tell(client.observe(finished), about)
            if not plan:
                return result
            if plan["rung"] == "stop":
                raise LoopError(plan, about["session"])
            return f"{result}\n\n{plan['toModel']}" if isinstance(result, str) else result

        def failed(about: dict, error: BaseException) -> None:
            words = f"{type(error).__name__}: {error}"
            finished = {**about, "type": "call-finished", "at": _now(), "error": words}
            plan = tell(client.observe(finished), about)
            if plan and plan["rung"] == "stop":
                raise LoopError(plan, about["session"]) from error

        if inspect.iscoroutinefunction(tool):

            @functools.wraps(tool)
            async def guarded_async(*args: Any, **kwargs: Any) -> Any:
                about = begin(args, kwargs)
                refused = await _aside(before, about)
                if refused is not None:
                    return refused
                try:
                    result = await tool(*args, **kwargs)
                except Exception as error:
                    await _aside(failed, about, error)
                    raise
                return await _aside(after, about, result)

            return guarded_async

        @functools.wraps(tool)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            about = begin(args, kwargs)
            refused = before(about)
            if refused is not None:
                return refused
            try:
                result = tool(*args, **kwargs)
            except Exception as error:
                failed(about, error)
                raise
            return after(about, result)

        return guarded

    return decorate


#: The session of tools that run outside of any named one.
PROCESS = f"python {uuid.uuid4().hex[:8]}"


async def _aside(act: Callable[..., Any], *args: Any) -> Any:
    """Runs what waits for the server beside the event loop."""
    import asyncio

    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(None, lambda: context.run(act, *args))


def _now() -> int:
    return int(time.time() * 1000)


def _plain(value: Any) -> Any:
    """A value as JSON: models of pydantic as their fields, anything unknown as its text."""
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        value = dump()
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def _is_context(value: Any) -> bool:
    """What a framework hands to a tool beside the model's arguments."""
    return type(value).__name__ in ("RunContextWrapper", "ToolContext", "ToolRuntime") or (
        isinstance(value, dict) and "configurable" in value
    )


def _thread() -> Optional[str]:
    """The thread of the LangGraph run that is under way, if there is one."""
    try:
        from langgraph.config import get_config  # type: ignore[import-not-found]

        thread = get_config().get("configurable", {}).get("thread_id")
        return None if thread is None else str(thread)
    except Exception:
        return None
