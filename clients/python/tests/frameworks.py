"""LangGraph and the OpenAI Agents SDK for the tests: the packages if they are installed, else
stand-ins that do with a decorated tool what the packages' documentation says they do."""

import asyncio
import concurrent.futures
import contextvars
import inspect
import json
import sys
import types
import typing

#: What a tool is called with, in order; one list for each response of the model.
Responses = typing.List[typing.List[dict]]


def langgraph():
    """Returns `tool` and `run(tools, responses, thread)`, which returns the results of the calls."""
    try:
        from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
        from langchain_core.tools import tool
        from langgraph.graph import END, START, MessagesState, StateGraph
        from langgraph.prebuilt import ToolNode
    except ImportError:
        return _tool, _run_graph

    def run(tools, responses: Responses, thread: str):
        rest = iter(enumerate(responses))

        def model(_):
            step, calls = next(rest, (0, []))
            asked = [{**call, "id": f"c{step}.{i}"} for i, call in enumerate(calls)]
            return {"messages": [AIMessage("", tool_calls=asked)]}

        graph = StateGraph(MessagesState)
        graph.add_node("model", model)
        graph.add_node("tools", ToolNode(tools))
        graph.add_edge(START, "model")
        graph.add_conditional_edges("model", lambda s: "tools" if s["messages"][-1].tool_calls else END)
        graph.add_edge("tools", "model")
        settings = {"configurable": {"thread_id": thread}, "recursion_limit": 200}
        done = asyncio.run(graph.compile().ainvoke({"messages": [HumanMessage("Go.")]}, settings))
        return [each.content for each in done["messages"] if isinstance(each, ToolMessage)]

    return tool, run


_config: contextvars.ContextVar = contextvars.ContextVar("config")


def _tool(function):
    """A tool has the name, the description and the typed arguments of its function."""
    hints = typing.get_type_hints(function)
    args = {name: {"type": hints[name]} for name in inspect.signature(function).parameters}
    return types.SimpleNamespace(
        name=function.__name__, description=inspect.getdoc(function), args=args, func=function
    )


def _run_graph(tools, responses: Responses, thread: str):
    """Runs the calls of a response at once, each in a copy of the context; an error ends the run."""
    module = types.ModuleType("langgraph.config")
    module.get_config = _config.get
    sys.modules.update({"langgraph": types.ModuleType("langgraph"), "langgraph.config": module})
    by_name = {each.name: each.func for each in tools}
    token = _config.set({"configurable": {"thread_id": thread}})
    results = []

    def one(call):
        function = by_name[call["name"]]
        ran = function(**call["args"])
        return asyncio.run(ran) if inspect.iscoroutine(ran) else ran

    try:
        with concurrent.futures.ThreadPoolExecutor() as pool:
            for calls in responses:
                if not calls:
                    break
                waiting = [pool.submit(contextvars.copy_context().run, one, call) for call in calls]
                results.extend(each.result() for each in waiting)
    finally:
        _config.reset(token)
    return results


def openai_agents():
    """Returns `function_tool`, `RunContextWrapper` and `context()`, which makes one for a call."""
    try:
        from agents import RunContextWrapper, function_tool
        from agents.tool_context import ToolContext
    except ImportError:
        return _function_tool, _RunContextWrapper, lambda name: _RunContextWrapper()

    def context(name):
        return ToolContext(context=None, tool_name=name, tool_call_id="call_1", tool_arguments="{}")

    return function_tool, RunContextWrapper, context


class _RunContextWrapper:
    context = None


_RunContextWrapper.__name__ = "RunContextWrapper"


def _told(_, error):
    return f"An error occurred while running the tool. Please try again. Error: {error}"


def _function_tool(function=None, *, failure_error_function=_told):
    """Reads the signature, the type hints and the docstring; a first parameter for the context is
    no argument. Arguments are passed by position, and a plain function runs in a thread. An error
    becomes the result, unless `failure_error_function` is None."""
    if function is None:
        return lambda given: _function_tool(given, failure_error_function=failure_error_function)
    hints = typing.get_type_hints(function)
    names = list(inspect.signature(function).parameters)
    takes_context = bool(names) and hints.get(names[0]) is _RunContextWrapper
    shown = names[1:] if takes_context else names

    async def on_invoke_tool(context, given: str):
        values = json.loads(given)
        args = ([context] if takes_context else []) + [values[name] for name in shown]
        try:
            if inspect.iscoroutinefunction(function):
                return await function(*args)
            return await asyncio.to_thread(function, *args)
        except Exception as error:
            if failure_error_function is None:
                raise
            return failure_error_function(context, error)

    return types.SimpleNamespace(
        name=function.__name__,
        description=inspect.getdoc(function),
        params_json_schema={"type": "object", "properties": {name: {} for name in shown}},
        on_invoke_tool=on_invoke_tool,
    )
