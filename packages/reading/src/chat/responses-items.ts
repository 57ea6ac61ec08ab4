import { type JsonObject, listOf, objectOf, parsed, textOf } from '@unrut/engine/json';
import { messageText, resultContent } from '../message-content.ts';
import { returnedWith } from '../returned-with.ts';
import { type Part, withId } from './part.ts';

/** Items of the Responses API that are no step. */
const NO_STEPS =
  /^(?:item_reference|additional_tools|compaction_trigger|mcp_list_tools|mcp_approval_re(?:quest|sponse))$/;

/** Calls of tools that the agent runs, and of those that the API runs. */
const CALL =
  /^(?:function|custom_tool|(?:local_)?shell|apply_patch|computer|(?:web|file|tool)_search|code_interpreter|mcp|image_generation)_call$/;
const OUTPUT =
  /^(?:(?:function|custom_tool|(?:local_)?shell|apply_patch|computer)_call|tool_search)_output$/;

/**
 * The parts of a Responses API item; undefined for anything else. Its messages are read like those
 * of any chat.
 */
export function itemParts(item: JsonObject): Part[] | undefined {
  const type = textOf(item.type);
  if (CALL.test(type))
    return item.id === undefined && item.call_id === undefined ? undefined : callParts(item, type);
  if (OUTPUT.test(type)) return item.call_id === undefined ? undefined : [outputPart(item)];
  if (type === 'compaction') return [{ kind: 'compacted' }];
  if (NO_STEPS.test(type)) return [];
  if (type !== 'reasoning' || !(Array.isArray(item.summary) || Array.isArray(item.content)))
    return undefined;
  return [{ kind: 'thinks', text: messageText(item.content) || messageText(item.summary) }];
}

/**
 * A call, and its result when the API itself runs the tool: then the item has no id for others to
 * answer to.
 */
function callParts(item: JsonObject, type: string): Part[] {
  const id = textOf(item.call_id) || textOf(item.id);
  const { action, actions, operation, queries, code, input } = item;
  const args =
    parsed(item.arguments) ?? input ?? action ?? operation ?? given({ actions, queries, code });
  const call: Part = withId(
    { kind: 'calls', tool: textOf(item.name) || type.replace(/_call$/, ''), args },
    id,
  );
  if (item.call_id !== undefined) return [call];
  const result = item.output ?? item.outputs ?? item.results ?? undefined;
  const error = item.error ?? (item.status === 'failed' ? true : undefined);
  return [
    call,
    withId(
      { kind: 'returns', returned: returnedWith({ result: resultContent(result), error }) },
      id,
    ),
  ];
}

function outputPart(item: JsonObject): Part {
  const output = item.output ?? item.result ?? item.tools;
  const exitCode = listOf(output)
    .map(exitCodeOf)
    .findLast((code) => typeof code === 'number');
  const error = item.status === 'failed' ? true : undefined;
  return withId(
    { kind: 'returns', returned: returnedWith({ result: resultContent(output), exitCode, error }) },
    item.call_id,
  );
}

/** `{stdout, stderr, outcome: {type: 'exit', exit_code}}` of the shell tool. */
const exitCodeOf = (part: unknown): unknown => objectOf(objectOf(part).outcome).exit_code;

const given = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
