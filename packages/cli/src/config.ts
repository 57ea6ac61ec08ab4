import { budgetNotes, connectedHosts } from '@unrut/agents/install/budget-notes';
import { switchProblems } from '@unrut/computer-use/switches';
import { printable } from '@unrut/engine/text/printable';
import { type EffectiveSetting, effectiveSettings } from '@unrut/ledger/config/effective-settings';
import { type LoadedSettings, loadSettings } from '@unrut/ledger/config/load-settings';
import { whatOf } from '@unrut/ledger/people/forgive';
import type { Said } from '@unrut/ledger/people/said';
import { offText } from '@unrut/ledger/people/switch';
import { type Paint, paintFor } from '@unrut/ledger/text/paint';
import schema from '@unrut/schemas/unrut.schema.json' with { type: 'json' };
import { flagOption, optionLines } from './arguments.ts';
import { here } from './chosen-agents.ts';
import { defineCommand, NO_OPERANDS } from './command.ts';
import { complain, EXIT } from './exit.ts';
import { printJson, printLines } from './printed.ts';

const OPTIONS = {
  all: flagOption('include detectors and recoveries that use their defaults'),
  check: flagOption('print only the problems'),
  json: flagOption('print everything as one JSON object'),
  schema: flagOption('print the JSON Schema for config files'),
} as const;

const HELP = `unrut config [options]

Show the effective settings for this folder and where each comes from: the user's file, the project's file, an environment variable,
or the default. Each invalid setting is reported in one line; the others still apply. So is each limit of the budget that a connected agent
cannot keep (exit code 0).

${optionLines(OPTIONS)}

Exit codes: 0 no problems, 2 invalid settings, 64 usage error.`;

/** `unrut config`. */
export const config = defineCommand(
  { name: 'config', help: HELP, options: OPTIONS, operands: NO_OPERANDS },
  async ({ values }) => {
    if (values.schema) {
      console.log(JSON.stringify(schema, null, 2));
      return EXIT.ok;
    }
    const loaded = loadSettings();
    const { files } = loaded;
    const problems = [...loaded.problems, ...switchProblems(process.env)];
    const notes = budgetNotes(loaded.settings.guard.budget, connectedHosts(here()), here()).map(
      (note) => `budget.${note}`,
    );
    const rows = effectiveSettings(loaded);
    if (values.json)
      printJson<'config'>(
        { files, settings: rows, said: loaded.settings.said, problems, notes },
        2,
      );
    else {
      if (!values.check)
        printLines([
          ...settingsText(files, rows, values.all, paintFor(process.stdout)),
          ...saidText(loaded.settings.said),
        ]);
      [...problems, ...notes].forEach(complain);
    }
    return problems.length > 0 ? EXIT.unreadable : EXIT.ok;
  },
);

/** Lists what the user has switched off and which alarms the user called false. */
function saidText({ off, forgiven }: Said): string[] {
  return [
    ...off.map((each) =>
      printable(
        `switched off ${each.session === undefined ? offText(each) : `for session ${each.session}`} (unrut on)`,
      ),
    ),
    ...(forgiven.length > 0
      ? ['called false alarms (unrut false-alarm --undo takes the last one back):']
      : []),
    ...forgiven.map((each, i) =>
      printable(
        `  ${i + 1}. ${whatOf(each)}${each.folder === undefined ? '' : ` (${each.folder})`}: ${each.silent ? 'silence' : 'no more than a note'}`,
      ),
    ),
  ];
}

/**
 * Lists the settings in force; detectors and recoveries with default settings are listed only with
 * `all`.
 */
function settingsText(
  files: LoadedSettings['files'],
  rows: readonly EffectiveSetting[],
  all: boolean,
  paint: Paint,
): string[] {
  const isUsed = (file: string): boolean => rows.some(({ from }) => from === file);
  const isQuiet = ({ key, from }: EffectiveSetting): boolean =>
    from === 'default' && /^(?:detectors|recoveries)\./.test(key);
  const shown = rows
    .filter((row) => all || !isQuiet(row))
    .map(({ key, value, from }) => ({
      key: printable(key),
      value: printable(valueText(value)),
      from: printable(from),
    }));
  const [keyWidth, valueWidth] = [
    widest(shown.map(({ key }) => key)),
    widest(shown.map(({ value }) => value)),
  ];
  return [
    `user config     ${printable(files.user)}${isUsed(files.user) ? '' : paint.dim(' (sets nothing)')}`,
    `project config  ${files.project === undefined ? paint.dim('none') : printable(files.project)}`,
    '',
    ...shown.map(({ key, value, from }) => {
      const line = `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${from}`;
      return from === 'default' ? paint.dim(line) : line;
    }),
    ...(all
      ? []
      : ['', 'Detectors and recoveries not listed here use their defaults; --all lists them.']),
  ];
}

/** A long path or command does not push the last column away. */
const WIDEST = 40;
const widest = (texts: readonly string[]): number =>
  Math.min(WIDEST, Math.max(0, ...texts.map((text) => text.length)));

function valueText(value: unknown): string {
  if (value === null) return 'not set';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
