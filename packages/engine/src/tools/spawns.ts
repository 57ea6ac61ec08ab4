import { hash32 } from '../hash.ts';
import { foldKey, isObject, textOf } from '../json.ts';

/** Tools that start another agent, by folded name, as hosts and frameworks call them. */
const SPAWNERS = new Set(
  (
    'agent agentspawn callagent codebaseinvestigator createsubagent delegate delegatetask delegatetoagent dispatchagent handofftoagent invokeagent ' +
    'invokesubagents newtask runagent runsubagent sessionsspawn spawnagent spawnsubagent startagent startsubagent subagent task usesubagents'
  ).split(' '),
);

/** The argument in which the started agent is told what to do. */
const PROMPTS = [
  'prompt',
  'task',
  'message',
  'instructions',
  'objective',
  'goal',
  'query',
  'input',
];
/** Shorter texts are names or states: a tool called `task` may keep a list of things to do. */
const SHORTEST = 8;

/** Whether a call starts another agent: the tool is known for it, and it hands over a task. */
export const startsAgents = (tool: string, args: unknown): boolean =>
  SPAWNERS.has(foldKey(tool.slice(tool.lastIndexOf('__') + 1))) && taskIn(args) !== undefined;

/** What the started agent is told to do. */
const taskIn = (args: unknown): string | undefined =>
  isObject(args)
    ? PROMPTS.map((name) => textOf(args[name])).find((text) => text.length >= SHORTEST)
    : undefined;

/** A word, or several that signs join: a path, an address, a dotted name. */
const WORD = /[\p{L}\p{N}_@#~/][\p{L}\p{N}_@#~/.:-]*[\p{L}\p{N}_/]|\p{N}/gu;
/** It has a digit, a sign of paths and identifiers, or a capital inside. */
const NAME = /[\p{N}_@#~/]|\p{L}[.:]\p{L}|\p{Ll}\p{Lu}/u;
/** A capital inside a sentence. */
const PROPER = /^\p{Lu}/u;
const BEGINS = /(?:^|[.!?:\n"'(])\s*$/;
const SEARCHED = 2000;
const MAX_NAMES = 8;

/** What a task names: paths, numbers, identifiers and proper names. Templates differ in these. */
export function namesInTask(args: unknown, seed: number): number[] {
  const task = (taskIn(args) ?? '').slice(0, SEARCHED);
  const names = new Set<number>();
  for (const { 0: word, index } of task.matchAll(WORD)) {
    const isProper = PROPER.test(word) && !BEGINS.test(task.slice(Math.max(0, index - 8), index));
    if (isProper || NAME.test(word)) names.add(hash32(word.toLowerCase(), seed));
    if (names.size === MAX_NAMES) break;
  }
  return [...names];
}

/** What hosts answer at once if the agent continues in the background. */
const LAUNCHED =
  /Async agent launched|async_launched|"status":"(?:accepted|started|running|launched)"|"agent_id":"/;
/** Followed by a value: a text may also speak of "the agentId below". */
const AGENT = /(?:agent_?id|childSessionKey)\\?["']? ?[:=] ?\\?["']?([\w:-]{4,80})/i;
const RECEIPT = 800;

/** The name of the agent that a result says was started and continues; null if it has come back. */
export function launchedBy(result: unknown, args: unknown): string | null {
  const text = (typeof result === 'string' ? result : (JSON.stringify(result) ?? '')).slice(
    0,
    RECEIPT,
  );
  const isLaunched = LAUNCHED.test(text) || (isObject(args) && args.run_in_background === true);
  return isLaunched ? (AGENT.exec(text)?.[1] ?? '') : null;
}
