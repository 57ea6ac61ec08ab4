"""The decorators, with a server at UNRUT_URL."""

import asyncio
import inspect
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import unrut  # noqa: E402

URL = os.environ["UNRUT_URL"]
SAME = "Three pages were found, none of which says more about it than the others do."


class GuardTool(unittest.TestCase):
    def setUp(self):
        self.client = unrut.Client(URL)
        self.plans = []
        self.ran = 0

    def tearDown(self):
        self.assertEqual(self.client.close(), 0)

    def guarded(self, tool):
        return unrut.guard_tool(self.client, on_plan=lambda plan: self.plans.append(plan["rung"]))(tool)

    def test_a_loop_is_warned_blocked_and_stopped(self):
        def search(q: str) -> str:
            """Searches."""
            self.ran += 1
            return SAME

        tool = self.guarded(search)
        results = []
        with self.assertRaises(unrut.LoopError) as raised, unrut.session("looping"):
            for _ in range(40):
                results.append(tool(q="foo"))
        self.assertEqual(list(dict.fromkeys(self.plans)), ["note", "hint", "block", "escalate", "stop"])
        self.assertLessEqual(self.ran, 8)
        self.assertTrue(results[2].startswith(SAME) and "Unrut" in results[2])
        self.assertEqual(raised.exception.plan["rung"], "stop")
        self.assertEqual(raised.exception.work["session"], "looping")

    def test_twin_a_run_that_finds_something_new_is_not_changed(self):
        def search(q: str) -> str:
            return f"Found {q}: " + " ".join(f"w{(hash(q) + i * 7919) % 99991}" for i in range(12))

        tool = self.guarded(search)
        with unrut.session("honest"):
            for i in range(30):
                self.assertEqual(tool(f"question {i}"), search(f"question {i}"))
        self.assertEqual(self.plans, [])

    def test_an_error_of_the_tool_passes_and_is_counted(self):
        def fetch(url: str) -> str:
            raise ConnectionRefusedError("the service refused the connection")

        tool = self.guarded(fetch)
        with unrut.session("failing"):
            for _ in range(4):
                with self.assertRaises(ConnectionRefusedError):
                    tool("http://x")
        self.assertIn("note", self.plans)

    def test_an_async_tool_keeps_its_signature_and_its_session(self):
        async def search(q: str, limit: int = 3) -> str:
            """Searches."""
            return SAME

        tool = self.guarded(search)
        self.assertTrue(inspect.iscoroutinefunction(tool))
        self.assertEqual(inspect.signature(tool), inspect.signature(search))
        self.assertEqual((tool.__name__, tool.__doc__), ("search", "Searches."))

        async def run(name):
            with unrut.session(name):
                return [await tool("foo") for _ in range(2)]

        async def both():
            return await asyncio.gather(run("one"), run("two"))

        # Two equal calls in each of two sessions are no loop.
        self.assertEqual(asyncio.run(both()), [[SAME, SAME], [SAME, SAME]])
        self.assertEqual(self.plans, [])

    def test_what_a_framework_hands_to_a_tool_is_no_argument(self):
        class RunContextWrapper:
            def __str__(self):
                return str(id(self)) + str(os.urandom(8))

        def search(context, q: str) -> str:
            return SAME

        tool = self.guarded(search)
        with unrut.session("contexts"):
            for _ in range(3):
                tool(RunContextWrapper(), "foo")
        self.assertEqual(self.plans, ["note"])

    def test_a_server_that_is_away_changes_nothing(self):
        client = unrut.Client("http://127.0.0.1:9", timeout=1)

        @unrut.guard_tool(client)
        def search(q: str) -> str:
            return SAME

        self.assertEqual([search("foo") for _ in range(12)], [SAME] * 12)


if __name__ == "__main__":
    unittest.main()
