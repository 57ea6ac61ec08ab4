import { beforeAll, expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { ask } from '../server/request.ts';
import { served } from '../server/served.ts';

/** What no field of a request expects; each is wrong in most of them. */
const WRONG = [null, 0, -1, 'nonsense', '', [], ['nonsense'], [3], [null], {}, { a: null }];
const DECLARATIONS = [
  'unrut/poll',
  'unrut/identity',
  'unrut/patch',
  'unrut/look',
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
];
const WRONG_DECLARATIONS = DECLARATIONS.flatMap((name) =>
  WRONG.map((value) => [name, JSON.stringify(value), { [name]: value }] as const),
);

let url = '';
beforeAll(async () => {
  ({ url } = await served(newPath()));
});

interface Verdict {
  plan: { rung: string } | null;
  faults: { where: string; message: string }[];
}
let sessions = 0;

/** Reads one file three times, and returns the verdicts. */
async function readThrice(more: object, listed?: object): Promise<Verdict[]> {
  const session = `wrong-${++sessions}`;
  const at = Date.now() - 60_000;
  const events = [0, 1, 2].flatMap((i) => {
    const call = { id: `c${i}`, tool: 'Read', args: { file_path: '/repo/a.ts' } };
    const event = { session, call, ...more };
    return [
      { ...event, type: 'call-proposed', at: at + 2000 * i },
      { ...event, type: 'call-finished', at: at + 2000 * i + 1000, result: 'export const a = 1;' },
    ];
  });
  const list = listed ? [{ type: 'tools-listed', session, at, ...listed }] : [];
  const { status, text } = await ask(`${url}/v1/events`, {
    body: JSON.stringify([...list, ...events]),
  });
  expect(status).toBe(200);
  return (JSON.parse(text) as { verdicts: Verdict[] }).verdicts;
}

test.each(WRONG_DECLARATIONS)(
  'a tool that declares %s as %s is guarded as if it declared nothing',
  async (_name, _value, annotations) => {
    const said = await readThrice({ annotations });
    expect(said.flatMap(({ faults }) => faults)).toEqual([]);
    expect(said.at(-1)!.plan?.rung).toBe('note');
    const listed = await readThrice({}, { tools: [{ name: 'Read', annotations }] });
    expect(listed.slice(1).flatMap(({ faults }) => faults)).toEqual([]);
    expect(listed.at(-1)!.plan?.rung).toBe('note');
  },
);

test('the sound part of a declaration applies', async () => {
  const annotations = { 'unrut/identity': [3, 'order'], 'unrut/poll': 'perhaps' };
  const at = Date.now() - 60_000;
  const events = [0, 1, 2].map((i) => ({
    type: 'call-finished',
    session: 'orders',
    at: at + 2000 * i,
    call: { id: `o${i}`, tool: 'findOrder', args: { order: '7', remark: `remark ${i}` } },
    annotations,
    result: 'Order 7 waits for the customer to answer the letter.',
  }));
  const { text } = await ask(`${url}/v1/events`, { body: JSON.stringify(events) });
  const { verdicts } = JSON.parse(text) as { verdicts: Verdict[] };
  expect(verdicts.at(-1)!.plan?.rung).toBe('note');
});

test.each([
  ['/v1/events?can=nonsense', [], /can/],
  ['/v1/events?shadow=perhaps', [], /shadow/],
  ['/v1/hooks/claude-code?shadow=perhaps', {}, /shadow/],
])(
  'POST %s with a wrong value is refused with its name, and the server goes on',
  async (path, body, named) => {
    const { status, text } = await ask(`${url}${path}`, { body: JSON.stringify(body) });
    expect(status, text).toBe(400);
    expect((JSON.parse(text) as { detail: string }).detail).toMatch(named);
    expect((await readThrice({})).at(-1)!.plan?.rung).toBe('note');
  },
);
