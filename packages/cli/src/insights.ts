import { compareGiven } from '@unrut/ledger/insights/compare-given';
import {
  COMPARED,
  type Compared,
  GROUPED,
  type Grouped,
  type InsightsQuery,
} from '@unrut/ledger/insights/insights';
import { insightsCsv } from '@unrut/ledger/insights/insights-csv';
import { insightsText } from '@unrut/ledger/insights/insights-text';
import { readLedger } from '@unrut/ledger/views/read-ledger';
import { usageError } from './exit.ts';
import { DRIVERS } from './ledger-drivers.ts';
import { printJson, printLines } from './printed.ts';
import { standardOutput } from './width.ts';

const MONTH = 30 * 86_400_000;
const MOST = 500;

/** The options of `unrut stats` that concern insights. */
interface InsightsGiven {
  by?: string | undefined;
  /** The first value that is compared, and the second. */
  compare?: string | undefined;
  with?: string | undefined;
  since?: number | undefined;
  filter: object;
  format: 'text' | 'json' | 'csv';
}

/** `unrut stats --by`, `--compare`. */
export async function printInsights(path: string, given: InsightsGiven): Promise<void> {
  const now = Date.now();
  const since = given.since ?? now - MONTH;
  const query: InsightsQuery = {
    ...given.filter,
    since,
    most: MOST,
    by: given.by === undefined ? undefined : groupOption(given.by),
    compare: given.compare === undefined ? undefined : sidesOption(given, since, now),
  };
  const report = await readLedger(path, DRIVERS, (_, reports) => reports.insights(query));
  if (given.format === 'json') printJson<'stats-by'>(report);
  else if (given.format === 'csv') process.stdout.write(insightsCsv(report));
  else printLines(insightsText(report, query, standardOutput()));
}

function groupOption(name: string): Grouped {
  if ((GROUPED as readonly string[]).includes(name)) return name as Grouped;
  throw usageError(`--by takes ${GROUPED.join(', ')}; got ${name}.`);
}

/** `v41 v42`, `model=a model=b`, or two periods `14d..7d 7d..`. */
function sidesOption(
  { compare = '', with: other }: InsightsGiven,
  since: number,
  now: number,
): InsightsQuery['compare'] {
  if (compare === 'period' && other === undefined)
    return compareGiven({ by: 'period' }, { since }, now) as InsightsQuery['compare'];
  if (other === undefined)
    throw usageError(`--compare takes two values, such as v41 v42; got only ${compare}.`);
  const isPeriod = compare.includes('..') && other.includes('..');
  const [name, a] = named(compare);
  const by = isPeriod ? 'period' : (name ?? 'release');
  const b = named(other)[1];
  const found = compareGiven(
    { by, ...(isPeriod ? { a: compare, b: other } : { a, b }) },
    { since },
    now,
  );
  if (typeof found === 'string')
    throw usageError(`--compare takes ${found}; got ${compare} and ${other}.`);
  return found;
}

function named(given: string): [Compared | undefined, string] {
  const name = COMPARED.find((each) => given.startsWith(`${each}=`));
  return [name, name ? given.slice(name.length + 1) : given];
}
