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
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { counted } from '@unrut/ledger/report/figures';
import type { LookReport } from '@unrut/ledger/report/look-report';
import { lookSentence, lookText, shortened, worstOf } from '@unrut/ledger/report/look-text';
import { look } from '@unrut/logs/scan/look';
import { type Place, usualPlaces } from '@unrut/logs/scan/usual-places';
import { flagOption, optionLines } from './arguments.ts';
import { here } from './chosen-agents.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { commandLines } from './command-lines.ts';
import { DEMO_SESSIONS } from './demo-sessions.ts';
import { EXIT } from './exit.ts';
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
    const machine = { home: homedir(), variables: process.env, platform: process.platform };
    const progress = createProgress(process.stderr);
    const places = usualPlaces(machine);
    const found = await look({
      paths: places.map(({ path }) => path),
      since: Date.now() - DAYS * DAY,
      worker,
      cache: {
        file: lookCacheFile(),
        version: programVersion(worker),
        isFresh: values.fresh,
      },
      onProgress: progress.show,
    });
    progress.clear();
    if (values.share) {
      console.log(shared(found));
      return EXIT.ok;
    }
    if (found.runs.length > 0) printLines(lookText(found, { ...standardOutput(), period: PERIOD }));
    else if (found.files + found.older > 0) console.log(nothingLately(found));
    else await showDemo();
    printLines(['', ...nextCommands(found, places)]);
    return EXIT.ok;
  },
);

/** The file that remembers the results of earlier looks: beside the ledger. */
export const lookCacheFile = (): string =>
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

/**
 * Exactly two: connect an agent that is here and not connected, first the one with the worst loop,
 * and see everything.
 */
function nextCommands(found: LookReport, places: readonly Place[]): string[] {
  const at = here();
  const unrut = commandWord(at);
  const order = { scope: 'user', at, call: NO_CALL } as const;
  const agents = installableHosts.filter((agent) => isFound(agent, at));
  const worst = worstOf(found.runs)?.run.file ?? '';
  const label = places.find(({ path }) => worst.startsWith(path))?.agent;
  const unguarded = agents.filter((agent) => !isConnected(agent, order));
  const open = unguarded.find((agent) => agent.label === label) ?? unguarded[0];
  const first: [string, string] =
    agents.length > 0 && open === undefined
      ? [`${unrut} stats --since 7d`, 'what Unrut did about it']
      : [`${unrut} install ${open?.name ?? 'claude-code'}`, 'guard it; undo with uninstall'];
  const isAny = found.files + found.older > 0;
  const second: [string, string] = isAny
    ? [
        `${unrut} scan ${found.runs.length > 0 ? '--since 7d ' : ''}--html unrut-report.html`,
        worstOf(found.runs) ? 'see all of them on a page' : 'look at everything, on a page',
      ]
    : [`${unrut} serve --demo`, 'look around the dashboard with sessions that are made up'];
  return commandLines(
    [first, second].map(([command, why], i) => [`${i + 1}  ${command}`, why] as const),
  );
}

/** Milliseconds between two steps of the demo on a terminal: about ten seconds in all. */
const PACE = 1200;

/** Plays an agent that is stuck to a real guard, and shows what it would be told. */
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
