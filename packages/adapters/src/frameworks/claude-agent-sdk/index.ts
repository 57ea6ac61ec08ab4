import { addContext, denyCall, stopAnswer } from '@unrut/agents/hosts/claude-code/answer';
import { claudePayload } from '@unrut/agents/hosts/claude-code/payload';
import { UnrutError } from '@unrut/engine/errors';
import { isObject, type JsonObject, present, textOf } from '@unrut/engine/json';
import type { HookTold } from '@unrut/reading/hook-payload';
import type { FrameworkOptions, SessionName } from '../options.ts';
import { type AfterRun, type BeforeRun, createToolRuns } from '../tool-run.ts';

export type { EventJudge, FrameworkOptions, SessionName } from '../options.ts';

/** The answer of a hook; an empty object changes nothing. */
export interface ClaudeHookOutput {
  continue?: boolean;
  stopReason?: string;
  systemMessage?: string;
  hookSpecificOutput?:
    | { hookEventName: 'PreToolUse'; permissionDecision: 'deny'; permissionDecisionReason: string }
    | {
        hookEventName: 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PostToolBatch';
        additionalContext: string;
      };
}

export interface ClaudeHookMatcher {
  hooks: ((input: unknown) => Promise<ClaudeHookOutput>)[];
}

const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'UserPromptSubmit',
  'PreCompact',
  'Stop',
  'SubagentStop',
  'SessionEnd',
] as const;

/** Ours, by event. */
export type UnrutHooks = { [Event in (typeof EVENTS)[number]]: ClaudeHookMatcher[] };

export type ClaudeHookOptions<Hooks extends object> = FrameworkOptions & {
  /** Your own hooks, which are called first. */
  with?: Hooks;
  /** The SDK names its sessions, and ends a run without an answer. */
  session?: undefined;
  onStop?: undefined;
};

/**
 * For `options.hooks` of `query`: the hooks that `unrut install claude-code` gives to Claude Code,
 * in this process.
 */
export function unrutHooks<Hooks extends object = object>(
  options: ClaudeHookOptions<Hooks> = {},
): Hooks & UnrutHooks {
  const { with: theirs, ...given } = options;
  for (const name of ['session', 'onStop'] as const)
    if (given[name] !== undefined)
      throw new UnrutError(
        'bad-option',
        `[claude-agent-sdk] ${name}: expected none, since the SDK names its sessions and ends a stopped run without an answer. Leave it out; onPlan is told both.`,
      );
  const runs = createToolRuns('claude-agent-sdk', given);

  async function tell(
    of: SessionName,
    told: HookTold,
    isBatch: boolean,
  ): Promise<BeforeRun & AfterRun> {
    if (told.what === 'person') await runs.user(of, told.text);
    else if (told.what === 'compacted') await runs.compacted(of);
    else if (told.what === 'ended') await runs.ended(of, told.outcome);
    else if (told.what === 'calls' || told.what === 'returned') {
      const call = { ...told.call, id: told.call.id ?? '' };
      if (told.what === 'calls') return runs.propose(of, call);
      // The hook after the whole response reports what the model sees. An interrupted response has
      // none.
      if (isBatch || told.returned.refusedBy !== undefined)
        return runs.finish(of, call, told.returned);
    } else await runs.said(of, told.text);
    return {};
  }

  async function hook(input: unknown): Promise<ClaudeHookOutput> {
    try {
      const event = isObject(input) ? textOf(input.hook_event_name) : '';
      const payload = isObject(input) ? claudePayload(input) : undefined;
      if (!payload?.session) return {};
      const { session, agent, told, isBatch = false } = payload;
      const of = { session, ...present({ agent }) };
      const does: (BeforeRun & AfterRun)[] = [];
      for (const each of told) does.push(await tell(of, each, isBatch));
      return answerTo(event, does);
    } catch (error) {
      runs.fault(error);
      return {};
    }
  }

  const own = (theirs ?? {}) as { [event: string]: unknown[] | undefined };
  const merged = EVENTS.map((event) => [event, [...(own[event] ?? []), { hooks: [hook] }]]);
  return { ...own, ...Object.fromEntries(merged) } as Hooks & UnrutHooks;
}

/** The strongest action; otherwise the texts of all actions. */
function answerTo(event: string, does: readonly (BeforeRun & AfterRun)[]): JsonObject {
  const stop = does.find((each) => each.stop)?.stop;
  const refuse = does.find((each) => each.refuse)?.refuse;
  const notes = does.flatMap(({ note }) => note ?? []);
  if (stop) return stopAnswer(stop);
  if (refuse) return denyCall(refuse);
  const joined = (to: 'toModel' | 'toHuman'): string => notes.map((note) => note[to]).join('\n\n');
  return notes.length === 0
    ? {}
    : addContext(event, { toModel: joined('toModel'), toHuman: joined('toHuman') });
}
