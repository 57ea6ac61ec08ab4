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
export function startsAgents(tool: string, args: unknown): boolean {
  if (!SPAWNERS.has(foldKey(tool.slice(tool.lastIndexOf('__') + 1)))) return false;
  return isObject(args) && PROMPTS.some((name) => textOf(args[name]).length >= SHORTEST);
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
