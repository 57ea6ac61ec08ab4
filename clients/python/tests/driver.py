"""Does what the conformance cases ask for, one JSON line at a time, with the Python client."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import unrut  # noqa: E402

client = None
follow = None
turn = None
plans = []
for line in sys.stdin:
    asked = json.loads(line)
    what = asked.pop("do")
    try:
        if what == "connect":
            client = unrut.Client(**asked)
            answer = None
        elif what == "observe":
            answer = client.observe(asked["event"])
        elif what == "flush":
            answer = client.flush()
        elif what == "close":
            answer = client.close()
        elif what == "counts":
            answer = {"waiting": client.waiting, "dropped": client.dropped}
        elif what == "before":
            follow = follow or unrut.follow_messages(client, on_plan=lambda plan: plans.append(plan["rung"]))
            turn = follow.before(asked["messages"], session=asked.get("session"))
            answer = {"messages": turn.messages, "stop": turn.stop}
        elif what == "after":
            reply = turn.after(asked["reply"])
            answer = {"refused": reply.refused, "stop": reply.stop}
        elif what == "plans":
            answer = plans
        print(json.dumps({"answer": answer}), flush=True)
    except Exception as error:  # The cases check what is raised.
        print(json.dumps({"raised": f"{type(error).__name__}: {error}"}), flush=True)
