import { isObject, type JsonObject, objectOf, parsed, textOf } from '@unrut/engine/json';
import { type Role, roleOf } from '@unrut/reading/chat/api-parts';
import { type Chat, createChat } from '@unrut/reading/chat/chat';
import { type Part, told } from '@unrut/reading/chat/part';
import { namedCall } from '@unrut/reading/chat/text-calls';
import type { Importer, Returned } from '@unrut/reading/importer';
import { messageText } from '@unrut/reading/message-content';
import { returnedWith } from '@unrut/reading/returned-with';
import { documentName, kindOf } from '@unrut/reading/run-documents';

/** A notation for calls in message texts: their position, and the called tool. */
interface Protocol {
  pattern: RegExp;
  call(match: RegExpMatchArray): { tool: string; args: unknown };
  /** The reasoning in the text of a message. Default: everything before the first call. */
  thought?(text: string): string;
  /** A call only if a machine answers it, since commands are also suggested to people. */
  isFence?: true;
}

const PARAMETERS = /<parameter(?:=| name=")([\w.-]+)"?>([\s\S]*?)<\/parameter>/g;
const parametersIn = (text: string): JsonObject =>
  Object.fromEntries(
    [...text.matchAll(PARAMETERS)].map(([, name, value]) => [
      name!,
      value!.replace(/^\n|\n$/g, ''),
    ]),
  );

/** All texts under a name, in JSON that may be damaged. */
const textsUnder = (name: string, json: string): string[] =>
  [...json.matchAll(new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\[\\s\\S])*")`, 'g'))].map(
    ([, text]) => textOf(parsed(text)),
  );

/** Terminus's terminal input; an empty one is a wait. */
function typed(keys: readonly string[]): { tool: string; args: unknown } {
  const command = keys.join('').trim();
  return command === '' ? { tool: 'wait', args: {} } : { tool: 'bash', args: { command } };
}

/** The first notation found in a message is used. */
const PROTOCOLS: readonly Protocol[] = [
  {
    pattern: /"commands"\s*:\s*\[\s*\{\s*"(?:keystrokes|duration|is_blocking)"[\s\S]*/g,
    call: ([json]) => typed(textsUnder('keystrokes', json)),
    thought: (text) =>
      ['analysis', 'state_analysis', 'plan', 'explanation']
        .flatMap((name) => textsUnder(name, text))
        .join('\n'),
  },
  {
    pattern: /<commands>\s*((?:<keystrokes\b[^>]*>[\s\S]*?<\/keystrokes>\s*)+)<\/commands>/g,
    call: ([, keys]) =>
      typed(
        [...keys!.matchAll(/<keystrokes\b[^>]*>([\s\S]*?)<\/keystrokes>/g)].map(
          ([, each]) => each!,
        ),
      ),
  },
  {
    pattern: /<function=([\w.-]+)>([\s\S]*?)<\/function>/g,
    call: ([, tool, body]) => ({ tool: tool!, args: parametersIn(body!) }),
  },
  {
    pattern: /<(?:antml:)?invoke name="([\w.-]+)">([\s\S]*?)<\/(?:antml:)?invoke>/g,
    call: ([, tool, body]) => ({ tool: tool!, args: parametersIn(body!.replaceAll('antml:', '')) }),
  },
  {
    pattern: /<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g,
    call: ([, json]) => namedCall(json) ?? { tool: 'unknown', args: parsed(json) },
  },
  {
    pattern:
      /^Action:[ \t]*([^\n]+)\nAction Input:[ \t]*([\s\S]*?)(?=\n+Observation:|\n+Thought:|$(?![\s\S]))/gm,
    call: ([, tool, input]) => ({ tool: tool!.trim(), args: parsed(input!.trim()) }),
  },
  {
    isFence: true,
    pattern: /```(?:bash|sh|mswea_bash_command)\s*\n([\s\S]*?)\n```/g,
    call: ([, command]) => ({ tool: 'bash', args: { command: command!.trim() } }),
  },
  {
    isFence: true,
    pattern: /<mswea_bash_command>([\s\S]*?)<\/mswea_bash_command>/g,
    call: ([, command]) => ({ tool: 'bash', args: { command: command!.trim() } }),
  },
];
const OUTPUT =
  /^\s*(?:<returncode>|<output>|<tool_response>|OBSERVATION:|Observation:|\[?Exit code\b|EXECUTION RESULT|(?:New|Current) Terminal (?:Output|Screen)|Previous response had)/;
const FAILED =
  /^\s*(?:OBSERVATION:\s*|Observation:\s*)?(?:Error\b|ERROR\b|Traceback \(most recent)/;
const RETURN_CODE = /<returncode>(\d+)<\/returncode>/;

interface Message {
  role: Role | undefined;
  text: string;
}

function messageOf(value: unknown): Message | undefined {
  if (!isObject(value) || 'tool_calls' in value) return undefined;
  const { content } = value;
  const role = roleOf(value);
  const isText = Array.isArray(content)
    ? content.every((part) => isObject(part) && part.type === 'text')
    : typeof content === 'string' && role !== undefined;
  return isText ? { role, text: messageText(content) } : undefined;
}

const protocolOf = (text: string): number =>
  PROTOCOLS.findIndex(({ pattern }) =>
    new RegExp(pattern.source, pattern.flags.replace('g', '')).test(text),
  );

/**
 * Whether messages have calls in their texts: at least two or all assistant texts, with machine
 * answers.
 */
function hasCalls(messages: readonly Message[]): boolean {
  const said = messages.filter(({ role }) => role === 'assistant');
  const calls = said.filter(({ text }) => protocolOf(text) !== -1);
  if (calls.length === 0 || (calls.length < 2 && calls.length < said.length)) return false;
  const answered = calls.some((call) =>
    OUTPUT.test(messages[messages.indexOf(call) + 1]?.text ?? ''),
  );
  return answered || calls.some(({ text }) => !PROTOCOLS[protocolOf(text)]!.isFence);
}

const listIn = (record: unknown): readonly unknown[] | undefined =>
  Array.isArray(record)
    ? record
    : isObject(record)
      ? [record.messages, record.conversation, record.traj].find((list) => Array.isArray(list))
      : undefined;
const messagesIn = (list: readonly unknown[]): Message[] =>
  list.flatMap((value) => messageOf(value) ?? []);
/** The tasks of a crew, each with its agent's messages. */
const tasksIn = (record: unknown): JsonObject[] =>
  isObject(record) && Array.isArray(record.tasks_output)
    ? record.tasks_output.filter(
        (task): task is JsonObject => isObject(task) && Array.isArray(task.messages),
      )
    : [];

/** Conversations with calls in the text of the messages. */
export const textCalls: Importer = {
  name: 'text-calls',
  reads:
    'chats whose calls are in their texts: `Action:`, `<tool_call>`, `<function=…>`, `<invoke …>`, commands in ```` ```bash ````, keystrokes of Terminus (CrewAI, mini-swe-agent, ReAct)',
  sample:
    'written after the sources of CrewAI (crewAIInc/crewAI 0086133) and mini-swe-agent; other protocols to the known shape',
  recognises: (first) => {
    if (first.some((record) => isObject(record) && 'trajectory_format' in record)) return false;
    const lists = first.flatMap((record) => [
      ...tasksIn(record).map(({ messages }) => messages as unknown[]),
      listIn(record) ?? [],
    ]);
    return [first, ...lists].some(
      (list) =>
        list.length > 0 && messagesIn(list).length === list.length && hasCalls(messagesIn(list)),
    );
  },
  open(source) {
    let records = 0;
    const tellers = new Map<string, (message: unknown) => void>();
    function teller(session: string, agent?: string): (message: unknown) => void {
      const key = JSON.stringify([session, agent]);
      const tell =
        tellers.get(key) ??
        createTeller(createChat(source.run(session, agent), source), (kind) =>
          source.unknown(kind),
        );
      tellers.set(key, tell);
      return tell;
    }
    return {
      read(record) {
        records++;
        const name = documentName(objectOf(record), source.name, records);
        const tasks = tasksIn(record);
        for (const [i, task] of tasks.entries())
          for (const message of task.messages as unknown[])
            teller(name, `${textOf(task.agent).trim() || 'task'} ${i + 1}`)(message);
        if (tasks.length > 0) return;
        const list = listIn(record);
        if (list) for (const message of list) teller(name)(message);
        else teller(source.name)(record);
      },
    };
  },
};

/** A message from outside answers the waiting calls; without any, it is from the user. */
function createTeller(chat: Chat, unknown: (kind: string) => void): (message: unknown) => void {
  let waiting = 0;
  let isBegun = false;
  let count = 0;
  return (value) => {
    const message = messageOf(value);
    if (!message) {
      unknown(kindOf(value));
      return;
    }
    const parts =
      message.role === 'assistant'
        ? saidParts(message.text)
        : heardParts(message, waiting, isBegun);
    isBegun ||= message.role === 'user';
    waiting +=
      parts.filter(({ kind }) => kind === 'calls').length -
      parts.filter(({ kind }) => kind === 'returns').length;
    chat.tell(parts, {}, `${++count}`);
  };
}

/** Text before the call is reasoning. A text may also contain the answer, after `Observation:`. */
function saidParts(text: string): Part[] {
  const protocol = PROTOCOLS[protocolOf(text)];
  if (!protocol) return text.trim() === '' ? [] : [{ kind: 'says', text }];
  const matches = [...text.matchAll(protocol.pattern)];
  const before =
    protocol.thought?.(text) ?? text.slice(0, matches[0]!.index).replace(/^Thought:\s*/, '');
  const parts = told('thinks', before.trim());
  for (const [i, match] of matches.entries()) {
    parts.push({ kind: 'calls', ...protocol.call(match) });
    const rest = text.slice(match.index + match[0].length, matches[i + 1]?.index);
    const [, seen] =
      /^\s*Observation:\s*([\s\S]*?)\s*(?:\n+(?:Thought|Final Answer):[\s\S]*)?$/.exec(rest) ?? [];
    if (seen !== undefined && seen !== '')
      parts.push({ kind: 'returns', returned: outcomeOf(seen) });
  }
  return parts;
}

function heardParts({ role, text }: Message, waiting: number, isBegun: boolean): Part[] {
  if (role === 'system') return [];
  if (waiting > 0)
    return Array.from(
      { length: waiting },
      (_, i): Part => ({ kind: 'returns', returned: i === 0 ? outcomeOf(text) : {} }),
    );
  // A harness message without an open call complains about the format of an answer.
  return role === 'user' && (!isBegun || !OUTPUT.test(text)) ? [{ kind: 'person', text }] : [];
}

function outcomeOf(text: string): Returned {
  const code = RETURN_CODE.exec(text)?.[1];
  return returnedWith({
    result: text,
    exitCode: code && Number(code),
    error: FAILED.test(text) ? true : undefined,
  });
}
