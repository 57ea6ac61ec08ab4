import { RUNGS, type Rung } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import type { Plan } from '@unrut/engine/policy/plan';
import {
  fixturesOf,
  HOSTS,
  hostNamed,
  type Payload,
  payloadsIn,
} from '@unrut/test/hosts/hook-process';
import { describe, expect, it } from 'vitest';
import type { HostName } from './index.ts';

const plan = (rung: Rung, more: Partial<Plan> = {}): Plan => ({
  id: 'p1',
  recovery: 'test',
  rung,
  reason: 'repeated-call/consecutive',
  toModel: 'For the model.',
  toHuman: 'For a person.',
  budgetLeft: 5,
  streak: 's1',
  ...more,
});
const verdict = (made: Plan | null): Verdict => ({
  signals: [],
  witnesses: [],
  plan: made,
  shadow: null,
  outcomes: [],
  faults: [],
  step: 0,
  seen: null,
});

const write = (host: HostName, plans: readonly (Plan | null)[], payload: Payload) =>
  hostNamed(host).write(plans.map(verdict), hostNamed(host).understand(payload)!, { at: 1 });
const ask = (host: HostName, payload: Payload, made: Plan) => write(host, [made], payload)!;
const performedBy = (host: HostName, payload: Payload, rung: Rung): string => {
  const event = ask(host, payload, plan(rung)).events[0]!;
  return event.type === 'plan-performed'
    ? `${event.rung}${event.failed ? ' not done' : ''}`
    : event.type;
};

const call = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' };
const named = (event: string, more: Payload = {}): Payload => ({
  session_id: 's',
  hook_event_name: event,
  ...call,
  ...more,
});
const small = {
  sessionId: 's',
  timestamp: 1_794_800_000_000,
  cwd: '/home/dev/project',
  toolName: 'bash',
  toolArgs: {},
};
const inCursor = (event: string): Payload => ({ ...named(event), conversation_id: 's' });
const cline = (hookName: string): Payload => ({
  hookName,
  taskId: 's',
  tool_call: { id: 't', name: 'x' },
  tool_result: { id: 't', name: 'x' },
});
const crush: Payload = { event: 'PreToolUse', session_id: 's', tool_name: 'bash', tool_input: {} };
const opencode = (hook: string): Payload => ({
  hook,
  session: 's',
  input: { tool: 'bash', callID: 't' },
  event: {
    type: 'message.part.updated',
    properties: { part: { type: 'tool', tool: 'read', callID: 't', state: { status: 'error' } } },
  },
});
const batch = named('PostToolBatch', { tool_calls: [call] });

const told = 'For the model.';
const seen = { systemMessage: 'For a person.' };
const added = (hookEventName: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext: told },
  ...seen,
});
const denied = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: told,
  },
  ...seen,
};
const stopped = { continue: false, stopReason: 'For a person.' };

describe('the same plan is said to each host in its own way', () => {
  it.each<
    [does: string, host: HostName, payload: Payload, rung: Rung, stdout: unknown, exitCode?: number]
  >([
    ['adds to the result', 'claude-code', named('PostToolUse'), 'note', added('PostToolUse')],
    [
      'adds to the failure',
      'claude-code',
      named('PostToolUseFailure'),
      'hint',
      added('PostToolUseFailure'),
    ],
    ['adds once for a response', 'claude-code', batch, 'note', added('PostToolBatch')],
    ['adds before a call', 'claude-code', named('PreToolUse'), 'note', added('PreToolUse')],
    ['refuses a call', 'claude-code', named('PreToolUse'), 'block', denied],
    ['asks a person', 'claude-code', batch, 'escalate', added('PostToolBatch')],
    ['stops the run', 'claude-code', batch, 'stop', stopped],
    ['stops the run after a call', 'claude-code', named('PostToolUse'), 'stop', stopped],
    ['adds to the result', 'codex', named('PostToolUse'), 'note', added('PostToolUse')],
    ['refuses a call', 'codex', named('PreToolUse'), 'block', denied],
    ['cannot stop, but tells both', 'codex', named('PostToolUse'), 'stop', added('PostToolUse')],
    ['adds to the result', 'gemini-cli', named('AfterTool'), 'hint', added('AfterTool')],
    [
      'refuses a call',
      'gemini-cli',
      named('BeforeTool'),
      'block',
      { decision: 'deny', reason: told, ...seen },
    ],
    ['stops the run', 'gemini-cli', named('AfterTool'), 'stop', stopped],
    [
      'adds to the result',
      'copilot',
      { ...small, toolResult: {} },
      'note',
      { additionalContext: told },
    ],
    [
      'adds to the failure, as text with its exit code',
      'copilot',
      { ...small, error: 'x' },
      'note',
      told,
      2,
    ],
    [
      'refuses a call, with no exit code',
      'copilot',
      small,
      'block',
      { permissionDecision: 'deny', permissionDecisionReason: told },
    ],
    [
      'refuses a call in VS Code too',
      'copilot',
      named('PreToolUse'),
      'block',
      {
        permissionDecision: 'deny',
        permissionDecisionReason: told,
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: told,
        },
      },
    ],
    [
      'adds in VS Code too',
      'copilot',
      named('PostToolUse'),
      'note',
      {
        additionalContext: told,
        hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: told },
      },
    ],
    [
      'cannot stop, but tells the model',
      'copilot',
      { ...small, toolResult: {} },
      'stop',
      { additionalContext: told },
    ],
    ['adds to the result', 'cursor', inCursor('postToolUse'), 'note', { additional_context: told }],
    ['hears nothing after a failure', 'cursor', inCursor('postToolUseFailure'), 'note', undefined],
    [
      'refuses a call',
      'cursor',
      inCursor('preToolUse'),
      'block',
      { permission: 'deny', user_message: 'For a person.', agent_message: told },
    ],
    ['refuses a call to a hook of Claude Code', 'cursor', inCursor('PreToolUse'), 'block', denied],
    [
      'cannot stop, but tells the model',
      'cursor',
      inCursor('postToolUse'),
      'stop',
      { additional_context: told },
    ],
    ['adds once for a response', 'qwen-code', batch, 'note', added('PostToolBatch')],
    ['refuses a call', 'qwen-code', named('PreToolUse'), 'block', denied],
    ['cannot stop, but tells the model', 'qwen-code', batch, 'stop', added('PostToolBatch')],
    ['refuses a call', 'kimi', named('PreToolUse'), 'block', denied],
    ['hears nothing after a call', 'kimi', named('PostToolUse'), 'note', undefined],
    ['adds to the result to come', 'crush', crush, 'note', { context: told }],
    ['refuses a call', 'crush', crush, 'block', { decision: 'deny', reason: told }],
    ['halts the turn', 'crush', crush, 'stop', { halt: true, reason: 'For a person.' }],
    [
      'adds to the conversation',
      'cline',
      cline('tool_result'),
      'note',
      { cancel: false, contextModification: told },
    ],
    [
      'stops the run',
      'cline',
      cline('tool_result'),
      'stop',
      { cancel: true, errorMessage: 'For a person.' },
    ],
    [
      'adds to the result',
      'opencode',
      opencode('tool.execute.after'),
      'note',
      { append: told, show: 'For a person.' },
    ],
    [
      'adds to a failure',
      'opencode',
      opencode('event'),
      'hint',
      { append: told, show: 'For a person.' },
    ],
    [
      'refuses a call',
      'opencode',
      opencode('tool.execute.before'),
      'block',
      { refuse: told, show: 'For a person.' },
    ],
    [
      'stops the run',
      'opencode',
      opencode('tool.execute.after'),
      'stop',
      { append: told, show: 'For a person.', stop: true },
    ],
  ])('%s: %s', (_, host, payload, rung, stdout, exitCode = 0) => {
    const answer = ask(host, payload, plan(rung));
    expect(answer.stdout).toEqual(stdout);
    expect(answer.exitCode).toBe(exitCode);
  });

  it.each<[host: HostName, payload: Payload, planned: Rung, performed: string]>([
    ['claude-code', batch, 'block', 'hint'],
    ['claude-code', batch, 'redirect', 'hint'],
    ['claude-code', batch, 'stop', 'stop'],
    ['claude-code', named('PermissionDenied'), 'note', 'note not done'],
    ['codex', named('PostToolUse'), 'stop', 'escalate'],
    ['codex', named('PreToolUse'), 'escalate', 'escalate not done'],
    ['gemini-cli', named('BeforeTool'), 'note', 'note not done'],
    ['gemini-cli', named('AfterTool'), 'substitute', 'hint'],
    ['copilot', { ...small, toolResult: {} }, 'stop', 'hint'],
    ['cursor', inCursor('postToolUse'), 'escalate', 'hint'],
    ['cursor', inCursor('postToolUseFailure'), 'hint', 'hint not done'],
    ['qwen-code', batch, 'stop', 'hint'],
    ['kimi', named('PostToolUseFailure'), 'note', 'note not done'],
    ['crush', crush, 'escalate', 'hint'],
    ['cline', cline('tool_call'), 'block', 'hint'],
    ['opencode', opencode('tool.execute.before'), 'note', 'note not done'],
    ['opencode', opencode('event'), 'block', 'hint'],
  ])('%s reports what was really performed', (host, payload, planned, performed) => {
    expect(performedBy(host, payload, planned)).toBe(performed);
  });
});

describe('every answer', () => {
  const everywhere = HOSTS.flatMap((host) =>
    fixturesOf(host).flatMap((name) =>
      payloadsIn(host, name).map((payload) => ({ host, payload })),
    ),
  );
  const answers = (more: Partial<Plan> = {}) =>
    everywhere.flatMap(({ host, payload }) =>
      RUNGS.map((rung) => ({ host, payload, rung, answer: ask(host, payload, plan(rung, more)) })),
    );

  it('is nothing without a plan, also in shadow mode', () => {
    for (const { host, payload } of everywhere) {
      const told = hostNamed(host).understand(payload)!;
      expect(hostNamed(host).write([], told)).toBeNull();
      expect(
        hostNamed(host).write([verdict(null), { ...verdict(null), shadow: plan('stop') }], told),
      ).toBeNull();
    }
  });

  it('exits with 0, except where Copilot and Kiro listen to nothing else', () => {
    const others = answers().filter(({ answer }) => answer.exitCode !== 0);
    expect(others.length).toBeGreaterThan(0);
    const refusals = others.map(
      ({ host, payload }) => `${host} ${'error' in payload ? 'failure' : payload.hook_event_name}`,
    );
    expect([...new Set(refusals)].sort()).toEqual(['copilot failure', 'kiro preToolUse']);
  });

  it('holds no text over 10,000 characters, and no half character', () => {
    const texts = (value: unknown): string[] =>
      typeof value === 'string'
        ? [value]
        : typeof value === 'object' && value !== null
          ? Object.values(value).flatMap(texts)
          : [];
    const long = { toModel: `a${'😀'.repeat(9000)}`, toHuman: `a${'😀'.repeat(9000)}` };
    const said = answers(long).flatMap(({ answer }) => texts(answer.stdout));
    expect(Math.max(...said.map((text) => text.length))).toBe(10_000);
    expect(said.every((text) => text.isWellFormed())).toBe(true);
  });

  it('gives a reason for a refusal, even when a recovery has no words', () => {
    const reasons = answers({ toModel: ' ', toHuman: '' }).flatMap(({ rung, answer }) => {
      const said =
        answer.stdout === undefined || rung !== 'block' ? '' : JSON.stringify(answer.stdout);
      return said.includes('deny') ? [said] : [];
    });
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toContain('repeated-call/consecutive');
  });

  it('takes no result away: after a call there is no decision, which Codex and Gemini CLI would put in its place', () => {
    const after = answers().filter(
      ({ payload }) => !/^(?:pre|before)/i.test(String(payload.hook_event_name ?? payload.event)),
    );
    expect(after.length).toBeGreaterThan(0);
    for (const { answer } of after)
      expect(Object.keys(answer.stdout ?? {})).not.toContain('decision');
  });

  it('has only keys that Codex knows', () => {
    const known = [
      'continue',
      'decision',
      'hookSpecificOutput',
      'reason',
      'stopReason',
      'suppressOutput',
      'systemMessage',
    ];
    const inside = {
      PreToolUse: [
        'hookEventName',
        'permissionDecision',
        'permissionDecisionReason',
        'updatedInput',
        'additionalContext',
      ],
      PostToolUse: [
        'hookEventName',
        'additionalContext',
        'updatedMCPToolOutput',
        'updatedToolOutput',
      ],
    };
    const said = answers().filter(
      ({ host, answer }) => host === 'codex' && answer.stdout !== undefined,
    );
    expect(said.length).toBeGreaterThan(0);
    for (const { answer, payload } of said) {
      const stdout = answer.stdout as { hookSpecificOutput: object };
      expect(known).toEqual(expect.arrayContaining(Object.keys(stdout)));
      if (String(payload.hook_event_name).endsWith('Stop')) {
        expect(stdout).not.toHaveProperty('hookSpecificOutput');
        continue;
      }
      expect(inside[payload.hook_event_name as keyof typeof inside]).toEqual(
        expect.arrayContaining(Object.keys(stdout.hookSpecificOutput)),
      );
      // Codex drops the whole answer if it contains one of these before a call.
      expect(Object.keys(stdout)).not.toContain('continue');
    }
  });

  it('to a response with several calls does the most forceful thing, in the words of all plans', () => {
    const plans = [
      plan('note', { toModel: 'One.' }),
      plan('stop', { id: 'p2', toHuman: 'Two.' }),
      plan('block', { id: 'p3' }),
    ];
    const answer = write('claude-code', plans, batch)!;
    expect(answer.stdout).toEqual({
      continue: false,
      stopReason: 'For a person.\n\nTwo.\n\nFor a person.',
    });
    expect(answer.events).toEqual([
      { type: 'plan-performed', session: 's', at: 1, plan: 'p1', rung: 'note' },
      { type: 'plan-performed', session: 's', at: 1, plan: 'p2', rung: 'stop' },
      { type: 'plan-performed', session: 's', at: 1, plan: 'p3', rung: 'hint' },
    ]);
  });
});
