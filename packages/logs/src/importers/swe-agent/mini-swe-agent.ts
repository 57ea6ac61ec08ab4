import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '@unrut/engine/json';
import { createChat } from '@unrut/reading/chat/chat';
import { messageParts } from '@unrut/reading/chat/message-parts';
import type { Part } from '@unrut/reading/chat/part';
import type {
  ImportedRun,
  Importer,
  ImportMoment,
  Returned,
  Source,
} from '@unrut/reading/importer';
import { messageText } from '@unrut/reading/message-content';
import { responseCost } from '@unrut/reading/response-cost';
import { readDocuments } from '@unrut/reading/run-documents';

/** A command in a message's text, as in version 1. */
const COMMAND = /```bash\s*\n([\s\S]*?)\n```/g;
const RETURN_CODE = /^<returncode>(\d+)<\/returncode>/;
/** Beginnings of messages that quote the user. */
const BY_PERSON = /^(?:Interrupted by user|The user added a new task): /;
const REJECTED = /^Commands? not executed\. The user rejected your commands?/;

/** Less is an error of rounding. */
const LEAST_USD = 1e-9;

/** Trajectories of mini-swe-agent: commands in message texts, or tool calls. */
export const miniSweAgent: Importer = {
  name: 'mini-swe-agent',
  reads: 'trajectories of mini-swe-agent (`.traj.json`)',
  sample: 'written after its source',
  recognises: (first) => first.some(isTrajectory),
  open: (source) =>
    readDocuments(source, isTrajectory, (document, name) =>
      readRun(source.run(name), document, source),
    ),
};

const isTrajectory = (record: unknown): record is JsonObject =>
  isObject(record) &&
  Array.isArray(record.messages) &&
  textOf(record.trajectory_format).startsWith('mini-swe-agent');

function readRun(run: ImportedRun, document: JsonObject, source: Source): void {
  const chat = createChat(run, source);
  const messages = objectsOf(document.messages);
  const state: State = { isBegun: false, waiting: 0 };
  let usd = 0;
  messages.forEach((message, i) => {
    const cost = costOf(message);
    usd += cost?.usd ?? 0;
    const parts = partsOf(message, state, () => isRejected(messages, i));
    state.waiting +=
      parts.filter(({ kind }) => kind === 'calls').length -
      parts.filter(({ kind }) => kind === 'returns').length;
    chat.tell(parts, { at: extraOf(message).timestamp, cost }, `message ${i}`);
  });
  const info = objectOf(document.info);
  const total = objectOf(info.model_stats).instance_cost;
  const rest = typeof total === 'number' ? total - usd : 0;
  run.ends({
    outcome: textOf(info.exit_status) || undefined,
    cost: rest > LEAST_USD ? { usd: rest } : undefined,
  });
}

const extraOf = ({ extra }: JsonObject): JsonObject => objectOf(extra);

function costOf(message: JsonObject): ImportMoment['cost'] {
  const { cost: usd, response } = extraOf(message);
  const cost = {
    ...responseCost(isObject(response) ? response.usage : message.usage),
    ...(typeof usd === 'number' ? { usd } : {}),
  };
  return Object.keys(cost).length > 0 ? cost : undefined;
}

interface State {
  /** The task was given. */
  isBegun: boolean;
  /** Number of calls without results so far. */
  waiting: number;
}

function partsOf(message: JsonObject, state: State, isRejected: () => boolean): Part[] {
  if (Array.isArray(message.output)) return message.output.filter(isObject).flatMap(messageParts);
  if (message.role === 'exit') return [];
  if (message.role === 'user') return userParts(message, state);
  if (message.role !== 'assistant')
    return messageParts(message).map((part) => withOutput(part, message, isRejected()));
  return Array.isArray(message.tool_calls) && message.tool_calls.length > 0
    ? messageParts(message)
    : textParts(message);
}

/** The command of a message without tool calls, and the text before it. */
function textParts(message: JsonObject): Part[] {
  const text = messageText(message.content);
  const { actions } = extraOf(message);
  const matches = [...text.matchAll(COMMAND)];
  const commands = Array.isArray(actions)
    ? actions.filter(isObject).map(({ command, action }) => textOf(command) || textOf(action))
    : matches.length === 1
      ? [matches[0]![1]!.trim()]
      : [];
  if (commands.length === 0) return [{ kind: 'says', text }];
  const end = text.search(/```|<mswea_bash_command>/);
  return [
    { kind: 'thinks', text: end === -1 ? text : text.slice(0, end).trim() },
    ...commands.map((command): Part => ({ kind: 'calls', tool: 'bash', args: { command } })),
  ];
}

/**
 * A user message: the task, an interjection, a command's output, or an error about a message's
 * format.
 */
function userParts(message: JsonObject, state: State): Part[] {
  const text = messageText(message.content);
  const interrupt = textOf(extraOf(message).interrupt_type);
  const isPerson =
    !state.isBegun ||
    'actions' in extraOf(message) ||
    BY_PERSON.test(text) ||
    interrupt.startsWith('User');
  state.isBegun = true;
  if (state.waiting === 0) return isPerson ? [{ kind: 'person', text }] : [];
  const answer = (returned: Returned): Part[] =>
    Array.from({ length: state.waiting }, () => ({ kind: 'returns', returned }));
  if (REJECTED.test(text)) return answer({ result: text, refusedBy: 'user' });
  if (interrupt === 'FormatError')
    return answer({
      result: text,
      error: true,
      refusedBy: text.includes('Unknown tool') ? 'unknown-tool' : 'schema',
    });
  if (isPerson) return [...answer({}), { kind: 'person', text }];
  return [withOutput({ kind: 'returns', returned: { result: text } }, message, false)];
}

/** Adds the environment's data about the end of a command. */
function withOutput(part: Part, message: JsonObject, isRejected: boolean): Part {
  if (part.kind !== 'returns') return part;
  const { returncode, exception_info: exception } = extraOf(message);
  const code =
    typeof returncode === 'number'
      ? returncode
      : Number(RETURN_CODE.exec(textOf(part.returned.result))?.[1] ?? -1);
  const returned: Returned = {
    ...part.returned,
    ...(code >= 0 ? { exitCode: code } : {}),
    ...(exception ? { error: true } : {}),
    ...(isRejected ? { refusedBy: 'user' } : {}),
  };
  return { ...part, returned };
}

/**
 * Whether the user rejected the calls that this message answers: the results come first, then the
 * user's text.
 */
function isRejected(messages: readonly JsonObject[], at: number): boolean {
  const next = messages.find(
    (message, i) => i > at && (message.role === 'user' || message.role === 'assistant'),
  );
  return next !== undefined && extraOf(next).interrupt_type === 'UserRejection';
}
