import { answerHook } from '@unrut/agents/hook/answer-hook';
import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import type { Ledger } from '@unrut/ledger/ledger';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { createRecorder } from '@unrut/ledger/recorder';
import { describe, expect, test } from 'vitest';
import { createConversations } from '../../packages/adapters/src/frameworks/conversation.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { callSpan, watchTelemetry } from '../server/otlp-telemetry.ts';

const FIELDS = ['host', 'model', 'release', 'repo', 'team', 'person'];

/** The recorded origins of events, without duplicates. */
async function origins(ledger: Ledger): Promise<unknown[]> {
  const entries = await ledger.entries({ kind: 'event' });
  const kept = entries.map(({ data }) =>
    JSON.stringify(
      Object.fromEntries(FIELDS.flatMap((name) => (name in data ? [[name, data[name]]] : []))),
    ),
  );
  return [...new Set(kept)].map((text) => JSON.parse(text));
}

const spoke: AgentEvent = { type: 'user-spoke', session: 's', at: 1_794_800_000_000 };

describe('the origin of an event', () => {
  test('is kept with what happened, without secrets', async () => {
    const ledger = createMemoryLedger();
    const origin = {
      host: 'mine',
      model: 'm-1',
      release: '7',
      repo: 'shop',
      team: 'payments',
      person: 'token=sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    };
    const { faults } = await createRecorder(ledger).observe({ ...spoke, origin });
    expect(faults).toEqual([]);
    expect(await origins(ledger)).toEqual([
      { ...origin, person: expect.stringContaining('<secret>') },
    ]);
    expect(JSON.stringify(await ledger.entries())).not.toContain('aaaaaaaa');
  });

  test('changes nothing that the guard says', () => {
    const plain = createGuard();
    const told = createGuard();
    for (let i = 0; i < 6; i++) {
      const event: AgentEvent = {
        ...spoke,
        type: 'call-finished',
        at: spoke.at + i * 5000,
        id: `e${i}`,
        call: { id: `c${i}`, tool: 'ls', args: {} },
        result: 'no',
      };
      expect(told.observe({ ...event, origin: { model: `m${i}` } })).toEqual(plain.observe(event));
    }
  });

  test('that is too long or no text makes an event invalid, and says so', () => {
    const faultOf = (origin: unknown) =>
      createGuard().observe({ ...spoke, origin } as AgentEvent).faults[0]?.message;
    expect(faultOf({ model: 'x'.repeat(101) })).toBe(
      'user-spoke: expected origin.model of type string with at most 100 characters, got 101',
    );
    expect(faultOf({ team: 7 })).toContain('expected origin.team of type string');
    expect(faultOf('mine')).toContain('expected origin to be an object');
    expect(faultOf({ model: 'x'.repeat(100), repo: null })).toBeUndefined();
  });

  test('comes from hooks: the host, the model of the payload, and what the team set around the agent', async () => {
    const ledger = createMemoryLedger();
    const environment = {
      UNRUT_RELEASE: 'prompt-12',
      UNRUT_REPO: 'shop',
      UNRUT_TEAM: 'payments',
      UNRUT_PERSON: ' ada ',
    };
    const payload = { ...(LOOPING.codex.before(1) as object), model: 'gpt-5.5' };
    await answerHook(payload, { environment, ledger, settings: { guard: {} }, at: spoke.at });
    expect(await origins(ledger)).toEqual([
      {
        host: 'codex',
        model: 'gpt-5.5',
        release: 'prompt-12',
        repo: 'shop',
        team: 'payments',
        person: 'ada',
      },
    ]);
  });

  test('comes from telemetry: the service, the model that was asked, and the version', async () => {
    const { at, entries, ledger } = watchTelemetry();
    const attribute = (key: string, stringValue: string): object => ({
      key,
      value: { stringValue },
    });
    const call = callSpan(1000, 'Bash', { command: 'ls' }, 'none', { session: 's' });
    (call.attributes as object[]).push(
      attribute('gen_ai.request.model', 'claude-9'),
      attribute('gen_ai.agent.version', '3.1'),
    );
    const resource = {
      attributes: [attribute('service.name', 'bot'), attribute('service.version', '1.0')],
    };
    await at(0, { resourceSpans: [{ resource, scopeSpans: [{ spans: [call] }] }] });
    await entries();
    expect(await origins(ledger)).toEqual([{ host: 'bot', model: 'claude-9', release: '3.1' }]);
  });

  test('comes from frameworks: their name, the model that is asked, and what the caller says', async () => {
    const ledger = createMemoryLedger();
    const conversations = createConversations('ai-sdk', {
      guard: createRecorder(ledger),
      origin: { team: 'payments', release: '2' },
    });
    await conversations.before([{ kind: 'user', text: 'Go.' }], { model: 'm-1' });
    expect(await origins(ledger)).toEqual([
      { host: 'ai-sdk', model: 'm-1', release: '2', team: 'payments' },
    ]);
    expect(() => createConversations('ai-sdk', { origin: { team: 'x'.repeat(101) } })).toThrow(
      '[ai-sdk] expected origin.team',
    );
  });
});
