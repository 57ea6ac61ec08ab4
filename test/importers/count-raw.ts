import { isObject, type JsonObject, textOf } from '../../src/json.ts';
import type { Contents } from './import-file.ts';

type Found = Pick<Contents, 'calls' | 'results'>;

/** Every object in a file, however deep; texts that are JSON are opened. */
function* objectsIn(value: unknown, depth = 0): Generator<JsonObject> {
  if (typeof value === 'string' && depth < 6 && /^\s*[{[]/.test(value)) {
    for (const each of parsed(value)) yield* objectsIn(each, depth + 1);
  } else if (Array.isArray(value)) for (const each of value) yield* objectsIn(each, depth);
  else if (isObject(value)) {
    yield value;
    for (const each of Object.values(value)) yield* objectsIn(each, depth);
  }
}

/** A document, or lines; what is neither is nothing. */
function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.includes('\n') ? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : parsed(line))) : [];
  }
}

const CALL =
  /^(?:tool_use|function_call|tool-call|local_shell_call|custom_tool_call|web_search_call|toolCall|toolRequest|tool\.execution_start|agent\.(?:mcp_|custom_)?tool_use|call-finished|mcp_tool_use|server_tool_use)$/;
const RESULT =
  /^(?:tool_result|function_call_output|custom_tool_call_output|tool-result|toolResult|toolResponse|tool\.execution_complete|agent\.(?:mcp_)?tool_result|mcp_tool_result|web_search_tool_result)$/;

const textIn = (record: JsonObject, ...names: string[]): string | undefined =>
  names.map((name) => record[name]).find((value) => typeof value === 'string') as string | undefined;
const under = (record: JsonObject, name: string): JsonObject => (isObject(record[name]) ? record[name] : {});
const idOf = (record: JsonObject): string =>
  textIn(record, 'tool_use_id', 'call_id', 'toolCallId', 'tool_call_id', 'callID', 'toolUseId') ??
  textIn(under(record, 'data'), 'toolCallId') ??
  textIn(under(record, 'call'), 'id') ??
  textIn(record, 'id') ??
  JSON.stringify(record);

/** What a call is known by in the protocols that most recordings are made of, and its id; nothing is known here of any reader. */
function callIn(record: JsonObject): string | undefined {
  const [type, kind, state] = [textOf(record.type), record.kind, textOf(record.state)];
  if (CALL.test(type) || (type === 'tool' && 'callID' in record) || type === 'dynamic-tool') return idOf(record);
  if (type.startsWith('tool-') && 'toolCallId' in record && state !== '') return idOf(record);
  if (type === 'tool_call' && ('id' in record || 'call_id' in record)) return idOf(record);
  if ('tool_call_id' in record && 'function_name' in record) return idOf(record);
  if ('functionCall' in record) return idOf(under(record, 'functionCall'));
  if ('toolUse' in record) return idOf(under(record, 'toolUse'));
  if ('arguments' in under(record, 'function')) return idOf(record);
  if (record.part_kind === 'tool-call' || record.sessionUpdate === 'tool_call') return idOf(record);
  return kind === 'tool_call' ? String(record.i) : undefined;
}

function resultIn(record: JsonObject): string | undefined {
  const [type, role, state, status] = ['type', 'role', 'state', 'status'].map((name) => textOf(record[name])) as [
    string,
    string,
    string,
    string,
  ];
  if (RESULT.test(type) || role === 'toolResult') return idOf(record);
  if (textOf(record.source_call_id) !== '') return textOf(record.source_call_id);
  if (record.kind === 'tool_call' && 'result' in record) return String(record.i);
  if (Array.isArray(record.id) && record.id.at(-1) === 'ToolMessage') return idOf(under(record, 'kwargs'));
  if ((role === 'tool' || type === 'tool') && 'tool_call_id' in record) return idOf(record);
  if (type === 'tool' && 'tool_call_id' in under(record, 'data')) return idOf(under(record, 'data'));
  if (type === 'tool' && /^(?:completed|error)$/.test(String(under(record, 'state').status))) return idOf(record);
  if ('toolCallId' in record && state.startsWith('output-')) return idOf(record);
  if ('functionResponse' in record) return idOf(under(record, 'functionResponse'));
  if ('toolUseId' in under(record, 'toolResult')) return idOf(under(record, 'toolResult'));
  if (/^(?:tool-return|retry-prompt)$/.test(String(record.part_kind)) && 'tool_call_id' in record) return idOf(record);
  if (record.sessionUpdate === 'tool_call_update' && /^(?:completed|failed)$/.test(status)) return idOf(record);
  return type === 'call-finished' && ('result' in record || 'error' in record) ? idOf(record) : undefined;
}

/** Where calls and results are told by a word of their own. */
const WORDS: Readonly<Record<string, readonly [calls: RegExp, results: RegExp]>> = {
  'cursor-stream': [/"subtype": ?"started"/g, /"type": ?"tool_call", ?"subtype": ?"completed"/g],
  'gemini-cli.jsonl': [/"toolCalls":\[\{"id"/g, /"status": ?"(?:error|success)"/g],
  'hook-payloads-claude-code': [/"PreToolUse"/g, /"PostToolUse(?:Failure)?"/g],
  'hook-payloads-codex': [/"PreToolUse"/g, /"PostToolUse(?:Failure)?"/g],
  'hook-payloads-cursor.': [/"preToolUse"/g, /"postToolUse(?:Failure)?"/g],
  'hook-payloads-gemini-cli': [/"BeforeTool"/g, /"AfterTool"/g],
  'hook-payloads-opencode': [/"h": ?"before"/g, /"h": ?"after"/g],
  'kimi.jsonl': [/"type": ?"tool\.call"/g, /"type": ?"tool\.result"/g],
  'opencode-stream': [/"type": ?"tool_use"/g, /"status": ?"(?:completed|error)"/g],
  'otel-spans-nested': [/"openinference\.span\.kind": ?"TOOL"/g, /"openinference\.span\.kind": ?"TOOL"/g],
  'otel-spans-phoenix': [/"openinference\.span\.kind": ?"TOOL"/g, /"openinference\.span\.kind": ?"TOOL"/g],
  'qwen-code': [/"functionCall"/g, /"type": ?"tool_result"/g],
};

/** How many calls and results are in a recording, by its own words. */
export function countRaw(sample: string, text: string): Found {
  const words = Object.entries(WORDS).find(([name]) => sample.startsWith(name))?.[1];
  if (words) {
    const [calls, results] = words.map((word) => text.match(word)?.length ?? 0) as [number, number];
    return { calls, results };
  }
  const records = parsed(text).flatMap((value) => [...objectsIn(value)]);
  const distinct = (of: typeof callIn): number => new Set(records.flatMap((record) => of(record) ?? [])).size;
  return { calls: distinct(callIn), results: distinct(resultIn) };
}
