import { existsSync, readFileSync } from 'node:fs';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { expect, test } from 'vitest';
import { attributes, log, logsIn, span } from '../importers/otlp-records.ts';
import { newPath } from '../ledger-files.ts';
import { SECRETS } from '../planted-secrets.ts';
import { callSpan, watchTelemetry } from './otlp-telemetry.ts';

/**
 * A request with the secret in one place, six times over, so that signals and plans speak of it.
 */
const PLACES: Record<string, (secret: string) => object[]> = {
  'the name of a tool': (secret) => calls(`run_${secret}`, { a: 1 }, 'the same page'),
  'the name of a span': (secret) =>
    Array.from({ length: 6 }, (_, n) =>
      span({
        name: secret,
        start: 1000 * n,
        trace: `${secret}-trace`,
        attributes: { 'openinference.span.kind': 'TOOL', 'output.value': 'the same' },
      }),
    ),
  arguments: (secret) => calls('fetch_page', { token: secret }, 'the same page'),
  'a command': (secret) =>
    calls(
      'Bash',
      { command: `curl -H 'Authorization: Bearer ${secret}' https://x.example` },
      'curl: refused',
    ),
  'a result': (secret) => calls('lookup', { id: 1 }, `password: ${secret} and nothing else`),
  'the id of a call': (secret) =>
    calls('lookup', { id: 2 }, 'nothing', (n) => ({ call: `${secret}${n}` })),
  'a session': (secret) => calls('lookup', { id: 3 }, 'nothing', () => ({ session: secret })),
  'the key of an attribute': (secret) =>
    calls('lookup', { id: 4 }, 'nothing').map((each) => ({
      ...each,
      attributes: [
        ...(each as { attributes: object[] }).attributes,
        ...attributes({ [secret]: secret }),
      ],
    })),
  'the message of an error': (secret) =>
    calls('lookup', { id: 5 }, '').map((each, n) => ({
      ...span({ start: 1000 * n, trace: 'error', error: `Error: token ${secret} was refused` }),
      attributes: (each as { attributes: object[] }).attributes.filter(
        (one) => !JSON.stringify(one).includes('result'),
      ),
    })),
  'the name of an agent': (secret) =>
    calls('lookup', { id: 6 }, 'nothing', () => ({ parent: 'inner', trace: 'agents' })).concat(
      span({
        id: 'inner',
        parent: 'outer',
        start: 0,
        end: 9000,
        trace: 'agents',
        attributes: agentNamed(secret),
      }),
      span({ id: 'outer', start: 0, end: 9000, trace: 'agents', attributes: agentNamed('outer') }),
    ),
};

const agentNamed = (name: string): Record<string, string> => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': name,
});

const calls = (
  tool: string,
  args: object,
  result: string,
  more: (n: number) => object = () => ({}),
): object[] =>
  Array.from({ length: 6 }, (_, n) =>
    callSpan(1000 * n + 1000, tool, args, result, { trace: JSON.stringify(args), ...more(n) }),
  );

/** What people, models and programs say. */
const records = (secret: string): object[] =>
  [1, 2, 3, 4].flatMap((n) => [
    log(
      n * 1000,
      { 'session.id': 'talk', 'event.name': 'user_prompt', prompt: `Use ${secret}.` },
      'codex.user_prompt',
    ),
    log(
      n * 1000 + 100,
      { 'session.id': 'talk', response: `The key is ${secret}. `.repeat(9) },
      'claude_code.assistant_response',
    ),
    log(
      n * 1000 + 200,
      {
        'session.id': 'talk',
        tool_name: 'Bash',
        tool_use_id: `t${n}`,
        success: 'false',
        error: secret,
      },
      'claude_code.tool_result',
    ),
    log(n * 1000 + 300, { 'session.id': secret, tool_name: secret, tool_use_id: `t${n}` }, secret),
  ]);

test.each(Object.entries(SECRETS))(
  'no byte of the ledger’s files holds %s, wherever telemetry had it',
  async (_, secret) => {
    const path = newPath();
    const ledger = createSqliteLedger({ path });
    const { at, entries } = watchTelemetry(ledger);
    const resource = { attributes: attributes({ 'service.name': `agent-${secret}` }) };
    for (const place of Object.values(PLACES))
      await at(0, { resourceSpans: [{ resource, scopeSpans: [{ spans: place(secret) }] }] });
    await at(0, logsIn(...records(secret)));
    const found = await entries();
    expect(new Set(found.map(({ session }) => session)).size).toBe(Object.keys(PLACES).length + 1);
    expect(
      found.filter(({ kind }) => kind === 'plan').length,
      'it must loop, or nothing is written of it',
    ).toBeGreaterThan(10);
    for (const file of [path, `${path}-wal`].filter(existsSync))
      expect(readFileSync(file, 'latin1').includes(secret), file).toBe(false);
    await ledger.close();
    expect(readFileSync(path, 'latin1').includes('lookup')).toBe(true);
    expect(readFileSync(path, 'latin1').includes(secret)).toBe(false);
  },
);
