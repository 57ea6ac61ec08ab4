import { existsSync, readFileSync } from 'node:fs';
import { hookHosts } from '@unrut/agents/hosts';
import { EVENT_TYPES } from '@unrut/engine/read-event';
import { createLog } from '@unrut/server/log';
import { afterAll, expect, test } from 'vitest';
import { documentOf } from '../../packages/server/src/routes.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { attributes, log as logRecord, logsIn, span, spansIn } from '../importers/otlp-records.ts';
import { SECRET_KINDS } from '../secret-kinds.ts';
import { type Answer, ask } from './request.ts';
import { seededServer } from './seeded-server.ts';

const lines: string[] = [];
const closing: (() => Promise<void>)[] = [];
const server = await seededServer({
  log: createLog({ write: (line) => void lines.push(line) }),
  onClose: (close) => void closing.push(close),
  rate: 1_000_000,
});

const at = Date.now() - 3_600_000;
const finished = (more: object) => ({
  type: 'call-finished',
  call: { id: 'c', tool: 'lookup', args: { id: 1 } },
  result: 'the same',
  ...more,
});

/** Every field of every event that can hold a text, with the text in it. */
const EVENTS: readonly ((text: string) => object)[] = [
  (text) => ({
    type: 'call-proposed',
    call: { id: text, tool: 'Bash', args: { command: text } },
    batch: text,
    speaker: text,
  }),
  (text) => ({
    type: 'call-proposed',
    call: { id: 'c', tool: text, args: { file_path: text, [text]: text } },
    screen: { url: text, description: text, frame: text, detail: text, focused: text },
  }),
  (text) =>
    finished({
      call: { id: text, tool: 'Bash', args: { command: text } },
      exitCode: 1,
      batch: text,
    }),
  (text) =>
    finished({ call: { id: 'c', tool: text, args: { url: text, nested: [{ [text]: text }] } } }),
  (text) => finished({ result: text }),
  (text) => finished({ result: { stdout: text, stderr: [text] }, exitCode: 1 }),
  (text) => finished({ error: `Error: could not connect with ${text}` }),
  (text) => finished({ error: { message: text, code: text } }),
  (text) => finished({ error: true, result: `npm ERR! ${text}\nfailed` }),
  (text) =>
    finished({
      after: { target: text, digest: text },
      refusedBy: text,
      call: { id: 'c', tool: 'Write', args: { file_path: 'a' } },
    }),
  (text) => finished({ agent: text, parent: text, id: text, speaker: text }),
  (text) => finished({ annotations: { 'unrut/identity': [text] } }),
  (text) => ({
    type: 'text-added',
    channel: 'answer',
    text: `I will use ${text} now.\n`.repeat(8),
    done: true,
  }),
  (text) => ({ type: 'text-added', channel: 'thinking', text: `wait, ${text} ` }),
  (text) => ({ type: 'iteration-started', iteration: 1, id: text }),
  (text) => ({
    type: 'output-finished',
    output: `Trying again\n${text}\nError: ${text}`,
    failed: true,
  }),
  (text) => ({ type: 'output-finished', output: text }),
  (text) => ({
    type: 'action-proposed',
    action: { type: 'click', text, [text]: text },
    target: { role: text, name: text },
    screen: { url: text },
    planStep: text,
    instead: { text },
  }),
  (text) => ({
    type: 'action-finished',
    action: { type: 'type_text', text },
    target: { role: 'button', name: text },
    screen: { url: text, description: text },
    effect: text,
  }),
  (text) => ({
    type: 'task-attempted',
    task: text,
    status: text,
    blockers: [text],
    work: [text],
    attemptSession: text,
    complexity: text,
  }),
  (text) => ({ type: 'idle', reason: text }),
  (text) => ({ type: 'plan-performed', plan: text, rung: 'note', failed: true }),
  (text) => ({ type: 'user-spoke', text }),
  (text) => ({ type: 'tools-listed', tools: [{ name: text, takes: { [text]: true } }] }),
  (text) => ({ type: 'context-compacted', id: text }),
  (text) => ({ type: 'session-ended', reason: text }),
  (text) => ({ type: text, [text]: text }),
];

test('the texts are planted in every type of event', () => {
  const planted = new Set(EVENTS.map((make) => (make('x') as { type: string }).type));
  for (const type of EVENT_TYPES) expect(planted).toContain(type);
  expect(SECRET_KINDS.length).toBeGreaterThanOrEqual(60);
  for (const { secret, text, kind } of SECRET_KINDS)
    expect([kind, secret.length >= 10, text.includes(secret)]).toEqual([kind, true, true]);
});

const around = (text: string, secret: string): string =>
  text.slice(Math.max(0, text.indexOf(secret) - 100), text.indexOf(secret) + 20);

/** The payload of a hook with the text in place of every text that says nothing of its kind. */
function hookPayload(host: (typeof hookHosts)[number]['name'], text: string, n: number): string {
  const payload = JSON.stringify(
    (LOOPING as Record<string, { before(n: number): object }>)[host]?.before(n) ?? {},
  );
  return payload.replace('"npm test"', JSON.stringify(text));
}

const told: string[] = [];
async function send(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<void> {
  const answer = await ask(server.url + path, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  });
  told.push(answer.text);
}
const JSON_TYPE = { 'content-type': 'application/json' };

test.each(SECRET_KINDS)(
  '$kind is nowhere to be read, wherever it was',
  async ({ secret, text, kind }) => {
    for (const [place, make] of EVENTS.entries()) {
      const session = `${kind} ${place}`;
      await send(
        '/v1/events',
        Array.from({ length: 5 }, (_, i) => ({ session, at: at + i * 5000, ...make(text) })),
      );
    }
    await send('/v1/events', { type: 'user-spoke', session: text, at });
    await send(`/v1/events?can=${encodeURIComponent(text)}`, {});
    await send(`/v1/events?${encodeURIComponent(text)}=1`, {});
    await send('/v1/events', text);
    for (const { name } of hookHosts)
      for (const n of [1, 2, 3, 4]) await send(`/v1/hooks/${name}`, hookPayload(name, text, n));
    await send(`/v1/hooks/${encodeURIComponent(text)}`, {});
    const planted = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': text,
      'gen_ai.tool.call.arguments': JSON.stringify({ command: text }),
      'gen_ai.tool.call.result': text,
      [text]: text,
    };
    const spans = [1, 2, 3, 4, 5].map((n) =>
      span({
        name: text,
        id: `${kind}${n}`,
        start: at + n * 1000,
        trace: `trace of ${kind}`,
        error: text,
        attributes: planted,
      }),
    );
    await send(
      '/v1/traces',
      spansIn(
        ...spans,
        span({
          name: text,
          id: text,
          trace: text,
          start: at,
          attributes: { ...planted, 'session.id': text },
        }),
      ),
      JSON_TYPE,
    );
    await send(
      '/v1/logs',
      logsIn(
        logRecord(
          at,
          {
            'session.id': text,
            tool_name: text,
            tool_use_id: text,
            success: 'false',
            error: text,
            tool_input: JSON.stringify({ command: text }),
          },
          'claude_code.tool_result',
        ),
      ),
      JSON_TYPE,
    );
    await send(
      '/v1/traces',
      {
        resourceSpans: [
          {
            resource: { attributes: attributes({ 'service.name': text }) },
            scopeSpans: [{ spans }],
          },
        ],
      },
      JSON_TYPE,
    );
    await send('/v1/traces', text, { 'content-type': text.replaceAll('\n', ' ') });
    await send('/v1/cua', { url: text, task: text, brain: { kind: text } });
    for (const name of [
      '/v1/runs/',
      '/v1/sessions?search=',
      '/v1/signals?session=',
      '/v1/signals?detector=',
      '/v1/sessions/',
      '/v1/nothing/',
    ])
      lines.push((await server.look(name + encodeURIComponent(text))).text);
    expect(told.splice(0).join('\n').includes(secret), 'an answer').toBe(false);
  },
);

afterAll(async () => {
  for (const close of closing) await close();
});

test('and none of them is in the ledger, the log, the API or the pages', async () => {
  for (const close of closing) await close();
  const paths = Object.keys(documentOf('0').paths).filter(
    (path) => !path.includes('{') && !path.includes('stream'),
  );
  const pages = await Promise.all(
    [
      ...paths,
      '/',
      '/session',
      '/v1/sessions?limit=200',
      '/v1/signals?limit=500',
      '/v1/recoveries?limit=500',
    ].map((path) => server.look(path)),
  );
  const sessions = await server.reading.reports.find('');
  // One after another: a slow machine does not answer hundreds at once within the time that the
  // server gives a connection.
  const shown: Answer[] = [];
  for (const id of sessions.slice(-400))
    shown.push(await server.look(`/v1/sessions/${encodeURIComponent(id)}`));
  const files = [server.path, `${server.path}-wal`]
    .filter(existsSync)
    .map((file) => readFileSync(file, 'latin1'));
  const all: [string, string][] = [
    ['the ledger', files.join('\n')],
    ['the log', lines.join('\n')],
    ['the API', [...pages, ...shown].map(({ text }) => text).join('\n')],
  ];
  expect(all[0]![1]).toContain('lookup');
  expect((await server.ledger.entries({ kind: 'plan' })).length).toBeGreaterThan(200);
  const found = SECRET_KINDS.flatMap(({ kind, secret }) =>
    all
      .filter(([, text]) => text.includes(secret))
      .map(([where, text]) => `${kind} in ${where}: ${around(text, secret)}`),
  );
  expect(found).toEqual([]);
});
