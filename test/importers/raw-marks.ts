import type { Contents } from './import-file.ts';

/** Patterns for each call, result and failure in a recording. Equal captures count once. */
export type Marks = Partial<Record<keyof Contents, RegExp>>;

/** Both a call and its result. */
const both = (mark: RegExp): Marks => ({ calls: mark, results: mark });
/** The texts in most samples written for the tests. */
const SAID = /(Fix the test|Looking|Done)\./g;
const CODEX_SAID =
  /"role":\s*"assistant",\s*"content"|"role":\s*"user",\s*"content":\s*\[\{"type":\s*"input_text",\s*"text":\s*"(?!<)/g;
const COPILOT_SAID =
  /"content":\s*"(the test fails|I look at both files|It checks that|Now the test again|Done: add)/g;
/** An answer is written again when it gets calls. */
const GEMINI_SAID =
  /"id":"([^"]+)","timestamp":"[^"]*","type":"gemini","content":"(?!")|"text":"(try it|go on then)"/g;
const TOOL_SPAN = /"openinference\.span\.kind":\s*"TOOL"/g;
const FAILED_SPAN = /"(?:STATUS_CODE_)?ERROR"/g;
const CLAUDE_HOOKS: Marks = {
  calls: /"PreToolUse"/g,
  results: /"PostToolUse(?:Failure)?"/g,
  messages: /"UserPromptSubmit"|"last_assistant_message"/g,
};
const LANGFUSE: Marks = {
  calls: /\b(call_\d)\b/g,
  results:
    /"type":\s*"TOOL",\s*"name":\s*"\w+",\s*"(?:start_?[tT]ime)":\s*"([^"]+)"|(nosuch is not a valid tool)/g,
  errors: /"level":\s*"ERROR"/g,
};

/**
 * Samples with their own protocol, with patterns found by reading the files; independent of our
 * readers.
 */
export const MARKS: Readonly<Record<string, Marks>> = {
  'ai-sdk-ui.json': { messages: SAID },
  'otlp-open-inference.jsonl': { messages: SAID },
  'langchain-messages-states.jsonl': { messages: SAID },
  'agentlab.json': {
    messages: /"goal"/g,
    calls: /(?:click|fill|send_msg_to_user)\(/g,
    results: /(?<="num":\s*[1-9][^{}]*)"axtree":\s*"[^"]/g,
  },
  'ai-sdk-messages.json': { errors: /"error-text"/g },
  'acp-pending.jsonl': { messages: /"prompt":|"agent_message_chunk"/g },
  'acp.jsonl': {
    errors: /"exit":1|"status":"failed"/g,
    messages: /"prompt":|"agent_message_chunk"/g,
  },
  'aider.md': {
    messages:
      /(?<=^(?!####)[^\n]*\n)#### (?=.*\n)(?=[^\n]* {2}\n)|^(?:You are welcome|Here it is)\./gm,
    calls: /^<<<<<<< SEARCH|^> Applied edit to b\.ts/gm,
    results: /failed to match!|applied successfully|Applied edit to/g,
    errors: /failed to match!/g,
  },
  'amp.json': { errors: /"exitCode":\s*1|"rejected-by-user"|"status":\s*"error"/g },
  'anthropic-messages.json': {
    messages: /"(?:text|content)":\s*"(?:<task>|<feedback>|I read both files|The method |Good\.)/g,
    errors: /"is_error":\s*true|"The user denied this operation/g,
  },
  'atif.json': {
    messages: /"message":\s*"(?:Fix the test|Looking|Done|Two)\./g,
    calls: /"tool_call_id"|"message":\s*"ls \| wc -l"/g,
    results: /"content":\s*"/g,
  },
  'autogen-state.json': {
    messages: /"content":\s*"(?:Fix the test|Done)\./g,
    calls: /"arguments"/g,
    results: /"call_id"/g,
  },
  'autogen.json': {
    messages: SAID,
    calls: /"arguments"|"code_blocks"/g,
    results: /"call_id"|"exit_code"/g,
    errors: /"is_error":\s*true|"exit_code":\s*[1-9]/g,
  },
  'braintrust.jsonl': { errors: /"error":\s*"/g },
  'browser-use-old.json': {
    calls: /"(?:go_to_url|click_element_by_index)"/g,
    results: /"extracted_content"/g,
  },
  'browser-use.json': {
    calls: /"(?:navigate|input|click|done)":\s*\{/g,
    results: /"extracted_content"|"error":\s*"Element/g,
    errors: /"error":\s*"Element/g,
  },
  'claude-code-refusals.jsonl': {
    messages:
      /"role":"assistant"[^[\]{}]*"content":\[\{"type":"text"|"role":"user","content":"(?!<|This session)|<command-name>/g,
    calls: /"type":\s*"tool_use"/g,
    results: /"type":\s*"tool_result"/g,
    errors: /"is_error":\s*true/g,
  },
  'codex-2025.jsonl': {
    messages: CODEX_SAID,
    errors: /exit_code\\":\s*1|"patch rejected by user"|"isError":\s*true/g,
  },
  'codex-exec-items.jsonl': {
    calls:
      /"item\.(?:completed|updated)",\s*"item":\s*\{\s*"id":\s*"item_[1-9]",\s*"type":\s*"(?:mcp_tool_call|command_execution|file_change|collab_tool_call)"|"item\.(?:started|updated)",\s*"item":\s*\{\s*"id":\s*"item_0"/g,
    results:
      /"result":\s*\{|"server is gone"|"status":\s*"declined"|"kind":\s*"update"\}\],\s*"status":\s*"failed"/g,
    errors:
      /"server is gone"|"status":\s*"declined"|"kind":\s*"update"\}\],\s*"status":\s*"failed"/g,
  },
  'codex-exec.jsonl': {
    calls: /"id":\s*"(\w+)",\s*"type":\s*"(?:command_execution|file_change|web_search)"/g,
    results: /"item\.completed",\s*"item":\s*\{\s*"id":\s*"\w+",\s*"type":\s*"command_execution"/g,
    errors: /"exit_code":\s*[1-9]/g,
  },
  'codex-refusals.jsonl': {
    messages: CODEX_SAID,
    errors:
      /Process exited with code 2|"output":\s*"(?:unsupported call|failed to parse|Command blocked|apply_patch verification failed)/g,
  },
  'codex.jsonl': { messages: CODEX_SAID, errors: /Process exited with code [1-9]/g },
  'continue.json': {
    calls: /"toolCallId":\s*"(\w+)"/g,
    results: /"output":\s*\[/g,
    errors: /"errored"/g,
  },
  'crush.json': {
    messages: SAID,
    calls: /"type":\s*"tool_call"/g,
    results: /"type":\s*"tool_result"/g,
  },
  'cursor-chat.json': {
    messages: SAID,
    calls: /"toolFormerData"/g,
    results: /"result":\s*"|"status":\s*"error"|"rejected"/g,
    errors: /exitCodeV2\\":\s*1|"status":\s*"error"|"rejected"/g,
  },
  'cursor-stream.jsonl': {
    calls: /"subtype":\s*"started"/g,
    results: /"type":\s*"tool_call",\s*"subtype":\s*"completed"/g,
    errors: /"exitCode":\s*[1-9]|"result":\s*\{\s*"(?:rejected|error)"/g,
  },
  'gemini-cli-document.json': {
    messages: /"type":\s*"(?:user|gemini)",\s*"content":\s*"(?!Please continue)/g,
    calls: /"args"/g,
    results: /"functionResponse"/g,
    errors: /Exit Code: 1|"status":\s*"cancelled"/g,
  },
  'gemini-cli-resumed.jsonl': {
    messages: GEMINI_SAID,
    errors: /(Exit Code: 2)|"response":\s*\{\s*"error":\s*"([^"]{4})/g,
  },
  'gemini-cli.jsonl': {
    messages: GEMINI_SAID,
    calls: /"toolCalls":\[\s*\{\s*"id"/g,
    results: /"status":\s*"(?:error|success)"/g,
    errors:
      /(Exit Code: 2)|"id":\s*"(\w+)",\s*"name":\s*"run_shell_command",\s*"response":\s*\{\s*"error"/g,
  },
  'gemini-contents-history.json': {
    calls: /"functionCall"/g,
    results: /"functionResponse"/g,
    errors: /"error"/g,
  },
  'gemini-contents.json': {
    calls: /"functionCall"|"executableCode"/g,
    results: /"functionResponse"|"codeExecutionResult"/g,
    errors: /"error"/g,
  },
  'hook-payloads-claude-code.jsonl': CLAUDE_HOOKS,
  'hook-payloads-codex.jsonl': CLAUDE_HOOKS,
  'hook-payloads-copilot.jsonl': {
    messages: /"prompt":\s*"(run the tests)"|"response"/g,
    calls: /"toolArgs":\s*(?:\{[^}]*\}|"(?:[^"\\]|\\.)*")\}/g,
    results: /"toolResult"|"error":\s*"/g,
    errors: /"error":\s*"/g,
  },
  'hook-payloads-cursor-details.jsonl': {
    messages: /"beforeSubmitPrompt"/g,
    calls: /"(?:before(?:Shell|MCP)Execution|beforeReadFile|afterFileEdit)"/g,
    results: /"(?:after(?:Shell|MCP)Execution|beforeReadFile)"/g,
  },
  'hook-payloads-cursor.jsonl': {
    messages: /"beforeSubmitPrompt"|"afterAgentResponse"/g,
    calls: /"preToolUse"/g,
    results: /"postToolUse(?:Failure)?"/g,
    errors: /"postToolUseFailure"/g,
  },
  'hook-payloads-gemini-cli.jsonl': {
    messages: /"BeforeAgent"|"prompt_response"/g,
    calls: /"BeforeTool"/g,
    results: /"AfterTool"/g,
    errors: /"AfterTool"[^\n]*Exit Code: 2/g,
  },
  'hook-payloads-opencode.jsonl': {
    calls: /"h":\s*"before"/g,
    results: /"h":\s*"after"/g,
    errors: /"h":\s*"after"[^\n]*"exit":\s*2/g,
  },
  'hook-payloads-refusals.jsonl': {
    messages: /"prompt":\s*"(try it)"|"last_assistant_message"/g,
    calls: /"tool_use_id":\s*"(\w+)"/g,
    results: /"tool_use_id":\s*"(\w+)",\s*"tool_response"/g,
    errors:
      /"PostToolUseFailure"|"tool_response":\s*"(?:<tool_use_error>|PreToolUse:Bash hook error|Claude requested permissions)/g,
  },
  'inspect-ai.json': {
    messages:
      /"(Fix the failing test|Running the tests|Another tool, then|It is fixed|Say yes|Looking it up|Yes)\."/g,
    calls: /"id":\s*"(call_\d|t1)",\s*"function"|"tool_type":\s*"web_search"/g,
    results: /"tool_call_id":\s*"(call_\d|t1)"|"result":\s*"10 results"/g,
    errors: /"error":\s*\{\s*"type":\s*"(?:timeout|parsing|approval)",\s*"message":\s*"([^"]+)/g,
  },
  'kimi-older.jsonl': {
    messages: SAID,
    calls: /"type":\s*"ToolCall"/g,
    results: /"type":\s*"ToolResult"/g,
  },
  'kimi.jsonl': {
    messages: SAID,
    calls: /"type":\s*"tool\.call"/g,
    results: /"type":\s*"tool\.result"/g,
  },
  'langfuse-bucket.jsonl': LANGFUSE,
  'langfuse.json': LANGFUSE,
  'letta.json': {
    messages: SAID,
    calls: /"arguments":\s*"(?:[^"\\]|\\.)*",\s*"tool_call_id":\s*"(\w+)"/g,
    results: /"status":\s*"(?:success|error)",\s*"tool_call_id":\s*"(\w+)"|"approve":\s*false/g,
    errors: /"status":\s*"error"|"approve":\s*false/g,
  },
  'managed-agents.json': {
    messages: SAID,
    calls: /"agent\.(?:mcp_)?tool_use"/g,
    results: /"agent\.tool_result"|"deny"/g,
    errors: /"is_error":\s*true|"deny"/g,
  },
  'mini-swe-agent-tools.json': {
    messages: /"content":\s*"(?:Fix the sum|I look)|"UserRejection"/g,
    calls: /"(call_\d)"/g,
    results: /"raw_output"|"FormatError"/g,
    errors: /"returncode":\s*-?[1-9]|"FormatError"/g,
  },
  'mini-swe-agent.json': {
    messages: /"content":\s*"(?:Please solve|THOUGHT: I am not sure|Interrupted by user)/g,
    calls: /"role":\s*"assistant",\s*"content":\s*"[^"]*```bash/g,
    results: /<returncode>|"Command not executed|"role":\s*"user",\s*"content":\s*""/g,
    errors: /<returncode>[1-9]|"Command not executed/g,
  },
  'mlflow.json': { errors: /"STATUS_CODE_ERROR"/g },
  'neutral-steps.jsonl': {
    messages: /"kind":\s*"message"/g,
    calls: /"kind":\s*"(?:tool_call|ui_action)"/g,
    results: /"result":\s*"/g,
    errors: /"is_error":\s*true/g,
  },
  'openai-messages-lines.jsonl': {
    calls: /"function_call":\s*\{|"id":\s*"(call_a)"|<tool_call>|"from":\s*"function_call"/g,
    results: /"role":\s*"(?:function|tool)"|<tool_response>|"from":\s*"observation"/g,
  },
  'openai-messages-responses.jsonl': {
    calls:
      /"type":\s*"(?:function|shell|web_search|mcp|custom_tool|computer)_call"|"type":\s*"mcp_call"/g,
    results: /"type":\s*"\w+_call_output"|"page not found"/g,
    errors: /"exit_code":\s*[1-9]|"page not found"/g,
  },
  'opencode-compacted.json': {
    messages: /"(?:run the test|It is fine\.|and now\?|Yes 4\.)"|executed by the user|"subtask"/g,
    ...both(/"callID":\s*"call_1_0"|"tool":\s*"task"/g),
  },
  'opencode-stream.jsonl': {
    messages: /"type":\s*"text",\s*"text"/g,
    calls: /"type":\s*"tool_use"/g,
    results: /"status":\s*"(?:completed|error)"/g,
  },
  'openhands-classic.json': {
    messages: /"action":\s*"message",\s*"args":\s*\{\s*"content":\s*"(?!Please continue)/g,
    calls: /"action":\s*"(?:run|read|delegate|browse_interactive|finish)"/g,
    results: /"observation":\s*"(?:run|read|user_rejected|browse|delegate)"/g,
    errors: /"success":\s*false|"observation":\s*"user_rejected"/g,
  },
  'openhands-evaluation.jsonl': {
    messages: /"action":\s*"message"|"MessageEvent"/g,
    calls: /"action":\s*"(?:run|finish)"|"kind":\s*"ActionEvent"/g,
    results: /"observation":\s*"run"/g,
  },
  'openhands-sdk.jsonl': {
    calls: /"tool_call_id":\s*"(\w+)"/g,
    results: /"kind":\s*"(?:ObservationEvent|AgentErrorEvent|UserRejectObservation)"|"raw_output"/g,
    errors:
      /"exit_code":\s*[1-9]\d*,\s*"metadata"|"kind":\s*"(?:AgentErrorEvent|UserRejectObservation)"/g,
  },
  'otel-spans-console.txt': {
    messages: SAID,
    calls: /name: 'execute_tool/g,
    results: /gen_ai\.tool\.call\.result|code: 2/g,
    errors: /code: 2/g,
  },
  'otel-spans-logfire.jsonl': { calls: /gen_ai\.tool\.call\.id/g, results: /"tool_response"/g },
  'otel-spans-nested.json': {
    messages: SAID,
    ...both(TOOL_SPAN),
    errors: /"status_code":\s*"Error"/g,
  },
  'otel-spans-phoenix.jsonl': { messages: SAID, ...both(TOOL_SPAN), errors: FAILED_SPAN },
  'otel-spans-python.json': { messages: SAID, ...both(TOOL_SPAN), errors: FAILED_SPAN },
  'otlp-ai-sdk-6.jsonl': {
    messages: SAID,
    errors:
      /toolCallId\\+":\s*\\+"(c\d)\\+",\s*\\+"toolName\\+":\s*\\+"\w+\\+",\s*\\+"output\\+":\s*\{\\+"type\\+":\s*\\+"error-text/g,
  },
  'otlp-langfuse.jsonl': {
    results:
      /langfuse\.observation\.type","value":\{"stringValue":"tool"|nosuch is not a valid tool/g,
    errors: FAILED_SPAN,
  },
  'pydantic-ai.json': { messages: SAID, errors: /"retry-prompt"/g },
  'qwen-code.jsonl': { calls: /"functionCall"/g, results: /"type":\s*"tool_result"/g },
  'smolagents.json': {
    messages: /"task"|"answer"/g,
    calls: /"id":\s*"c\d"/g,
    results: /"observations":\s*"/g,
    errors: /"AgentExecutionError"/g,
  },
  'swe-agent-attempts.json': {
    messages: /"Fix the sum\."(?=[\s\S]*\}\s*\],\s*"trajectory":)/g,
    ...both(
      /"action":\s*"(?!")(?:[^"\\]|\\.)*",\s*"observation"(?=[\s\S]*\}\s*\],\s*"trajectory":)/g,
    ),
  },
  'swe-agent.json': {
    messages: /"ISSUE:|"action":\s*""/g,
    ...both(/"action":\s*"(?!")(?:[^"\\]|\\.)*",\s*"observation"/g),
  },
  'tau2.json': {
    messages: /"role": "(?:user|assistant)",\s*"content": "/g,
    calls: /"requestor": "assistant"\s*\}/g,
    results: /"role": "tool",\s*"content": "(?:[^"\\]|\\.)*",\s*"requestor": "assistant"/g,
    errors: /"error": true/g,
  },
  'text-calls-crewai.json': {
    messages: /"role":\s*"user"|Final Answer: Done/g,
    calls: /\\nAction: \w/g,
    results: /Observation: /g,
    errors: /Error: exit 1/g,
  },
  'text-calls-functions.jsonl': {
    messages: /"user", "content": "(?!OBSERVATION|<)|"Sunday\."/g,
    calls: /<function=|<tool_call>/g,
    results: /OBSERVATION:|<tool_response>/g,
    errors: /Error: exit 1/g,
  },
  'text-calls-terminus.json': {
    messages: /You are an AI|\\"commands\\": \[\]/g,
    calls: /\\"commands\\": \[\\n/g,
    results: /New Terminal Output/g,
    errors: /no mark/g,
  },
  'text-calls.json': {
    messages: SAID,
    calls: /```bash/g,
    results: /<returncode>/g,
    errors: /<returncode>[1-9]/g,
  },
  'trae.json': {
    messages: SAID,
    calls: /"call_id":\s*"c\d",\s*"name"/g,
    results: /"call_id":\s*"c\d",\s*"success"/g,
  },
  'unrut-events.jsonl': {
    messages: /"user-spoke"|"channel":"answer"/g,
    errors: /"exitCode":\s*[1-9]/g,
  },
  'vscode-chat-export.json': {
    calls: /"toolInvocationSerialized"/g,
    messages: /"message":\s*\{|"value":\s*"(?:I'll|They)/g,
  },
  'vscode-chat.json': {
    messages: /"(?:response|text|value)":\s*"(Fix the test|Looking|Done|And now|It fails)[.?]"/g,
    calls: /"id":\s*"c\d"|"toolCallId":\s*"v[23]"/g,
    results: /"\$mid":\s*20|"resultDetails"|"isConfirmed":\s*false/g,
    errors: /"isError":\s*true|"exitCode":\s*1|"isConfirmed":\s*false/g,
  },
  'weave-kinds.jsonl': { errors: /"exception":\s*"/g },
  'weave.jsonl': { errors: /"exception":\s*"/g },
  'zed-older.json': { messages: SAID, calls: /"tool_uses":\s*\[\s*\{/g, results: /"tool_use_id"/g },
  'zed.json': { messages: SAID, calls: /"ToolUse"/g, results: /"tool_use_id"/g },
  'otlp-ai-sdk-7.jsonl': {
    messages: /(Fix the test|Looking|Searching|Found it|Done)\./g,
    results:
      /gen_ai\.tool\.call\.result|"code":\s*2|(AI_NoSuchToolError)|(AI_InvalidToolInputError)/g,
    errors: /"code":\s*2/g,
  },
  'otlp-openai-events.jsonl': {
    messages: SAID,
    calls: /"stringValue":"(call_\d)"\}\},\{"key":"type"/g,
    results: /"stringValue":"(call_\d)"\}\},\{"key":"content"/g,
  },
  'otlp-claude-code.jsonl': {
    messages:
      /claude_code\.assistant_response|\\"prompt\\",\\"value\\":\{\\"stringValue\\":\\"(?!<)/g,
    calls: /\\"name\\":\\"claude_code\.tool\\"/g,
    results:
      /\\"name\\":\\"tool\.output\\"|\\"decision\\",\\"value\\":\{\\"stringValue\\":\\"reject\\"\}\},\{\\"key\\":\\"source\\",\\"value\\":\{\\"stringValue\\":\\"config\\"\}\}\]/g,
    errors:
      /\\"decision\\",\\"value\\":\{\\"stringValue\\":\\"reject\\"\}\},\{\\"key\\":\\"source\\",\\"value\\":\{\\"stringValue\\":\\"config\\"\}\}\]/g,
  },
  'anthropic-messages-requests.jsonl': {
    messages: /(List the files|There is a\.txt)\.|<task>|<feedback>/g,
    calls: /"id": "(toolu_\d)"|<(?:read_file|attempt_completion)>/g,
    results: /"tool_use_id"|\] Result:/g,
  },
  'claude-code-older.jsonl': {
    messages:
      /"model":"claude[^"]*","content":\[\{"type":"text"|<command-name>|<bash-input>|"fix the date test"|"type":"image"|"queued_command","prompt":"(?!<)/g,
  },
  'claude-code-subagent.jsonl': {
    messages: /"role":"assistant"[^[\]{}]*"content":\[\{"type":"text"/g,
  },
  'claude-stream.jsonl': {
    messages: /"role":\s*"(?:user|assistant)"[^[\]{}]*"content":\s*\[\{"type":\s*"text"/g,
  },
  'codex-older.jsonl': { messages: CODEX_SAID },
  'codex-nested.jsonl': { messages: /"role":\s*"assistant"/g },
  'copilot-stream.jsonl': { messages: COPILOT_SAID },
  'copilot.jsonl': { messages: COPILOT_SAID },
  'goose.json': {
    messages: /"text":\s*"(?:the test fails|I look at both files|I could not fix it)/g,
  },
  'hermes.jsonl': {
    messages: /"content": "(Mend the build|I run the tests|The build is mended)\./g,
    calls: /"id": "(c[123])"/g,
    results: /"tool_call_id": "(c[123])"/g,
    errors: /(exit_code\\": 1|File not found)/g,
  },
  'openclaw.jsonl': {
    messages: /"text": "(Mend the build|I run the tests|The build is mended)\./g,
    calls: /"type": "toolCall", "id": "(c[145678])"/g,
    results: /"toolCallId": "(c[145678])"/g,
    errors: /(with code 1|Could not find the exact text|with code 2|No session found)/g,
  },
  'opencode-nested.json': { messages: /"text":\s*"It checks/g },
  'opencode.json': { messages: /"type":\s*"text"/g },
};
