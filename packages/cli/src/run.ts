import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runnableHosts } from '@unrut/agents/hosts';
import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import { redact } from '@unrut/engine/redact/redact';
import { printable } from '@unrut/engine/text/printable';
import { sharedGuardOptions } from '@unrut/ledger/config/guard-options';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import type { Settings } from '@unrut/ledger/config/settings';
import type { Ledger } from '@unrut/ledger/ledger';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { addressOf, openLedger } from '@unrut/ledger/open-ledger';
import { endProcesses } from '@unrut/ledger/processes/end-processes';
import { MARKS } from '@unrut/ledger/processes/marks';
import { setAsideFrom } from '@unrut/ledger/sqlite/set-aside';
import { type FoundRun, findRun, newRun } from '@unrut/tasks/run/find-run';
import { startRunState } from '@unrut/tasks/run/run-state';
import { takeFolder } from '@unrut/tasks/run/take-folder';
import { optionLines } from './arguments.ts';
import { complain, EXIT, usageError } from './exit.ts';
import { helpText } from './help-text.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { RUN_OPTIONS, type RunArguments, readRunArguments, resumed } from './run-arguments.ts';
import { runPrompt } from './run-prompt.ts';
import { runRoadmapFile } from './run-roadmap-file.ts';
import { runStatus } from './run-status.ts';

const programs = new Intl.ListFormat('en').format(
  runnableHosts.map(({ programs: [program] }) => program!),
);

/** The text of `unrut run --help`. */
const HELP = `unrut run [options] <prompt.md> -- <agent command…>
unrut run [options] <roadmap.yaml> -- <agent command…>
unrut run --resume [run] [options]
unrut run status [run] [--json]

Run an agent on a task repeatedly until it is done, and detect when it is stuck in a loop. The prompt is passed on the command's
standard input, or replaces {prompt} in its arguments; ${programs} need no arguments. A roadmap
has tasks with dependencies and checks. PROMPT.notes.md beside PROMPT.md, which you can edit at any time, is added to the next prompt.

${optionLines(RUN_OPTIONS, 23)}

A budget in the settings (unrut config) limits the whole run with the sessions of its agents; --resume adds the same amount once more.

Exit codes: 0 done, 1 unexpected error, 2 limit or budget reached, 3 loop, 4 human needed, 64 usage error, 130 interrupted.`;

const CANNOT_GO_ON = 1;
/** For an agent whose process, but not whose children, ended with the one that ran it. */
const GRACE = 2000;

/** `unrut run`. Returns the exit code. */
export const run = Object.assign(runAgent, { options: RUN_OPTIONS });

async function runAgent(args: readonly string[]): Promise<number> {
  const given = readRunArguments(args);
  if (given.values.help) {
    console.log(helpText(HELP));
    return EXIT.ok;
  }
  const cwd = process.cwd();
  const { settings, problems } = loadSettings({ cwd });
  problems.forEach(complain);
  const { path } = settings.ledger;
  const before = setAsideFrom(path);
  if (statSync(path, { throwIfNoEntry: false })?.size === 0)
    complain(`The ledger ${path} is empty. Runs that were in it are lost; it is begun again.`);
  const ledger = await openRunLedger(settings.ledger);
  try {
    // Damage shows when it is read.
    if (settings.ledger.url === undefined) await ledger.sessions().catch(() => []);
    const aside = setAsideFrom(path);
    if (aside !== undefined && aside !== before)
      console.error(
        printable(
          `[unrut] The ledger was damaged and is set aside as ${join(dirname(path), aside)}. The runs in it are lost; a new ledger was begun.`,
        ),
      );
    if (given.operands[0] === 'status' && given.command.length === 0)
      return await runStatus(ledger, given, cwd);
    const { run, state, ...taken } = given.values.resume
      ? await findAgain(ledger, given, cwd)
      : begin(args, given, cwd);
    const last = await takeFolder(ledger, state.folder, run);
    // The agent of a run that was killed may have outlived it.
    for (const value of new Set([run, last ?? run]))
      await endProcesses(undefined, { name: MARKS.run, value }, GRACE);
    const context = {
      ledger,
      run,
      state,
      given: taken.given,
      settings,
      guard: await sharedGuardOptions(settings, ledger),
    };
    return await (state.kind === 'roadmap' ? runRoadmapFile : runPrompt)(context);
  } catch (error) {
    if (error instanceof UnrutError && error.code === 'usage') {
      const aside = error.message.includes('No run was started') ? setAsideFrom(path) : undefined;
      throw aside === undefined
        ? error
        : usageError(
            `${error.message.replace('[unrut] ', '')} A damaged ledger is set aside as ${join(dirname(path), aside)}: runs in it are lost.`,
          );
    }
    // The usual code for it means a limit here.
    complain(`Unexpected error: ${errorReason(error)}`);
    return CANNOT_GO_ON;
  } finally {
    await ledger.close();
  }
}

interface Begun extends FoundRun {
  given: RunArguments;
}

function begin(args: readonly string[], given: RunArguments, folder: string): Begun {
  const [file, ...more] = given.operands;
  if (file === undefined || more.length > 0)
    throw usageError(
      file !== undefined && given.command.length === 0
        ? `run takes one file; got ${given.operands.length}. Put -- before the agent's command: unrut run ${file} -- ${more.join(' ')}`
        : `run takes one file, a prompt or a roadmap; got ${given.operands.length}. See unrut run --help.`,
    );
  if (given.command.length === 0)
    throw usageError(
      `Put the agent's command after --, such as: unrut run ${file} -- claude. See unrut run --help.`,
    );
  const own = args.slice(0, args.indexOf('--'));
  const state = startRunState(/\.(?:ya?ml|json)$/i.test(file) ? 'roadmap' : 'prompt', {
    folder,
    file,
    args: hasSecret(own) ? [file] : own,
    command: hasSecret(given.command) ? null : given.command,
  });
  return { run: newRun(Date.now(), randomUUID()), state, given };
}

const hasSecret = (texts: readonly string[]): boolean =>
  redact(texts.join('\n')) !== texts.join('\n');

async function findAgain(ledger: Ledger, given: RunArguments, folder: string): Promise<Begun> {
  const [name] = given.operands;
  const { run, state } = await findRun(ledger, { name, folder });
  // A roadmap may have got new tasks since.
  if (state.ending === 'done' && state.kind === 'prompt')
    throw usageError(
      `${run} is done. To resume another run listed by unrut show --list: unrut run --resume <run>`,
    );
  if (state.command === null && given.command.length === 0)
    throw usageError(
      `The command of ${run} contained a secret, so it was not saved. Give it again: unrut run --resume ${run} -- <agent command…>`,
    );
  const before = { ...readRunArguments(state.args), command: state.command ?? [] };
  return { run, state, given: resumed(before, given) };
}

/** Without a ledger the run is guarded all the same, but cannot be taken up again. */
async function openRunLedger(place: Settings['ledger']): Promise<Ledger> {
  try {
    // A finished iteration was paid for: it is on the disk before the next begins.
    return await openLedger(addressOf(place), DRIVERS, {
      retention: place.retention,
      durable: true,
    });
  } catch (error) {
    complain(`${errorReason(error)} This run cannot be resumed.`);
    return createMemoryLedger();
  }
}
