#!/bin/sh
# An agent of curl and a loop: Anthropic's messages would do as well. It knows nothing of Unrut: only OPENAI_BASE_URL is another.
# OPENAI_BASE_URL=http://127.0.0.1:4718/openai/v1 OPENAI_API_KEY=… sh examples/gateway/agent.sh
base=${OPENAI_BASE_URL:-https://api.openai.com/v1}
tools='[{"type":"function","function":{"name":"search","parameters":{"type":"object","properties":{"query":{"type":"string"}}}}}]'
messages='{"role":"user","content":"Find the answer."}'
searches=0
while [ $searches -lt 50 ]; do
  answer=$(curl -sS "$base/chat/completions" -H "Authorization: Bearer $OPENAI_API_KEY" -H 'Content-Type: application/json' \
    -d "{\"model\":\"gpt-5\",\"messages\":[$messages],\"tools\":$tools}") || exit 1
  call=$(printf %s "$answer" | sed -n 's/.*"tool_calls":\[{"id":"\([^"]*\)".*/\1/p')
  [ -n "$call" ] || break
  searches=$((searches + 1))
  asked="{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"$call\",\"type\":\"function\",\"function\":{\"name\":\"search\",\"arguments\":\"{\\\"query\\\":\\\"the answer\\\"}\"}}]}"
  found="{\"role\":\"tool\",\"tool_call_id\":\"$call\",\"content\":\"No page has the answer. Pages that come near it: 1, 2 and 3.\"}"
  messages="$messages,$asked,$found"
done
echo "$searches searches instead of 50. The last answer:"
printf '%s\n' "$answer" | sed 's/.*"content":"\([^"]*\)".*/\1/'
