import type { Ledger } from '@unrut/ledger/ledger';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { HOSTS, hostNamed } from '@unrut/test/hosts/hook-process';
import { LOOPING } from '@unrut/test/hosts/looping-host';
import { describe, expect, it } from 'vitest';
import type { HostName } from '../hosts/index.ts';
import { answerHook, type HookReply, type HookSettings } from './answer-hook.ts';

const START = 1_794_800_000_000;

/** Calls the hooks of one run, five seconds apart. */
function hooks(
  ledger: Ledger,
  settings: Partial<HookSettings> = {},
  environment: Record<string, string> = {},
) {
  let at = START;
  return (input: unknown): Promise<HookReply> => {
    at += 2500;
    return answerHook(input, { environment, ledger, settings: { guard: {}, ...settings }, at });
  };
}

/** Repeats the same failing command; returns the output of each hook. */
async function loop(
  host: HostName,
  tries: number,
  ask: (input: unknown) => Promise<HookReply>,
  first = 1,
): Promise<HookReply[]> {
  const replies: HookReply[] = [];
  for (let n = first; n < first + tries; n++) {
    const { before, after } = LOOPING[host];
    for (const payload of [before(n), ...after(n)]) replies.push(await ask(payload));
  }
  return replies;
}

const kindsOf = async (ledger: Ledger, kind: 'event' | 'plan' | 'fault'): Promise<string[]> =>
  (await ledger.entries({ kind })).map(({ data }) =>
    String(data.rung ?? data.type ?? data.message),
  );
const printed = (replies: readonly HookReply[]): string[] =>
  replies.map(({ stdout }) => stdout).filter((text) => text !== '');

describe('a hook of an agent that loops', () => {
  it('is answered with a note at the third try, in Claude Code', async () => {
    const replies = await loop('claude-code', 3, hooks(createMemoryLedger()));
    expect(replies.map(({ stdout }) => stdout !== '')).toEqual([...Array(8).fill(false), true]);
    expect(JSON.parse(replies.at(-1)!.stdout)).toMatchObject({
      hookSpecificOutput: { hookEventName: 'PostToolBatch' },
    });
  });

  it.each(HOSTS)('leaves in the ledger all that happened, in %s', async (host) => {
    const ledger = createMemoryLedger();
    await loop(host, 3, hooks(ledger));
    const types = await kindsOf(ledger, 'event');
    expect(types.filter((type) => type === 'call-finished')).toHaveLength(3);
    expect(await kindsOf(ledger, 'fault')).toEqual([]);
    expect((await ledger.sessions()).map(({ session }) => session)).toEqual(['s']);
  });

  it.each(HOSTS.filter((host) => hostNamed(host).hooks.callsHaveIds))(
    'counts once when two settings files name it, in %s',
    async (host) => {
      const ledger = createMemoryLedger();
      const ask = hooks(ledger);
      const twice = async (input: unknown): Promise<HookReply> => {
        const [first, second] = await Promise.all([ask(input), ask(input)]);
        expect(second.stdout).toBe('');
        return first;
      };
      const once = createMemoryLedger();
      expect(printed(await loop(host, 5, twice))).toHaveLength(
        printed(await loop(host, 5, hooks(once))).length,
      );
      expect(await kindsOf(ledger, 'event')).toEqual(await kindsOf(once, 'event'));
    },
  );

  it('says nothing in shadow mode, and records what it would have done', async () => {
    const ledger = createMemoryLedger();
    const replies = await loop('claude-code', 9, hooks(ledger, { guard: { shadow: true } }));
    expect(printed(replies)).toEqual([]);
    expect(await kindsOf(ledger, 'plan')).toEqual([
      'note',
      'hint',
      'block',
      'escalate',
      'block',
      'block',
      'stop',
    ]);
  });

  it('begins two rungs below a stop when a person says go on, though no hook of a prompt can do any of them', async () => {
    const ledger = createMemoryLedger();
    const ask = hooks(ledger);
    await loop('claude-code', 9, ask);
    await ask({
      hook_event_name: 'UserPromptSubmit',
      session_id: 's',
      cwd: '/repo',
      prompt: 'Go on.',
    });
    const before = (await kindsOf(ledger, 'plan')).length;
    await loop('claude-code', 5, ask, 10);
    expect((await kindsOf(ledger, 'plan')).slice(before)).toEqual(['block', 'escalate']);
  });

  it('names whom to ask: a person outside the host, even if the host itself can ask nobody', async () => {
    const notify = { command: 'true' };
    const hosts = ['claude-code', 'cursor', 'kimi', 'cline'] as const;
    for (const host of hosts) {
      const replies = await loop(host, 7, hooks(createMemoryLedger(), { notify }));
      expect(replies.flatMap(({ escalations }) => escalations)).toEqual([
        expect.objectContaining({ host, session: 's' }),
      ]);
    }
    const unheard = await loop('cursor', 7, hooks(createMemoryLedger()));
    expect(unheard.flatMap(({ escalations }) => escalations)).toEqual([]);
  });
});

describe('a hook call that is not understood', () => {
  it.each([
    ['text', 'no JSON at all'],
    ['half a payload', '{"hook_event_name":"PreToolUse","session_id":'],
    ['nothing', ''],
    ['a list', '[]'],
    ['an unknown agent', JSON.stringify({ event: 'clicked', session_id: 's' })],
    ['a number', 7],
  ])('is answered with nothing, exit code 0, and a fault: %s', async (_, input) => {
    const ledger = createMemoryLedger();
    const ask = hooks(ledger);
    expect(await ask(input)).toEqual({ stdout: '', exitCode: 0, escalations: [], failed: true });
    await ask(input);
    expect(await ledger.entries()).toEqual([
      expect.objectContaining({ session: '', kind: 'fault' }),
    ]);
  });

  it('is answered with nothing when the ledger fails', async () => {
    const broken: Ledger = {
      ...createMemoryLedger(),
      update: () => Promise.reject(new Error('disk full')),
      append: () => Promise.reject(),
    };
    expect(printed(await loop('claude-code', 4, hooks(broken)))).toEqual([]);
  });

  it('begins again when what was kept of the session cannot be read', async () => {
    const ledger = createMemoryLedger();
    await ledger.saveState('s', { version: 9, sessions: 'gone' });
    const replies = await loop('claude-code', 3, hooks(ledger));
    expect(printed(replies)).toHaveLength(1);
    expect(await kindsOf(ledger, 'fault')).toEqual([expect.stringContaining('version 1')]);
  });
});

describe('whether somebody can be asked', () => {
  it.each<
    [
      when: string,
      environment: Record<string, string>,
      attended: boolean | undefined,
      isAsked: boolean,
    ]
  >([
    ['nothing tells', {}, undefined, true],
    ['Claude Code was started by a person', { CLAUDE_CODE_ENTRYPOINT: 'cli' }, undefined, true],
    ['Claude Code runs with -p', { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, undefined, false],
    ['it runs in CI', { CI: 'true' }, undefined, false],
    [
      'who started it says no',
      { UNRUT_ATTENDED: 'false', CLAUDE_CODE_ENTRYPOINT: 'cli' },
      undefined,
      false,
    ],
    ['who started it says yes', { UNRUT_ATTENDED: '1', CI: 'true' }, undefined, true],
    ['the settings say yes', { CI: 'true' }, true, true],
    ['the settings say no', {}, false, false],
  ])(
    'comes from the environment unless the settings name it: %s',
    async (_, environment, attended, isAsked) => {
      const ledger = createMemoryLedger();
      await loop(
        'claude-code',
        6,
        hooks(ledger, attended === undefined ? {} : { attended }, environment),
      );
      const [escalation] = (await ledger.entries({ kind: 'plan' })).filter(
        ({ data }) => data.rung === 'escalate',
      );
      expect(escalation?.data.action).toMatchObject({ ask: isAsked });
    },
  );
});
