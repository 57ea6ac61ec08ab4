import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installableHosts } from '@unrut/agents/hosts';
import { isConnected } from '@unrut/agents/install/connect';
import { isFound } from '@unrut/agents/install/found-agents';
import { commandWord } from '@unrut/agents/install/hook-files';
import { NO_CALL } from '@unrut/agents/settings-files/order';
import { createGuard } from '@unrut/engine/guard';
import { cut, wrap } from '@unrut/engine/text/printable';
import { serverIn } from '@unrut/ledger/config/addresses';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { offFor } from '@unrut/ledger/people/said';
import { isPostgresUrl } from '@unrut/ledger/postgres-address';
import { counted } from '@unrut/ledger/report/figures';
import type { LookReport } from '@unrut/ledger/report/look-report';
import { lookSentence, lookText, shortened, worstOf } from '@unrut/ledger/report/look-text';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { look } from '@unrut/logs/scan/look';
import { type Place, usualPlaces } from '@unrut/logs/scan/usual-places';
import { flagOption, optionLines } from './arguments.ts';
import { here } from './chosen-agents.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { type CommandLine, commandLines } from './command-lines.ts';
import { DEMO_SESSIONS } from './demo-sessions.ts';
import { effectiveLedger } from './effective-ledger.ts';
import { EXIT } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printLines } from './printed.ts';
import { createProgress } from './progress.ts';
import type { ScanSetting } from './scan.ts';
import { version } from './version.ts';
import { standardOutput } from './width.ts';

const OPTIONS = {
  share: flagOption('print only the sentence, without names of commands, files and folders'),
  fresh: flagOption('read every file again, instead of remembering those that did not change'),
} as const;

const HELP = `unrut [options]

Look at the agent sessions of this machine from the last seven days: how many went in circles, what that cost, the worst one, and what
Unrut would have said. Nothing leaves this machine. unrut help lists the commands.

${optionLines(OPTIONS)}

Exit codes: 0 done, 64 usage error.`;

const DAYS = 7;
const PERIOD = `${DAYS} days`;
const DAY = 86_400_000;

/** Bare `unrut`. */
export const firstLook = defineCommand(
  { name: '', help: HELP, options: OPTIONS, operands: NO_OPERANDS },
  async ({ values }, { worker }: ScanSetting) => {
    const { found, places } = await lookBack(worker, values.fresh);
    if (values.share) {
      console.log(shared(found));
      return EXIT.ok;
    }
    if (found.runs.length > 0) printLines(lookText(found, { ...standardOutput(), period: PERIOD }));
    else if (found.files + found.older > 0) console.log(nothingLately(found));
    else await showDemo();
    printLines(['', ...(await nextCommands(found, places))]);
    return EXIT.ok;
  },
);

/** Looks at the sessions of the last days on this machine, with a bar if that takes long. */
export async function lookBack(
  worker: URL,
  isFresh = false,
): Promise<{ found: LookReport; places: Place[] }> {
  const machine = { home: homedir(), variables: process.env, platform: process.platform };
  const progress = createProgress(process.stderr);
  const places = usualPlaces(machine);
  const found = await look({
    paths: places.map(({ path }) => path),
    since: Date.now() - DAYS * DAY,
    worker,
    cache: { file: lookCacheFile(), version: programVersion(worker), isFresh },
    onProgress: progress.show,
  });
  progress.clear();
  return { found, places };
}

/** The file that remembers the results of earlier looks: next to the ledger. */
const lookCacheFile = (): string =>
  join(dirname(loadSettings().settings.ledger.path), 'looked.jsonl');

/** A new build may see other loops. */
function programVersion(program: URL): string {
  const stats = statSync(fileURLToPath(program), { throwIfNoEntry: false });
  return `${version()} ${stats?.size ?? 0} ${stats?.mtimeMs ?? 0}`;
}

const shared = (found: LookReport): string =>
  found.runs.length === 0
    ? `No agent sessions in ${PERIOD}.`
    : `${lookSentence(found, PERIOD, true)} (npx unrut)`;

const nothingLately = ({ files, older, unread }: LookReport): string =>
  `No agent sessions in ${PERIOD}: looked at ${counted(files, 'file')}${unread > 0 ? ` (${unread} could not be read)` : ''}; ${counted(older, 'file')} ${older === 1 ? 'is' : 'are'} older.`;

/** Exactly two: what to do about loops, and see everything. */
async function nextCommands(found: LookReport, places: readonly Place[]): Promise<string[]> {
  const unrut = commandWord(here());
  const isAny = found.files + found.older > 0;
  const second: CommandLine = isAny
    ? [
        `scan ${found.runs.length > 0 ? '--since 7d ' : ''}--html unrut-report.html`,
        worstOf(found.runs) ? 'see all of them on a page' : 'look at everything, on a page',
      ]
    : ['serve --demo', 'look around the dashboard with sessions that are made up'];
  return commandLines(
    [await firstCommand(found, places), second].map(
      ([command, why], i) => [`${i + 1}  ${unrut} ${command}`, why] as const,
    ),
  );
}

/**
 * Offers to connect an agent, first the one with the worst loop. If all are connected, prints their
 * notes.
 */
async function firstCommand(found: LookReport, places: readonly Place[]): Promise<CommandLine> {
  const { said } = loadSettings().settings;
  if (offFor(said, process.cwd())) return ['on', 'switch Unrut on: it is off here'];
  const at = here();
  const order = { scope: 'user', at, call: NO_CALL } as const;
  const agents = installableHosts.filter((agent) => isFound(agent, at));
  const label = agentOf(worstOf(found.runs)?.run.file, places);
  const unguarded = agents.filter((agent) => !isConnected(agent, order));
  const open = unguarded.find((agent) => agent.label === label) ?? unguarded[0];
  if (agents.length === 0 || open !== undefined)
    return [`install ${open?.name ?? 'claude-code'}`, 'guard it; undo with uninstall'];
  return (await hasRecorded())
    ? ['stats --since 7d', 'what Unrut did about it']
    : ['doctor', 'nothing is recorded yet: check the hooks'];
}

/** The agent whose place holds a file: a place may be a folder, a file or a glob. */
const agentOf = (file: string | undefined, places: readonly Place[]): string | undefined =>
  places.find(({ path }) => file?.startsWith(path.split('*')[0]!))?.agent;

/** Whether the ledger holds a session. True for a remote or unreadable ledger, which may. */
async function hasRecorded(): Promise<boolean> {
  const address = effectiveLedger();
  if (isPostgresUrl(address) || serverIn(process.env)) return true;
  try {
    return await readLedger(
      address,
      DRIVERS,
      async (_, reports) => (await reports.sessions({ most: 1 })).sessions.length > 0,
    );
  } catch {
    return true;
  }
}

/** Milliseconds between two steps of the demo on a terminal: about ten seconds in all. */
const PACE = 1200;

/** Plays a stuck agent to a real guard, and prints the messages that it would get. */
async function showDemo(): Promise<void> {
  const { paint, width } = standardOutput();
  const demo = DEMO_SESSIONS[0]!;
  console.log('No agent sessions on this machine yet. This is an agent that is stuck:\n');
  const guard = createGuard({ can: ['note', 'hint', 'block'] });
  for (let i = 0; i < 5; i++) {
    const [tool, args, result, exit] = demo.stuck[0]!;
    const event = {
      session: 'demo',
      at: i * 20_000,
      call: { id: `call-${i}`, tool, args },
    } as const;
    const before = guard.observe({ ...event, type: 'call-proposed' });
    const isBlocked = before.plan?.rung === 'block';
    const error = `exit ${exit}`;
    const after = guard.observe({
      ...event,
      type: 'call-finished',
      result,
      ...(isBlocked ? { refusedBy: 'unrut' } : { error }),
    });
    const plan = isBlocked ? before.plan : after.plan;
    const outcome = isBlocked ? paint.yellow('blocked by Unrut') : result.split('\n')[0];
    console.log(cut(`  ${i + 1}  ${args.command}  ${outcome}`, width));
    if (plan && !isBlocked)
      printLines(shortened(wrap(`→ ${plan.toModel}`, width - 2, 5), 2).map(paint.yellow));
    if (process.stdout.isTTY) await sleep(PACE);
    if (isBlocked) break;
  }
}
