import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentEvent, Json } from '@unrut/engine/event';
import { createGuard, type GuardOptions } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { Ledger } from '@unrut/ledger/ledger';
import { entriesOf, type Origin } from '@unrut/ledger/record';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { readRoadmap, runRoadmap } from '@unrut/tasks';
import { startRunState } from '@unrut/tasks/run/run-state';
import { RunStore } from '@unrut/tasks/run/run-store';
import { momentsOf } from '@unrut/testing/trace';
import { stringify } from 'yaml';

/** The sessions of a seeded ledger, by what they show. */
export const SEEDED = {
  looping: '0f3a91bc-codex-looping',
  running: '4b7e02d1-claude-running',
  recovered: '7c11aa90-gemini-recovered',
  stopped: '91d0fe34-cursor-stopped',
  nested: 'a6f2c7d8-claude-nested',
  /** No agent says so, and its name needs encoding in an address. */
  odd: 'team/α run?x=1&y#z %2F',
  roadmap: 'run-202611160901-5eed01',
  prompt: 'run-202611160902-5eed02',
} as const;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Told extends Origin {
  session: string;
  /** Lines as in the READMEs of detectors. */
  lines: readonly string[];
  /** When it ended or, for a session that continues, what it did last. */
  until: number;
  ended?: string;
  agent?: string;
  /** Of each call. */
  cost?: { tokens: number; usd: number };
  guard?: GuardOptions;
}

/**
 * Shows a run to a guard and records it, as adapters do: a call that is refused is not made, and a
 * plan is reported on.
 */
export async function record(
  ledger: Ledger,
  { session, lines, until, ended, agent, cost, guard: options, ...origin }: Told,
): Promise<void> {
  const guard = createGuard({ can: ['note', 'hint', 'block', 'escalate', 'stop'], ...options });
  const told = momentsOf(lines).flatMap(({ events }) => events);
  const shift = until - (told.at(-1)?.at ?? until);
  const observe = async (event: AgentEvent) => {
    let plan = null as ReturnType<typeof guard.observe>['plan'];
    await ledger.update([session], ([saved]) => {
      const verdict = guard.observe(event);
      plan = verdict.plan;
      return {
        states: [guard.snapshot(session) as unknown as Json],
        entries: entriesOf(event, verdict, saved!.version, origin),
      };
    });
    return plan as ReturnType<typeof guard.observe>['plan'];
  };
  let isRefused = false;
  for (const given of told) {
    const event = {
      ...given,
      session,
      at: given.at + shift,
      ...present({ agent }),
    };
    const shown: AgentEvent =
      event.type !== 'call-finished'
        ? event
        : isRefused
          ? { ...event, refusedBy: 'unrut', result: 'refused', error: undefined }
          : { ...event, ...(cost ? { cost } : {}) };
    const plan = await observe(shown);
    isRefused = event.type === 'call-proposed' && plan?.rung === 'block';
    if (plan)
      await observe({
        type: 'plan-performed',
        session,
        at: event.at,
        plan: plan.id,
        rung: plan.rung,
        ...(agent ? { agent } : {}),
      });
  }
  if (ended !== undefined)
    await observe({ type: 'session-ended', session, at: until + 1000, outcome: ended });
}

const FAILING =
  'FAIL test/cart.test.ts > adds a lamp to the cart\\nexpected 2, got 3\\nTests  1 failed | 24 passed (25)';

const OPENING = [
  'user "Make the cart test pass."',
  'Glob {"pattern":"src/**/*.ts"} -> "src/cart.ts\\nsrc/price.ts\\nsrc/index.ts"',
  'Read {"file_path":"/home/dev/project/src/cart.ts"} -> "export const add = (cart, item) => [...cart, item];"',
  'Edit {"file_path":"/home/dev/project/src/cart.ts","old_string":"[...cart, item]","new_string":"cart.concat(item)"} -> "The file was updated."',
];

const fails = (times: number): string =>
  `Bash {"command":"npm test"} -> exit 1 "${FAILING}" x${times}`;

const HONEST = [
  ...OPENING,
  'Bash {"command":"npm test"} -> exit 0 "Tests  25 passed (25)"',
  'Read {"file_path":"/home/dev/project/src/price.ts"} -> "export const price = (item) => item.net * 1.19;"',
  'Grep {"pattern":"1.19","path":"src"} -> "src/price.ts:1:export const price = (item) => item.net * 1.19;"',
  'Edit {"file_path":"/home/dev/project/src/price.ts","old_string":"1.19","new_string":"VAT"} -> "The file was updated."',
  'say "The rate is a named constant now."',
];

const RECOVERING = [
  ...OPENING,
  fails(5),
  'Read {"file_path":"/home/dev/project/test/cart.test.ts"} -> "expect(count(add(cart, lamp))).toBe(2);"',
  'Edit {"file_path":"/home/dev/project/src/count.ts","old_string":"+ 1","new_string":""} -> "The file was updated."',
  'Bash {"command":"npm test"} -> exit 0 "Tests  25 passed (25)"',
  'Bash {"command":"git commit -am \'Count lamps once\'"} -> exit 0 "1 file changed"',
  'say "The cart counts every lamp once."',
];

const PAGES = [
  'browser_snapshot {} -> "### Page\\n- Page Title: Shop\\n- button \\"Save\\" [ref=e12]"',
  'browser_click {"element":"Save","ref":"e12"} -> error "Error: Ref e12 not found in the current page snapshot."',
  'browser_snapshot {} -> "### Page\\n- Page Title: Shop\\n- button \\"Save\\" [ref=e22]"',
  'browser_click {"element":"Save","ref":"e22"} -> "### Page\\n- Page Title: Saved\\n- text: Three lamps are on their way to you"',
];

export interface Seeded {
  ledger: Ledger;
  path: string;
  /** The newest moment of it, in epoch milliseconds. */
  now: number;
}

/**
 * A ledger at `path` as a week of several agents leaves it: one that runs, one that loops right
 * now, one that was got out, one that was stopped, six days of costs, a roadmap that loops on a
 * task, a prompt that was done. Close its ledger.
 */
export async function seedLedger(path: string, now: number = Date.now()): Promise<Seeded> {
  const ledger = createSqliteLedger({ path });
  const cost = { tokens: 4200, usd: 0.031 };
  for (let day = 6; day >= 1; day--) {
    const until = now - day * DAY;
    await record(ledger, {
      session: `day-${day}-claude`,
      host: 'claude-code',
      folder: 'web-app',
      until,
      ended: 'done',
      lines: HONEST,
      cost,
    });
    const lines = day % 2 === 0 ? RECOVERING : [...OPENING, fails(4 + day)];
    await record(ledger, {
      session: `day-${day}-codex`,
      host: 'codex',
      folder: 'shop-api',
      until: until + HOUR,
      ended: 'done',
      lines,
      cost,
    });
  }
  for (const session of ['page-1', 'page-2', 'page-3'])
    await record(ledger, {
      session,
      host: 'mcp',
      until: now - 5 * HOUR,
      ended: 'done',
      lines: PAGES,
      guard: { hintFailures: true },
    });
  const stopped = [...OPENING, fails(8)];
  await record(ledger, {
    session: SEEDED.stopped,
    host: 'cursor',
    folder: 'infra',
    until: now - 3 * HOUR,
    ended: 'stopped',
    lines: stopped,
    cost,
  });
  await record(ledger, {
    session: SEEDED.recovered,
    host: 'gemini-cli',
    folder: 'docs-site',
    until: now - 2 * HOUR,
    ended: 'done',
    lines: RECOVERING,
    cost,
  });
  await record(ledger, {
    session: SEEDED.odd,
    until: now - HOUR,
    lines: [...OPENING, 'Grep {"pattern":"lamp"} -> "" x3'],
  });
  await record(ledger, {
    session: SEEDED.nested,
    agent: 'sub-1',
    host: 'claude-code',
    folder: 'web-app',
    until: now - 20_000,
    lines: [...OPENING, fails(3)],
  });
  await record(ledger, {
    session: SEEDED.running,
    host: 'claude-code',
    folder: 'web-app',
    until: now - 8000,
    lines: HONEST,
    cost,
  });
  await record(ledger, {
    session: SEEDED.looping,
    host: 'codex',
    folder: 'shop-api',
    until: now - 2000,
    lines: [...OPENING, fails(6)],
    cost,
  });
  await seedRuns(ledger, join(dirname(path), 'shop'), now);
  return { ledger, path, now };
}

const ROADMAP = {
  tasks: [
    { id: 'T1', title: 'Set up the shop', prompt: 'Create the project.' },
    {
      id: 'T2',
      title: 'Pay by card',
      prompt: 'Connect the payment service.',
      dependsOn: ['T1'],
      unblock: true,
    },
    {
      id: 'T3',
      title: 'Print the invoice',
      prompt: 'Make a PDF of each order.',
      dependsOn: ['T1'],
    },
  ],
};

const AGENT: Record<string, string> = {
  T1: 'WORK: created the project\nTASK_COMPLETE',
  T2: 'BLOCKED: the key of the payment service is missing',
  T3: 'WORK: looked at the PDF library',
};

async function seedRuns(ledger: Ledger, folder: string, now: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'roadmap.yaml'), stringify(ROADMAP));
  const fail = (error: unknown): never => {
    throw error;
  };
  const state = startRunState('roadmap', {
    folder,
    file: 'roadmap.yaml',
    args: ['roadmap.yaml'],
    command: ['agent'],
  });
  const run = SEEDED.roadmap;
  const store = new RunStore(ledger, run, state, {}, fail);
  await store.observe({ type: 'iteration-started', session: run, at: now - 60_000, iteration: 0 });
  const { ending, reason } = await runRoadmap({
    roadmap: readRoadmap(ROADMAP),
    ledger,
    run,
    folder,
    runAgent: async (_, { task }) => ({
      output: AGENT[task.id]!,
      exitCode: 0,
      cost: { tokens: 1500, usd: 0.012 },
    }),
  });
  Object.assign(state, { ending: ending === 'nothing-to-do' ? 'escalated' : ending, reason });
  await store.observe({ type: 'session-ended', session: run, at: Date.now(), outcome: ending });

  const prompt = startRunState('prompt', {
    folder,
    file: 'PROMPT.md',
    args: ['PROMPT.md'],
    command: ['agent'],
  });
  const prompts = new RunStore(ledger, SEEDED.prompt, prompt, {}, fail);
  for (const [i, output] of ['Wrote the parser.', 'Wrote its tests.\nTASK_COMPLETE'].entries()) {
    const at = now - 40_000 + i * 10_000;
    await prompts.observe({
      type: 'iteration-started',
      session: SEEDED.prompt,
      at,
      iteration: i + 1,
    });
    Object.assign(prompt, {
      iteration: i + 1,
      tried: [...prompt.tried, { iteration: i + 1, what: output.split('\n')[0] }],
    });
    await prompts.observe({
      type: 'output-finished',
      session: SEEDED.prompt,
      at: at + 5000,
      iteration: i + 1,
      output,
    });
  }
  Object.assign(prompt, { ending: 'done', reason: 'The promise was printed.' });
  await prompts.observe({
    type: 'session-ended',
    session: SEEDED.prompt,
    at: now - 20_000,
    outcome: 'done',
  });
}
