import { readdirSync } from 'node:fs';
import { type ImportedFile, outline } from './import-file.ts';

/**
 * The actions of a LangChain agent with a scripted model, recorded with LangSmith, Langfuse and
 * OpenInference: two parallel calls, one of which fails, a repeated call, and a call of an unknown
 * tool.
 */
export const LANGCHAIN_AGENT = [
  '0 person "Fix the test."',
  '1 says "Looking."',
  '2 calls read_file {"path":"/home/dev/project/a.ts"}',
  '3 calls run {"command":"false"}',
  '2 read_file returns "content of /home/dev/project/a.ts"',
  '3 run returns "Error: exit 1" error true',
  '4 calls read_file {"path":"/home/dev/project/a.ts"}',
  '4 read_file returns "content of /home/dev/project/a.ts"',
  '5 calls nosuch {"x":1}',
  '5 nosuch returns "Error: nosuch is not a valid tool, try one of [read_file, run]." error true',
  '6 says "Done."',
];

/**
 * Langfuse's handler loses that the last call failed, and its clock saw the first two calls one
 * after the other.
 */
export const LANGCHAIN_AGENT_IN_LANGFUSE = [
  ...LANGCHAIN_AGENT.slice(0, 3),
  LANGCHAIN_AGENT[4]!,
  LANGCHAIN_AGENT[3]!,
  ...LANGCHAIN_AGENT.slice(5, 9),
  '5 nosuch returns "Error: nosuch is not a valid tool, try one of [read_file, run]."',
  LANGCHAIN_AGENT[10]!,
];

/** The outline of each run, by session and agent. */
export function outlineByRun(file: ImportedFile): Record<string, string[]> {
  const lines = outline(file);
  const runs: Record<string, string[]> = {};
  for (const [at, { event }] of file.events.entries()) {
    const run = event.agent === undefined ? event.session : `${event.session} ${event.agent}`;
    runs[run] = [...(runs[run] ?? []), lines[at]!];
  }
  return runs;
}

/** How many calls each batch has, of those with more than one. */
export function batchesOf({ events }: ImportedFile): number[] {
  const sizes = new Map<string | undefined, number>();
  for (const { event } of events)
    if (event.type === 'call-proposed') sizes.set(event.batch, (sizes.get(event.batch) ?? 0) + 1);
  return [...sizes.values()].filter((size) => size > 1);
}

/** The tokens of all events, and how many events have any. */
export function costsOf({ events }: ImportedFile): { tokens: number; usd: number; events: number } {
  const costs = events.flatMap(({ event }) => event.cost ?? []);
  const sum = (field: 'tokens' | 'usd'): number =>
    costs.reduce((all, cost) => all + (cost[field] ?? 0), 0);
  return { tokens: sum('tokens'), usd: Math.round(sum('usd') * 1e6) / 1e6, events: costs.length };
}

/** All recorded transcripts. */
export const FIXTURES = readdirSync(new URL('../fixtures/transcripts/', import.meta.url)).filter(
  (name) => /\.(?:jsonl?|txt|md)$/.test(name),
);

/** Records that are of no format. */
export const GARBAGE: [string, unknown][] = [
  ['null', null],
  ['a number', 3],
  ['a text', 'x'],
  ['an array', []],
  ['an empty object', {}],
];
