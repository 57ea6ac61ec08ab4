import { MAX_GAP } from './alarms.ts';
import type { FoundAlarm } from './findings.ts';
import { alarmText } from './listing.ts';
import type { RuleCounts } from './replay.ts';
import type { Report } from './report.ts';
import { bare, portion, rate, type Table } from './table.ts';

/** The change of one alarm between two reports. */
export type Change =
  | { kind: 'appeared'; now: FoundAlarm }
  | { kind: 'vanished'; before: FoundAlarm }
  | { kind: 'moved'; before: FoundAlarm; now: FoundAlarm };

/**
 * Alarms of two lists that differ. Alarms of one system on one run that nearly touch are the same
 * alarm; it has moved when it begins, ends or acts elsewhere.
 */
export function diffAlarms(before: readonly FoundAlarm[], now: readonly FoundAlarm[]): Change[] {
  const open = Map.groupBy(before, placeOf);
  const changes: Change[] = [];
  for (const alarm of now) {
    const there = open.get(placeOf(alarm)) ?? [];
    const i = there.findIndex(
      (other) => other.from <= alarm.to + MAX_GAP && alarm.from <= other.to + MAX_GAP,
    );
    const [same] = i < 0 ? [] : there.splice(i, 1);
    if (!same) changes.push({ kind: 'appeared', now: alarm });
    else if (same.from !== alarm.from || same.to !== alarm.to || same.actsAt !== alarm.actsAt)
      changes.push({ kind: 'moved', before: same, now: alarm });
  }
  for (const alarm of [...open.values()].flat()) changes.push({ kind: 'vanished', before: alarm });
  return changes;
}

const placeOf = ({ system, run, note, judgement }: FoundAlarm): string =>
  JSON.stringify([system, run, judgement === 'unknown' && note]);

/** Compares what both reports measured: the same systems on the same runs. */
export function diffReports(before: Report, now: Report): { changes: Change[]; onlyInOne: number } {
  const runs = shared(before, now, ({ runs }) => runs.map(({ id, steps }) => `${id} ${steps}`));
  const systems = shared(before, now, ({ systems }) => systems.map(({ name }) => name));
  const ids = new Set(
    before.runs.filter(({ id, steps }) => runs.has(`${id} ${steps}`)).map(({ id }) => id),
  );
  const both = ({ alarms }: Report): FoundAlarm[] =>
    alarms.filter(({ system, run }) => systems.has(system) && ids.has(run));
  return {
    changes: diffAlarms(both(before), both(now)),
    onlyInOne: before.runs.length + now.runs.length - 2 * runs.size,
  };
}

function shared(before: Report, now: Report, namesOf: (report: Report) => string[]): Set<string> {
  const names = new Set(namesOf(now));
  return new Set(namesOf(before).filter((name) => names.has(name)));
}

/** The changes as lines: `+` appeared, `-` vanished, `~` moved. */
export function diffText({ changes, onlyInOne }: ReturnType<typeof diffReports>): string {
  const count = (kind: Change['kind']): number =>
    changes.filter((change) => change.kind === kind).length;
  return [
    `Alarms since then: ${count('appeared')} appeared, ${count('vanished')} vanished, ${count('moved')} moved`,
    ...(onlyInOne > 0
      ? [
          `${onlyInOne} runs are in one of the two reports only, or have changed, and are not compared.`,
        ]
      : []),
    '',
    ...changes.map((change) => {
      if (change.kind === 'appeared') return `+ ${alarmText(change.now)}`;
      if (change.kind === 'vanished') return `- ${alarmText(change.before)}`;
      const { from, to, actsAt } = change.before;
      return `~ ${alarmText(change.now)} (was at ${from}–${to}${actsAt === null ? '' : `, acting at ${actsAt}`})`;
    }),
    '',
  ].join('\n');
}

/** The rules of ours that decided more or less often than before, one a line. */
export function ruleDiffText(before: RuleCounts | undefined, now: RuleCounts | undefined): string {
  if (!before || !now) return 'One of the two reports counts no rules.\n';
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  const moved = names.filter((name) => (before[name] ?? 0) !== (now[name] ?? 0));
  return [
    `Rules that decided more or less often: ${moved.length} of ${names.length}`,
    '',
    ...moved.map((name) => `~ ${name} ${before[name] ?? 0} → ${now[name] ?? 0}`),
    '',
  ].join('\n');
}

/** The headline scores of the systems that both reports have and that changed. */
export function diffTable(before: Report, now: Report): Table {
  const was = new Map(before.systems.map((system) => [system.name, headline(system)]));
  const rows = now.systems.flatMap((system): string[][] => {
    const old = was.get(system.name);
    const figures = headline(system);
    if (!old || old.join() === figures.join()) return [];
    return [
      [
        system.name,
        ...figures.map((figure, i) => (figure === old[i] ? figure : `${old[i]} → ${figure}`)),
      ],
    ];
  });
  return {
    title: 'Scores since then',
    about:
      rows.length === 0
        ? 'No score of any system has changed.'
        : 'Systems without a change are left out.',
    head: [
      'system',
      'recall',
      'precision',
      'F1',
      'act F1',
      'false per 1,000 clean',
      'yes/no F1',
      'quiet alarms',
      'quiet notes',
    ],
    rows,
  };
}

function headline({ levels: { warn, act } }: Report['systems'][number]): string[] {
  return [
    ...[warn.spans?.recall, warn.spans?.precision, warn.spans?.f1, act.spans?.f1].map((each) =>
      bare(portion, each),
    ),
    bare(rate, warn.spans?.falsePerThousand),
    bare(portion, warn.verdicts?.f1),
    ...[warn.quiet?.alarmsPerThousand, warn.quiet?.notesPerThousand].map((each) =>
      bare(rate, each),
    ),
  ];
}
