import type { Task } from '@unrut/computer-use/task';
import { readAllowedHosts } from '@unrut/server/cua/allowed-hosts';
import type { CuaRuns } from '@unrut/server/cua/cua-runs';
import { beforeAll, expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { ask } from '../server/request.ts';
import { served } from '../server/served.ts';

/** Values that no request field expects; each is invalid in most fields. */
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
  'POST %s with a wrong value is refused with its name, and the server continues',
  async (path, body, named) => {
    const { status, text } = await ask(`${url}${path}`, { body: JSON.stringify(body) });
    expect(status, text).toBe(400);
    expect((JSON.parse(text) as { detail: string }).detail).toMatch(named);
    expect((await readThrice({})).at(-1)!.plan?.rung).toBe('note');
  },
);

const SETTINGS = ['off', 'allow', 'maxSteps', 'viewport', 'nonsense', 'of'];
const TASK = {
  url: 'http://127.0.0.1/',
  task: 'Fill in the form.',
  brain: { kind: 'scripted', script: [] },
};
/** Runs that are only noted. */
function notedRuns() {
  const added: { task: Task; problems: readonly string[] }[] = [];
  const hosts = readAllowedHosts('127.0.0.1');
  if ('wrong' in hosts) throw new Error(hosts.wrong);
  const cua: CuaRuns = {
    hosts,
    add(task, problems = []) {
      added.push({ task, problems });
      return { id: 'r', state: 'queued', asked: 0, steps: 0, refused: [], problems: [...problems] };
    },
    get: async () => undefined,
    sums: async () => ({
      runs: 0,
      endings: {},
      loop_recoveries_by_reason: {},
      done_rejections_by_reason: {},
    }),
    ended: async () => {},
    close: async () => {},
  };
  return { cua, added };
}
const RIGHT: Record<string, unknown[]> = { off: [null, []], allow: [null, []] };

test.each(SETTINGS)(
  'POST /v1/cua with a wrong %s runs by the rest, and reports it',
  async (key) => {
    const { cua, added } = notedRuns();
    const { url: withRuns } = await served(newPath(), { cua });
    const right = RIGHT[key] ?? (key === 'nonsense' || key === 'of' ? [] : [null]);
    const sound = { allow: ['loop-recovery'], maxSteps: 7, off: ['nudge'] };
    const wrong = [...WRONG, 1e300, true].filter(
      (value) => !right.some((each) => JSON.stringify(each) === JSON.stringify(value)),
    );
    for (const value of wrong) {
      if (key === 'viewport' && JSON.stringify(value) === '{}') continue;
      const body = JSON.stringify({ ...TASK, ...sound, [key]: value });
      const { status, text } = await ask(`${withRuns}/v1/cua`, { body });
      expect(status, `${key}: ${JSON.stringify(value)}: ${text}`).toBe(202);
      const { problems } = JSON.parse(text) as { problems: string[] };
      expect(problems.join('\n'), body).toContain(`\`${key}`);
      const { task } = added.at(-1)!;
      if (key !== 'allow') expect(task.allow, body).toEqual(['loop-recovery']);
      if (key !== 'maxSteps') expect(task.maxSteps, body).toBe(7);
      // Which gates were meant is not known, so none acts.
      const isOff = key === 'off' || key === 'of';
      expect(task.off.includes('loop-recovery'), body).toBe(isOff);
      if (key !== 'off') expect(task.off, body).toContain('nudge');
    }
  },
);

test('POST /v1/cua with sound settings reports nothing', async () => {
  const { cua, added } = notedRuns();
  const { url: withRuns } = await served(newPath(), { cua });
  const body = JSON.stringify({ ...TASK, off: ['nudge'], viewport: { width: 800, height: 600 } });
  const { text } = await ask(`${withRuns}/v1/cua`, { body });
  expect((JSON.parse(text) as { problems: string[] }).problems).toEqual([]);
  expect(added[0]!.task).toMatchObject({ off: ['nudge'], viewport: { width: 800, height: 600 } });
});

test.each([
  [{ ...TASK, url: 7 }, /url/],
  [{ task: 'x', brain: TASK.brain, ulr: 'http://127.0.0.1/' }, /Did you mean `url`/],
  [{ ...TASK, brain: { kind: 'scripted' } }, /script/],
  [{ ...TASK, plan: { values: 3 } }, /plan\.values/],
])('POST /v1/cua with %j is no task, and is refused in one line', async (body, named) => {
  const { cua, added } = notedRuns();
  const { url: withRuns } = await served(newPath(), { cua });
  const { status, text } = await ask(`${withRuns}/v1/cua`, { body: JSON.stringify(body) });
  expect(status).toBe(400);
  expect((JSON.parse(text) as { detail: string }).detail).toMatch(named);
  expect(added).toEqual([]);
});
