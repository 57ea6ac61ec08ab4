import { createMemoryLedger } from '@unrut/ledger/memory';
import { entriesOf } from '@unrut/ledger/record';
import { createRecorder as recordTo } from '@unrut/ledger/recorder';
import { isFull } from '@unrut/test/full-runs';
import { SECRETS } from '@unrut/test/planted-secrets';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../event.ts';
import { failures } from '../failures/index.ts';
import { createGuard } from '../guard.ts';
import { isKnownTool } from '../tools/tool-role.ts';
import type { Candidate } from './candidate.ts';

const RUNS = isFull ? 10_000 : 900;

const HARMLESS = [
  'browser_click',
  'browser_snapshot',
  'browser_type',
  'take_snapshot',
  'read_page',
  'find',
  'Read',
  'Bash',
  'Edit',
  'Glob',
  'list_directory',
  'AskUserQuestion',
  'wait',
  'lookup_order',
  'run_tests',
  'browser_press_key',
];
const DESTRUCTIVE = [
  'delete_account',
  'pay_invoice',
  'drop_table',
  'send_email',
  'purge_snapshot',
  'read_page_and_delete',
  'list_and_remove_files',
  'find_file_and_publish',
  'transfer_money',
  'mcp__bank__confirm_order',
  'wipe_directory',
  'submit_form_and_read_page',
  'browser_login',
  'get_page_then_logout',
  'server.erase_file',
];

const FAILING = '2 failed, 3 passed';
const COMPILING = 'src/a.ts(2,14): error TS2322: no such type';
const NO_TOOL = 'No such tool available: browser_press_kee.';
const TEXTS = [
  'Error: Ref e12 not found in the current page snapshot.',
  'HTTP 403 Forbidden',
  'TimeoutError: Timeout 5000ms exceeded.',
  'ENOENT: no such file or directory',
  'String to replace not found in file.',
  'Permission denied',
  'HTTP 429 too many requests',
  'bash: x: command not found',
  '"#a" does not match any elements.',
  FAILING,
  COMPILING,
  'something else broke',
  NO_TOOL,
  'Invalid arguments: expected string, received undefined at path',
  'Tool "browser_click" does not handle the modal state: can be handled by browser_handle_dialog',
  '<div id="cb"> intercepts pointer events',
  'Element is not a <select> element',
  'did not find some options',
  'net::ERR_CONNECTION_REFUSED at http://127.0.0.1:3000/',
  'nc: connect to 10.0.3.3 port 23 (tcp) failed: Connection refused',
  "ModuleNotFoundError: No module named 'pandaz'",
  'net::ERR_NAME_NOT_RESOLVED at http://shop.invalid/',
  'Access to "file:" protocol is blocked.',
  'ReferenceError: nothing is not defined',
  'Tab 7 not found',
  'EISDIR: illegal operation on a directory',
  'Access denied - path outside allowed directories:',
  'Destination already exists: did you mean b.txt?',
];

const secret = fc.constantFrom(...Object.values(SECRETS));
const place = (value: string) =>
  fc.constantFrom(
    value,
    `/home/dev/${value}/a.ts`,
    `https://bob:${value}@shop.example/?token=${value}`,
    `password=${value}`,
    `Authorization: Bearer ${value}`,
  );

/** One failure somewhere: any tool, any error, a secret in any of the places that have one. */
const failed = secret.chain((value) =>
  fc.record({
    tool: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...HARMLESS, ...DESTRUCTIVE) },
      { weight: 1, arbitrary: fc.constant('run_tests') },
      { weight: 1, arbitrary: fc.constant(`run_${value}`) },
    ),
    args: fc.dictionary(
      fc.constantFrom(
        'file_path',
        'path',
        'url',
        'ref',
        'element',
        'command',
        'text',
        'password',
        'old_string',
      ),
      fc.oneof(place(value), fc.constantFrom('e12', 'src/a.ts', 'Delete account', 'Save')),
      { maxKeys: 4 },
    ),
    error: fc
      .tuple(fc.constantFrom(...TEXTS, FAILING, FAILING, COMPILING), place(value))
      .map(([text, planted]) => `${text} ${planted}`),
    listed: fc.subarray([...HARMLESS, ...DESTRUCTIVE, `get_page_${value}`]),
    declared: fc.subarray(HARMLESS, { maxLength: 4 }),
    times: fc.integer({ min: 1, max: 5 }),
    /** Nothing failed, and nothing came of it. */
    isIdle: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0),
    value: fc.constant(value),
  }),
);

function eventsOf({ tool, args, error, listed, declared, times, isIdle }: Failed): AgentEvent[] {
  const tools = listed.map((name) => ({
    name,
    ...(declared.includes(name) ? { annotations: { destructiveHint: true } } : {}),
    ...(name.startsWith('browser_') ? { takes: { profile: false } } : {}),
  }));
  const calls = Array.from(
    { length: times },
    (_, i): AgentEvent => ({
      type: 'call-finished',
      session: 's',
      at: 5000 * (i + 2),
      call: { id: `c${i}`, tool, args },
      ...(isIdle ? { result: `The page is as it was. ${error.split(' ').at(-1)}` } : { error }),
    }),
  );
  return [{ type: 'tools-listed', session: 's', at: 1, tools }, ...calls];
}

const RISKY_COMMAND =
  /\b(?:rm|sudo|chmod|chown|kill|dd|mkfs|curl|wget|git (?:reset|checkout|clean|push))\b/;

/** Rare among random ones. */
const MISTYPED = {
  tool: 'browser_press_kee',
  args: {},
  error: NO_TOOL,
  listed: ['browser_press_key'],
  declared: [],
  times: 3,
  isIdle: false,
  value: Object.values(SECRETS)[0]!,
};

type Failed = typeof failed extends fc.Arbitrary<infer T> ? T : never;

/** What is wrong with a candidate that is on offer. */
function complaintsOf(
  { name, tool = '', args = {}, risk, blockedReason }: Candidate,
  run: Failed,
): string[] {
  if (blockedReason !== undefined) return [];
  const wrong: [boolean, string][] = [
    [DESTRUCTIVE.includes(tool), 'is destructive'],
    [
      run.declared.includes(tool) && run.listed.includes(tool) && !isKnownTool(tool),
      'is declared destructive',
    ],
    [RISKY_COMMAND.test(Object.values(args).join(' ')), 'has a risky command'],
    [
      DESTRUCTIVE.includes(run.tool) && risk === 'side_effect_possible',
      'repeats what is destructive',
    ],
  ];
  return wrong.filter(([holds]) => holds).map(([, what]) => `${name} by ${tool} ${what}`);
}

test(`in ${RUNS} random failures no candidate holds a secret, and none on offer is destructive`, () => {
  const seen = new Set<string>();
  let offers = 0;
  fc.assert(
    fc.property(failed, (run) => {
      const guard = createGuard({ hintFailures: true });
      const complaints: string[] = [];
      for (const event of eventsOf(run)) {
        const verdict = guard.observe(event);
        const candidates = verdict.plan?.candidates ?? [];
        complaints.push(
          ...verdict.faults.map(({ message }) => message),
          ...candidates.flatMap((each) => complaintsOf(each, run)),
        );
        if (
          JSON.stringify([verdict.plan, verdict.outcomes, entriesOf(event, verdict, 1)]).includes(
            run.value,
          )
        )
          complaints.push('a secret is told');
        for (const { name } of candidates) seen.add(name);
        offers += candidates.filter(({ blockedReason }) => blockedReason === undefined).length;
      }
      expect(complaints).toEqual([]);
    }),
    { numRuns: RUNS, seed: 10, examples: [[MISTYPED]] },
  );
  expect(offers).toBeGreaterThan(RUNS);
  const possible = failures.flatMap(({ moves }) => moves.map(({ name }) => name));
  expect(possible.filter((name) => !seen.has(name))).toEqual([]);
});

test('nothing is carried out by ranking: tools within its reach are never called, and what it is shown stays as it is', async () => {
  const called: string[] = [];
  const trap = (name: string) =>
    new Proxy(() => undefined, {
      apply: () => {
        called.push(name);
      },
      construct: () => {
        called.push(name);
        return {};
      },
    });
  const ledger = createMemoryLedger();
  const guard = recordTo(ledger, { hintFailures: true });
  const candidates: Candidate[] = [];
  for (const text of TEXTS)
    for (let i = 0; i < 6; i++) {
      const args = Object.freeze({
        file_path: 'src/a.ts',
        ref: 'e12',
        run: trap('run'),
        execute: trap('execute'),
      });
      const call = Object.freeze({
        id: `${text}${i}`,
        tool: 'browser_click',
        args,
        run: trap('call'),
      });
      const event = Object.freeze({
        type: 'call-finished',
        session: text,
        at: 5000 * i,
        call,
        error: text,
        callTool: trap('callTool'),
      });
      const { plan } = await guard.observe(event as unknown as AgentEvent);
      candidates.push(...(plan?.candidates ?? []));
    }
  expect(candidates.length).toBeGreaterThan(20);
  expect(called).toEqual([]);
  expect(JSON.parse(JSON.stringify(candidates))).toEqual(candidates);
});
