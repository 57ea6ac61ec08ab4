import { UnrutError } from '@unrut/engine/errors';
import type { AgentEvent, TaskAttempted } from '@unrut/engine/event';

/** A short run written in a README: what happened, and where the detector must speak. */
export interface Trace {
  name: string;
  /** For a quiet trace: the firing trace that it shares its opening with. */
  twin: string | null;
  /** Under `Fires` or `Stays quiet`. */
  fires: boolean;
  lines: string[];
}

/** One event of a trace, and the variant that the detector must signal at it. */
export interface TraceMoment {
  line: string;
  events: AgentEvent[];
  expected: string | null;
}

const BLOCK = /^```trace ([\w-]+)(?: twin of ([\w-]+))?\n([\s\S]*?)^```$/gm;

/** The traces under `## Fires` and `## Stays quiet` of a detector's README. */
export function tracesIn(readme: string): Trace[] {
  const section = (heading: string): string =>
    readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const read = (text: string, fires: boolean): Trace[] =>
    [...text.matchAll(BLOCK)].map(([, name, twin, body]) => ({
      name: name!,
      twin: twin ?? null,
      fires,
      lines: body!.split('\n').filter((line) => line.trim() !== ''),
    }));
  return [...read(section('Fires'), true), ...read(section('Stays quiet'), false)];
}

/** How far a trace has come. */
interface Clock {
  at: number;
  call: number;
  batch: number;
  /** What the agent sees, once a line has said so. */
  screen?: string;
}

/** Calls of a trace are this far apart, as in an ordinary run. */
const PACE = 5000;

/** Turns the lines of a trace into events. */
export function momentsOf(lines: readonly string[]): TraceMoment[] {
  const clock: Clock = { at: 1_700_000_000_000, call: 0, batch: 0 };
  const moments: TraceMoment[] = [];
  for (const line of lines) {
    const { body, times, expected } = suffixes(line);
    for (let i = 1; i <= times; i++) {
      const events = eventsOf(body.replaceAll('$i', String(i)), clock);
      moments.push({ line, events, expected: i === times ? expected : null });
    }
  }
  return moments;
}

function suffixes(line: string): { body: string; times: number; expected: string | null } {
  const [, rest, expected] = /^(.*?)(?:\s+! ([\w-]+))?\s*$/.exec(line)!;
  const [, body, times] = /^(.*?)(?:\s+x(\d+))?$/.exec(rest!)!;
  return { body: body!.trim(), times: Number(times ?? 1), expected: expected ?? null };
}

function eventsOf(line: string, clock: Clock): AgentEvent[] {
  const base = (): { session: string; at: number } => ({ session: 'trace', at: clock.at });
  const pause = /^\+(\d+)(s|min|h)$/.exec(line);
  if (pause) {
    clock.at +=
      Number(pause[1]) * { s: 1000, min: 60_000, h: 3_600_000 }[pause[2] as 's' | 'min' | 'h'];
    return [];
  }
  const together = line.startsWith('& ');
  if (!together) {
    clock.at += PACE;
    clock.batch++;
  }
  const [, word, rest = ''] = /^(?:& )?(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  switch (word) {
    case 'say':
    case 'think':
      return [
        {
          ...base(),
          type: 'text-added',
          text: text(rest),
          channel: word === 'say' ? 'answer' : 'thinking',
          done: true,
        },
      ];
    case 'stream':
      return [{ ...base(), type: 'text-added', text: text(rest), channel: 'answer' }];
    case 'output': {
      const [, how, said] = /^(?:(failed|moved|unmoved) )?([\s\S]*)$/.exec(rest)!;
      const moved = how === 'moved' || how === 'unmoved' ? { moved: how === 'moved' } : {};
      return [
        {
          ...base(),
          type: 'output-finished',
          output: text(said!),
          failed: how === 'failed',
          ...moved,
        },
      ];
    }
    case 'user':
      return [{ ...base(), type: 'user-spoke', text: text(rest) }];
    case 'task':
      return [{ ...base(), type: 'task-attempted', ...attempt(rest) }];
    case 'idle':
      return [{ ...base(), type: 'idle', reason: text(rest) }];
    case 'compacted':
      return [{ ...base(), type: 'context-compacted' }];
    case 'screen':
      clock.screen = text(rest);
      return [];
    case 'action':
      return action(rest, base());
    default:
      return call(word!, rest, base(), clock, together);
  }
}

function call(
  tool: string,
  rest: string,
  base: { session: string; at: number },
  clock: Clock,
  together: boolean,
): AgentEvent[] {
  const [before, all] = splitAnswer(rest);
  const [, answer, more = '{}'] = /^(.*?)(?:(?<=["}\]?]) with (\{".*\}))?$/s.exec(all)!;
  const args: unknown = before === '' ? {} : json(before);
  const made = { ...base, call: { id: `c${++clock.call}`, tool, args }, batch: `b${clock.batch}` };
  const { batch: _, ...alone } = made;
  return [
    {
      ...(together ? alone : made),
      type: 'call-proposed',
      ...(clock.screen === undefined ? {} : { screen: { description: clock.screen } }),
    },
    { ...made, type: 'call-finished', ...answerOf(answer!), ...(json(more) as object) },
  ];
}

function action(rest: string, base: { session: string; at: number }): AgentEvent[] {
  const [before, answer] = splitAnswer(rest);
  const [, parameters, role, name] =
    /^(\{.*?\})(?: on (\w+)(?: ("(?:[^"\\]|\\.)*"))?)?$/.exec(before) ?? [];
  const made = {
    ...base,
    action: json(parameters ?? before) as { type: string },
    ...(role === undefined
      ? {}
      : { target: { role, ...(name === undefined ? {} : { name: text(name) }) } }),
  };
  return [{ ...made, type: 'action-finished', ...seenAfter(answer) }];
}

/**
 * `T1 blocked {"blockers":["no key"],"work":["read the docs"]}`: the id, the status, and what there
 * is of the rest.
 */
function attempt(
  rest: string,
): Pick<TaskAttempted, 'task' | 'status' | 'blockers' | 'work' | 'attemptSession'> {
  const [, task = '', status = '', more = '{}'] = /^(\S+) (\S+)(?: (\{.*\}))?$/.exec(rest) ?? [];
  return { blockers: [], work: [], ...(json(more) as object), task, status, attemptSession: '' };
}

/**
 * What an action left: nothing known, what the runner saw happen, or `screen` and what it shows.
 */
function seenAfter(answer: string): object {
  if (answer === '?') return {};
  return answer.startsWith('screen ')
    ? { screen: json(answer.slice('screen '.length)) }
    : { effect: json(answer) };
}

function splitAnswer(rest: string): [string, string] {
  const at = rest.lastIndexOf('-> ');
  if (at < 0) throw new UnrutError('bad-trace', `Expected \`tool {args} -> answer\`, got: ${rest}`);
  return [rest.slice(0, at).trim(), rest.slice(at + 3).trim()];
}

function answerOf(answer: string): object {
  if (answer === '?') return {};
  const [, kind, who, said] = /^(error|exit|refused)(?: (\w[\w-]*))? (".*")$/s.exec(answer) ?? [];
  if (kind === 'error') return { error: text(said!) };
  if (kind === 'exit') return { exitCode: Number(who), result: text(said!) };
  if (kind === 'refused') return { refusedBy: who, result: text(said!) };
  return { result: json(answer) };
}

const text = (quoted: string): string => String(json(quoted));

function json(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw new UnrutError('bad-trace', `Expected JSON in a trace, got: ${written}`);
  }
}
