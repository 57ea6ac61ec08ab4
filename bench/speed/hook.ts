import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { answerHook } from '@unrut/agents/hook/answer-hook';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { bundleHook } from '../../scripts/build.ts';
import { median, rounded } from './median.ts';
import { callEvents, output } from './samples.ts';

const EARLIER = 10_000;
const ROUNDS = 101;
const BYTES = 4000;

/** Claude Code's hook payloads before and after the i-th call of a varied session. */
function payloads(i: number): [before: object, after: object] {
  const { call } = callEvents(i, '')[0] as { call: { id: string; tool: string; args: unknown } };
  const about = {
    session_id: 's',
    transcript_path: '/home/dev/.claude/projects/p/s.jsonl',
    cwd: '/home/dev/project',
  };
  const made = { ...about, tool_name: call.tool, tool_input: call.args, tool_use_id: call.id };
  return [
    { ...made, hook_event_name: 'PreToolUse' },
    {
      ...made,
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: output(BYTES, i), stderr: '' },
    },
  ];
}

/** Milliseconds that a process of this very Node takes. */
function timed(args: readonly string[], environment: NodeJS.ProcessEnv, input: string): number {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { env: environment, input });
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0 || stderr.length > 0)
    throw new Error(`node ${args.join(' ')} ended with ${status}: ${String(stderr)}`);
  return time;
}

/** The address of a home's companion, once it has started. */
async function addressIn(home: string): Promise<string> {
  for (;;) {
    const name = readdirSync(home).find((file) => file.endsWith('.socket'));
    if (name !== undefined) return join(home, name);
    await setTimeout(20);
  }
}

/**
 * One hook process compared with an empty Node process, in turns, with a session of 10,000 events
 * in the ledger: with a companion, as after the first hook, and without, as for the first one.
 */
export async function measureHook() {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  try {
    const hook = await bundleHook(join(folder, 'hook.cjs'));
    const homes = { accompanied: join(folder, 'accompanied'), alone: join(folder, 'alone') };
    const ledger = createSqliteLedger({ path: join(homes.accompanied, 'ledger.db') });
    const surroundings = { environment: {}, ledger, settings: { guard: {} } };
    let call = 0;
    for (; call < EARLIER / 2; call++)
      for (const payload of payloads(call))
        await answerHook(payload, {
          ...surroundings,
          at: Date.now() - EARLIER * 1000 + call * 1000,
        });
    await ledger.close();

    cpSync(homes.accompanied, homes.alone, { recursive: true });
    const rows = [
      { hook: 'before a call', home: homes.accompanied, side: 0 as const },
      { hook: 'after a call', home: homes.accompanied, side: 1 as const },
      { hook: 'before a call, alone', home: homes.alone, side: 0 as const },
      { hook: 'after a call, alone', home: homes.alone, side: 1 as const },
    ];
    const inHome = (home: string) => ({ ...process.env, UNRUT_HOME: home });
    for (const home of Object.values(homes))
      timed([hook], inHome(home), JSON.stringify(payloads(call)[0]));
    await addressIn(homes.accompanied);
    const gone = await addressIn(homes.alone);
    rmSync(gone);
    // Makes a start of another companion appear to be in progress for an hour.
    const soon = Date.now() / 1000 + 3600;
    writeFileSync(`${gone}.start`, '');
    utimesSync(`${gone}.start`, soon, soon);

    const times = rows.map((): number[] => []);
    const idle: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const texts = payloads(++call).map((payload) => JSON.stringify(payload));
      idle.push(timed(['-e', '0'], process.env, ''));
      for (const [row, { home, side }] of rows.entries())
        times[row]!.push(timed([hook], inHome(home), texts[side]!));
    }
    return rows.map(({ hook }, row) => {
      // Each is compared with its neighbour, so that a machine that is busy for a while slows down
      // both.
      const compared = median(times[row]!.map((time, round) => time / idle[round]!));
      return {
        hook,
        milliseconds: rounded(median(times[row]!), 1),
        '× node -e 0': rounded(compared),
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
