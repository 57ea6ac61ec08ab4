import {
  type AccountState,
  addEntry,
  readAccount,
  startAccount,
} from '@unrut/engine/account/account';
import type { AgentEvent } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import { observe, type Preset, recommended, strict } from '@unrut/engine/presets';
import { whyNotAnEvent } from '@unrut/engine/read-event';
import { passingEntriesOf } from '@unrut/ledger/record';
import { counted, number } from '@unrut/ledger/report/figures';
import { stepText } from '@unrut/ledger/report/step-text';
import { asRecorded } from '@unrut/ledger/reports/recorded-entry';
import { paintFor } from '@unrut/ledger/text/paint';
import { fileProblems } from '@unrut/logs/scan/file-problems';
import { importerNamed, importFile } from '@unrut/logs/scan/import-file';
import { pathShown } from '@unrut/logs/scan/path-shown';
import { defineCommand, ONE_FILE } from './command.ts';
import { complain, EXIT, usageError } from './exit.ts';
import { printJson } from './printed.ts';
import { REPLAY_OPTIONS as OPTIONS, SHOW_HELP } from './show-options.ts';

const PRESETS: Record<string, Preset> = { recommended, strict, observe };

/** `unrut show FILE`. */
export const replay = defineCommand(
  { name: 'show', help: SHOW_HELP, options: OPTIONS, operands: ONE_FILE },
  async ({ values, operands }) => {
    const file = operands[0]!;
    const preset = PRESETS[values.preset];
    if (!preset)
      throw usageError(`--preset takes ${Object.keys(PRESETS).join(', ')}; got ${values.preset}.`);

    const guard = createGuard({ preset });
    const paint = paintFor(process.stdout);
    const accounts = new Map<string, AccountState>();
    let plans = 0;
    if (!values.json)
      console.log(
        paint.dim(
          'A recorded run: the agent does not react.  ▲ detected  → what Unrut would do  ✓ outcome\n',
        ),
      );
    const seen = (event: AgentEvent): void => {
      const verdict = guard.observe(event);
      const key = event.agent === undefined ? event.session : `${event.session}/${event.agent}`;
      const account = accounts.get(key) ?? startAccount();
      accounts.set(key, account);
      if (verdict.seen)
        for (const entry of passingEntriesOf(event, verdict)) addEntry(account, asRecorded(entry));
      if (verdict.plan ?? verdict.shadow) plans++;
      if (values.json) printJson<'replay'>(verdict);
      else for (const shown of stepText(verdict, paint)) console.log(shown);
    };
    let faults = 0;
    let runs = 0;
    const sessions = new Set<string>();
    const imported = await importFile(file, {
      format: values.format === undefined ? undefined : importerNamed(values.format).name,
      onEvent({ event }) {
        if (!sessions.has(event.session)) runs = sessions.add(event.session).size;
        if (whyNotAnEvent(event) === undefined) seen(event);
        else faults++;
      },
    });
    const problems = fileProblems(pathShown(file), imported, {
      runs,
      faults,
      lost: 0,
      calls: 0,
      unread: 0,
      isForced: values.format !== undefined,
    });
    for (const { file: where, message, fatal } of problems)
      if (fatal) complain(`${where}: ${message}`);
    const broken = problems.some(({ fatal }) => fatal);
    const all = [...accounts.values()].map((account) => readAccount(account));
    const total = (of: (account: (typeof all)[number]) => number): number =>
      all.reduce((sum, account) => sum + of(account), 0);
    const loops = total(({ looped }) => looped);
    if (!values.json) {
      const wasted = number(total((account) => account.wasted.steps));
      console.log(
        `\n${counted(
          total(({ steps }) => steps),
          'step',
        )}, ${wasted} wasted in ${counted(loops, 'loop')}; ${counted(plans, 'intervention')} ${preset.shadow ? 'recorded' : 'planned'}.`,
      );
    }
    if (loops > 0) return values['exit-zero'] ? EXIT.ok : EXIT.loops;
    return broken ? EXIT.unreadable : EXIT.ok;
  },
);
