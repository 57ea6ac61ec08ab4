import { forgetLearned, recoveriesIn } from '@unrut/ledger/learned';
import { recoveriesText, screensText, statisticsText } from '@unrut/ledger/report/statistics-text';
import { screenRunSums } from '@unrut/ledger/reports/screen-runs';
import { statsOf } from '@unrut/ledger/reports/stats';
import { trialText } from '@unrut/ledger/trial/trial-text';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { flagOption, optionLines, textOption, timeArgument } from './arguments.ts';
import { defineCommand } from './command.ts';
import { effectiveLedger, nothingYet } from './effective-ledger.ts';
import { EXIT, usageError } from './exit.ts';
import { printInsights } from './insights.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { ORIGIN_OPTIONS, originGiven } from './origin-options.ts';
import { printJson, printLines } from './printed.ts';
import { standardOutput } from './width.ts';

const OPTIONS = {
  since: textOption(
    'WHEN',
    'only what happened after WHEN, from the start of its hour: 30m, 24h, 7d, 2w, or a date',
  ),
  by: textOption(
    'GROUP',
    'group sessions by repo, team, release, model, host, tool or detector: how many have a loop,\n' +
      'with the 95 % interval, and what was wasted (default: the last 30 days)',
  ),
  compare: textOption(
    'A B',
    'compare two releases, such as v41 v42; other values as model=A model=B; two periods as\n' +
      '14d..7d 7d.. or, for --since and the time before it, period',
  ),
  ...ORIGIN_OPTIONS,
  trial: flagOption('compare sessions in which Unrut acts with those in which it only records'),
  csv: flagOption('with --by or --compare: print CSV'),
  recoveries: flagOption(
    'show which suggestions work after which failure: offered, followed, recovered',
  ),
  reset: flagOption(
    'with --recoveries: discard what was learned and start over (the ledger itself is kept)',
  ),
  json: flagOption('print one JSON object instead of text'),
} as const;

const HELP = `unrut stats [options]

Summarize the ledger: sessions and steps, signals by detector, plans and their outcomes by recovery and rung, calls by tool, and of screen runs
how they ended, what was forced and why. With --by, --compare or a filter such as --repo: sessions by group, and what differs.

${optionLines(OPTIONS)}

Exit codes: 0 done (even if empty), 2 the ledger could not be read, 64 usage error.`;

const MAYBE_SECOND = { least: 0, most: 1, what: 'at most the second value of --compare' } as const;
const TOOLS_SHOWN = 20;

/** `unrut stats`. */
export const stats = defineCommand(
  { name: 'stats', help: HELP, options: OPTIONS, operands: MAYBE_SECOND },
  async ({ values, operands: [second] }) => {
    const since = values.since === undefined ? 0 : timeArgument('since', values.since, Date.now());
    if (values.reset && !values.recoveries)
      throw usageError('--reset needs --recoveries. See unrut stats --help.');
    const path = effectiveLedger();
    const filter = originGiven(values);
    if (second !== undefined && values.compare === undefined)
      throw usageError(`stats takes no arguments; got ${second}. See unrut stats --help.`);
    if (values.by !== undefined || values.compare !== undefined || filter) {
      await printInsights(path, {
        by: values.by,
        compare: values.compare,
        with: second,
        filter: filter ?? {},
        since: values.since === undefined ? undefined : since,
        format: values.csv ? 'csv' : values.json ? 'json' : 'text',
      });
      return EXIT.ok;
    }
    if (values.csv) throw usageError('--csv needs --by or --compare. See unrut stats --help.');
    if (values.recoveries) return recoveries(path, since, values);
    if (values.trial) {
      const trials = await readLedger(path, DRIVERS, (_, reports) => reports.trials());
      if (values.json) printJson<'stats-trial'>({ trials });
      else printLines(trialText(trials, standardOutput()));
      return EXIT.ok;
    }
    const statistics = await readLedger(path, DRIVERS, async (ledger, reports) => ({
      ...(await statsOf(reports, since)),
      screens: await screenRunSums(ledger, since),
    }));
    if (values.json) printJson<'stats'>(statistics);
    else if (statistics.sessions === 0 && values.since !== undefined)
      console.log(`Nothing recorded since ${values.since}.`);
    else if (statistics.sessions === 0) console.log(nothingYet(path));
    else {
      printLines(statisticsText(statistics, { ...standardOutput(), top: TOOLS_SHOWN }));
      printLines(screensText(statistics.screens, standardOutput()));
    }
    return EXIT.ok;
  },
);

async function recoveries(
  path: string,
  since: number,
  { reset, json }: { reset: boolean; json: boolean },
): Promise<number> {
  const rows = await readLedger(path, DRIVERS, async (ledger) => {
    if (reset) await forgetLearned(ledger, Date.now());
    return recoveriesIn(ledger, since);
  });
  if (json) printJson<'stats-recoveries'>({ recoveries: rows });
  else if (reset) console.log('Discarded what was learned about recoveries. Learning starts over.');
  else if (rows.length === 0)
    console.log('No suggestions yet: they are made when an agent is stuck after a failure.');
  else printLines(recoveriesText(rows, standardOutput()));
  return EXIT.ok;
}
