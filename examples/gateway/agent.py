# An agent in Python's standard library. It knows nothing of Unrut: only OPENAI_BASE_URL is another.
# OPENAI_BASE_URL=http://127.0.0.1:4718/openai/v1 OPENAI_API_KEY=… python3 examples/gateway/agent.py
import json
import os
import urllib.request

BASE = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
KEY = os.environ.get("OPENAI_API_KEY", "none")
TOOLS = [{"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}}}]


def ask(messages):
    body = json.dumps({"model": "gpt-5", "messages": messages, "tools": TOOLS}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"}
    with urllib.request.urlopen(urllib.request.Request(f"{BASE}/chat/completions", body, headers)) as response:
        return json.load(response)["choices"][0]["message"]


def search(query):
    return "No page has the answer. Pages that come near it: 1, 2 and 3."


messages = [{"role": "user", "content": "Find the answer."}]
searches = 0
for _ in range(50):
    message = ask(messages)
    messages.append(message)
    if not message.get("tool_calls"):
        break
    for call in message["tool_calls"]:
        searches += 1
        result = search(**json.loads(call["function"]["arguments"]))
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})

print(f"{searches} searches instead of 50. The last answer:\n{messages[-1]['content']}")
