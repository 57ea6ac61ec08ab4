import { claudeCodeAnswer } from '../../hosts/claude-code/answer.ts';
import { claudePayload } from '../../hosts/claude-code/payload.ts';
import { defineHost, type HookMemory } from '../../hosts/define-host.ts';
import { isObject } from '../../json.ts';
import { type Recent, recall, remember } from '../../recent.ts';
import { toFault } from '../../redact/to-fault.ts';
import { type FrameworkOptions, inTime, judgeOf } from '../options.ts';

export type { EventJudge, FrameworkOptions, SessionName } from '../options.ts';

/** What a hook answers; an empty object changes nothing. */
export interface ClaudeHookOutput {
  continue?: boolean;
  stopReason?: string;
  systemMessage?: string;
  hookSpecificOutput?:
    | { hookEventName: 'PreToolUse'; permissionDecision: 'deny'; permissionDecisionReason: string }
    | { hookEventName: 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PostToolBatch'; additionalContext: string };
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

export interface ClaudeHookOptions<Hooks extends object> extends Omit<FrameworkOptions, 'onStop' | 'session'> {
  /** Your own hooks, which are called first. */
  with?: Hooks;
}

const agentSdk = defineHost({
  name: 'claude-agent-sdk',
  label: 'Claude Agent SDK',
  hooks: {
    can: ['note', 'hint', 'block', 'escalate', 'stop'],
    callsHaveIds: true,
    signs: {},
    payload: claudePayload,
    answer: claudeCodeAnswer,
  },
});

const MAX_SESSIONS = 200;

/** For `options.hooks` of `query`: the hooks that `unrut install claude-code` gives to Claude Code, in this process. */
export function unrutHooks<Hooks extends object = object>(options: ClaudeHookOptions<Hooks> = {}): Hooks & UnrutHooks {
  const { with: theirs, ...given } = options;
  const judge = judgeOf(given, agentSdk.hooks!.can);
  const memories: Recent<HookMemory> = [];

  async function answer(input: unknown): Promise<ClaudeHookOutput> {
    const told = agentSdk.understand(input);
    if (!told) return {};
    const { session, agent } = told;
    const memory = recall(memories, session) ?? remember(memories, session, [], MAX_SESSIONS);
    const moment = { at: Date.now(), memory };
    const verdicts = [];
    for (const event of agentSdk.read(told, moment)) verdicts.push(await judge.observe(event));
    const about = { session, ...(agent === undefined ? {} : { agent }) };
    for (const { plan, shadow, faults } of verdicts) {
      if (plan) given.onPlan?.(plan, about);
      if (shadow) given.onPlan?.(shadow, { ...about, shadow: true });
      for (const fault of faults) given.onFault?.(fault);
    }
    const answered = agentSdk.write(verdicts, told, moment);
    for (const event of answered?.events ?? []) await judge.observe(event);
    return isObject(answered?.stdout) ? (answered.stdout as ClaudeHookOutput) : {};
  }

  /** A call waits for its hooks, so a guard that gives no answer is not waited for. */
  async function hook(input: unknown): Promise<ClaudeHookOutput> {
    try {
      return await inTime(answer(input), () => {});
    } catch (error) {
      try {
        given.onFault?.(toFault('claude-agent-sdk', error));
      } catch {
        // Whoever is told of faults has one.
      }
      return {};
    }
  }

  const own = (theirs ?? {}) as { [event: string]: unknown[] | undefined };
  const merged = EVENTS.map((event) => [event, [...(own[event] ?? []), { hooks: [hook] }]]);
  return { ...own, ...Object.fromEntries(merged) } as Hooks & UnrutHooks;
}
