import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { Contents } from './import-file.ts';
import { MARKS } from './raw-marks.ts';

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

/** A document or JSON lines; otherwise empty. */
function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.includes('\n')
      ? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : parsed(line)))
      : [];
  }
}

const CALL =
  /^(?:tool_use|function_call|tool-call|local_shell_call|custom_tool_call|web_search_call|toolCall|toolRequest|tool\.execution_start|agent\.(?:mcp_|custom_)?tool_use|call-finished|mcp_tool_use|server_tool_use)$/;
const RESULT =
  /^(?:tool_result|function_call_output|custom_tool_call_output|tool-result|toolResult|toolResponse|tool\.execution_complete|agent\.(?:mcp_)?tool_result|mcp_tool_result|web_search_tool_result)$/;

const textIn = (record: JsonObject, ...names: string[]): string | undefined =>
  names.map((name) => record[name]).find((value) => typeof value === 'string') as
    | string
    | undefined;
const under = (record: JsonObject, name: string): JsonObject =>
  isObject(record[name]) ? record[name] : {};
const idOf = (record: JsonObject): string =>
  textIn(record, 'tool_use_id', 'call_id', 'toolCallId', 'tool_call_id', 'callID', 'toolUseId') ??
  textIn(under(record, 'data'), 'toolCallId') ??
  textIn(under(record, 'call'), 'id') ??
  textIn(record, 'id') ??
  JSON.stringify(record);

/** A call and its id in common protocols; independent of our readers. */
function callIn(record: JsonObject): string | undefined {
  const [type, kind, state] = [textOf(record.type), record.kind, textOf(record.state)];
  if (CALL.test(type) || (type === 'tool' && 'callID' in record) || type === 'dynamic-tool')
    return idOf(record);
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
  const [type, role, state, status] = ['type', 'role', 'state', 'status'].map((name) =>
    textOf(record[name]),
  ) as [string, string, string, string];
  if (RESULT.test(type) || role === 'toolResult') return idOf(record);
  if (textOf(record.source_call_id) !== '') return textOf(record.source_call_id);
  if (record.kind === 'tool_call' && 'result' in record) return String(record.i);
  if (Array.isArray(record.id) && record.id.at(-1) === 'ToolMessage')
    return idOf(under(record, 'kwargs'));
  if ((role === 'tool' || type === 'tool') && 'tool_call_id' in record) return idOf(record);
  if (type === 'tool' && 'tool_call_id' in under(record, 'data'))
    return idOf(under(record, 'data'));
  if (type === 'tool' && /^(?:completed|error)$/.test(String(under(record, 'state').status)))
    return idOf(record);
  if ('toolCallId' in record && state.startsWith('output-')) return idOf(record);
  if ('functionResponse' in record) return idOf(under(record, 'functionResponse'));
  if ('toolUseId' in under(record, 'toolResult')) return idOf(under(record, 'toolResult'));
  if (/^(?:tool-return|retry-prompt)$/.test(String(record.part_kind)) && 'tool_call_id' in record)
    return idOf(record);
  if (record.sessionUpdate === 'tool_call_update' && /^(?:completed|failed)$/.test(status))
    return idOf(record);
  return type === 'call-finished' && ('result' in record || 'error' in record)
    ? idOf(record)
    : undefined;
}

const FAILED =
  /^(?:error|failed|errored|rejected|cancelled|declined|denied|output-error|output-denied)$/i;

/** Whether a record says that something failed, in one of the ways that protocols have for it. */
function saysFailed(record: JsonObject): boolean {
  if (record.is_error === true || record.isError === true || record.success === false) return true;
  if (
    ['status', 'state', 'level', 'outcome', 'resultType'].some((name) =>
      FAILED.test(textOf(record[name])),
    )
  )
    return true;
  if (
    ['exit_code', 'exitCode', 'returncode', 'exit'].some(
      (name) => typeof record[name] === 'number' && record[name] !== 0,
    )
  )
    return true;
  return textOf(record.error) !== '' || Object.keys(under(record, 'error')).length > 0;
}

const IDS = [
  'tool_use_id',
  'call_id',
  'toolCallId',
  'tool_call_id',
  'callID',
  'toolUseId',
  'source_call_id',
  'callId',
];
const HOLDS_RESULT = ['result', 'output', 'response', 'state'];

/** The ids of calls that some record, at any depth, marks as failed. */
function failedCalls(value: unknown, failed: Set<string>, id?: string, depth = 0): void {
  if (typeof value === 'string' && depth < 6 && /^\s*[{[]/.test(value)) {
    for (const each of parsed(value)) failedCalls(each, failed, id, depth + 1);
  } else if (Array.isArray(value)) for (const each of value) failedCalls(each, failed, id, depth);
  else if (isObject(value)) {
    const isResult =
      HOLDS_RESULT.some((name) => name in value) || /^tool(?:Response)?$/.test(textOf(value.type));
    const own = textIn(value, ...IDS) ?? (isResult ? textIn(value, 'id') : undefined) ?? id;
    if (own !== undefined && saysFailed(value)) failed.add(own);
    for (const each of Object.values(value)) failedCalls(each, failed, own, depth);
  }
}

const PERSON = /^(?:user|human|person|user_message|user\.message)$/i;
const AGENT =
  /^(?:assistant|ai|model|agent|agent_message|assistant\.message|assistant_message|gemini|gpt)$/i;

/** The speaker and text of a record; thoughts, calls and results do not count. */
function messageIn(record: JsonObject): string | undefined {
  const who = ['role', 'type', 'source', 'sender', 'from', 'author'].map((name) =>
    textOf(record[name]),
  );
  const speaker = who.some((name) => PERSON.test(name))
    ? 'person'
    : who.some((name) => AGENT.test(name))
      ? 'agent'
      : undefined;
  if (speaker === undefined) return undefined;
  const text = wordsIn(
    ['content', 'parts', 'text', 'message', 'value', 'data']
      .map((name) => record[name])
      .find((each) => each != null),
  ).trim();
  return text === '' ? undefined : `${speaker} ${text}`;
}

function wordsIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content.map((part) => (isObject(part) && isNoText(part) ? '' : wordsIn(part))).join('');
  return isObject(content)
    ? wordsIn(content.text ?? content.content ?? content.value ?? content.parts)
    : '';
}

const isNoText = ({ type, kind = type, thought }: JsonObject): boolean =>
  thought === true ||
  (kind !== undefined && !/^(?:text|input_text|output_text)$/.test(textOf(kind)));

/** Matches of a mark; those that capture the same count once. */
const marksIn = (text: string, mark: RegExp): number =>
  new Set(
    Array.from(
      text.matchAll(mark),
      (match) => match.slice(1).find((captured) => captured !== undefined) ?? match.index,
    ),
  ).size;

/** How many calls, results, failures and messages are in a recording, by its own words. */
export function countRaw(sample: string, text: string): Contents {
  const marks = MARKS[sample] ?? {};
  const values = parsed(text);
  const records = values.flatMap((value) => [...objectsIn(value)]);
  const distinct = (of: typeof callIn): number =>
    new Set(records.flatMap((record) => of(record) ?? [])).size;
  const failed = new Set<string>();
  for (const value of values) failedCalls(value, failed);
  return {
    messages: marks.messages ? marksIn(text, marks.messages) : distinct(messageIn),
    calls: marks.calls ? marksIn(text, marks.calls) : distinct(callIn),
    results: marks.results ? marksIn(text, marks.results) : distinct(resultIn),
    errors: marks.errors ? marksIn(text, marks.errors) : failed.size,
  };
}
