"""Guarded tools inside LangGraph and the OpenAI Agents SDK, with a server at UNRUT_URL."""

import asyncio
import json
import os
import sys
import unittest
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import unrut  # noqa: E402
from frameworks import langgraph, openai_agents  # noqa: E402

URL = os.environ["UNRUT_URL"]
SAME = "Three pages were found, none of which says more about it than the others do."
LADDER = ["note", "hint", "block", "escalate", "stop"]
tool, run_graph = langgraph()
function_tool, RunContextWrapper, context = openai_agents()


def fresh(query: str) -> str:
    return f"Found {query}: " + " ".join(f"w{(hash(query) + i * 7919) % 99991}" for i in range(12))


class Guarded(unittest.TestCase):
    def setUp(self):
        self.client = unrut.Client(URL)
        self.plans = []
        self.ran = 0
        self.guard = unrut.guard_tool(
            self.client, on_plan=lambda plan: self.plans.append(plan["rung"])
        )

    def tearDown(self):
        self.assertEqual(self.client.close(), 0)


class LangGraph(Guarded):
    def loops(self, search):
        self.assertEqual((search.name, search.description), ("search", "Searches."))
        self.assertEqual(list(search.args), ["query"])
        thread = uuid.uuid4().hex
        calls = [[{"name": "search", "args": {"query": "foo"}}]] * 40
        with self.assertRaises(unrut.LoopError) as raised:
            run_graph([search], calls, thread)
        self.assertEqual(raised.exception.work["session"], thread)
        self.assertEqual(list(dict.fromkeys(self.plans)), LADDER)
        self.assertLessEqual(self.ran, 8)

    def test_a_looping_tool_is_warned_blocked_and_stopped_in_its_thread(self):
        @tool
        @self.guard
        def search(query: str) -> str:
            """Searches."""
            self.ran += 1
            return SAME

        self.loops(search)

    def test_an_async_tool_too(self):
        @tool
        @self.guard
        async def search(query: str) -> str:
            """Searches."""
            self.ran += 1
            return SAME

        self.loops(search)

    def test_twin_calls_at_once_that_find_something_new_are_not_changed(self):
        @tool
        @self.guard
        def search(query: str) -> str:
            """Searches."""
            return fresh(query)

        words = [[f"{name} {i}" for name in ("left", "right")] for i in range(15)]
        calls = [[{"name": "search", "args": {"query": q}} for q in each] for each in words]
        results = run_graph([search], [*calls, []], uuid.uuid4().hex)
        self.assertEqual(results, [fresh(q) for each in words for q in each])
        self.assertEqual(self.plans, [])

    def test_two_threads_are_two_sessions(self):
        @tool
        @self.guard
        def search(query: str) -> str:
            """Searches."""
            return SAME

        calls = [[{"name": "search", "args": {"query": "foo"}}]] * 2
        for _ in range(2):
            self.assertEqual(run_graph([search], [*calls, []], uuid.uuid4().hex), [SAME, SAME])
        self.assertEqual(self.plans, [])


class OpenAIAgents(Guarded):
    def invoke(self, search, query="foo"):
        return search.on_invoke_tool(context(search.name), json.dumps({"query": query}))

    def test_a_looping_tool_is_warned_blocked_and_stopped(self):
        @function_tool(failure_error_function=None)
        @self.guard
        def search(wrapper: RunContextWrapper, query: str) -> str:
            """Searches."""
            self.ran += 1
            return SAME

        self.assertEqual((search.name, search.description), ("search", "Searches."))
        self.assertEqual(list(search.params_json_schema["properties"]), ["query"])

        async def run():
            with unrut.session("agents loop"):
                for _ in range(40):
                    await self.invoke(search)

        with self.assertRaises(unrut.LoopError) as raised:
            asyncio.run(run())
        self.assertEqual(raised.exception.work["session"], "agents loop")
        self.assertEqual(list(dict.fromkeys(self.plans)), LADDER)
        self.assertLessEqual(self.ran, 8)

    def test_a_stop_becomes_a_result_where_errors_of_tools_do(self):
        @function_tool
        @self.guard
        async def search(query: str) -> str:
            """Searches."""
            self.ran += 1
            return SAME

        async def run():
            with unrut.session("agents results"):
                return [await self.invoke(search) for _ in range(14)]

        results = asyncio.run(run())
        self.assertIn("Unrut stopped the run", results[-1])
        self.assertIn("stop", self.plans)
        self.assertLessEqual(self.ran, 8)

    def test_twin_a_tool_that_finds_something_new_is_not_changed(self):
        @function_tool
        @self.guard
        def search(query: str) -> str:
            """Searches."""
            return fresh(query)

        async def run():
            with unrut.session("agents honest"):
                return [await self.invoke(search, f"question {i}") for i in range(30)]

        self.assertEqual(asyncio.run(run()), [fresh(f"question {i}") for i in range(30)])
        self.assertEqual(self.plans, [])


if __name__ == "__main__":
    unittest.main()
