import type { Report } from './report.ts';
import { bare, lead, percent, portion, rate, rateLead, steps, type Table } from './table.ts';
import type { Counts } from './voices.ts';

/** Measurements of our system only: by kind of loop, by source, by detector. */
export const ourTables = (report: Report): Table[] => [
  kinds(report),
  parts(report),
  voices(report),
  sources(report),
  detectors(report),
  ablation(report),
  leftOut(report),
];

function kinds({ kinds }: Report): Table {
  return {
    title: 'Our recall by kind of loop',
    about: '',
    head: ['kind', 'loops', 'caught', 'acted on'],
    rows: kinds.map(({ kind, loops, caught }) => [
      kind,
      String(loops),
      String(caught.warn),
      String(caught.act),
    ]),
  };
}

function parts({ systems: [ours] }: Report): Table {
  return {
    title: 'By round and by half of the sources',
    about:
      'As shipped. Errors were read only in half of the sources, chosen by a hash of their names.',
    head: [
      'part',
      'recall',
      'precision',
      'F1',
      'act precision',
      'false per 1,000 clean',
      'steps outside under alarm',
    ],
    rows: (ours?.parts ?? []).map(({ part, levels: { warn, act } }) => [
      part,
      ...[warn.spans?.recall, warn.spans?.precision, warn.spans?.f1, act.spans?.precision].map(
        portion,
      ),
      rate(warn.spans?.falsePerThousand),
      percent(warn.spans?.outsideAlarmed),
    ]),
  };
}

function voices({ voices }: Report): Table {
  const counts = ({ right, wrong, borderline }: Counts): string =>
    `${right} / ${wrong} / ${borderline}`;
  return {
    title: 'Who may speak alone',
    about: 'Alarms of each variant as if only it had spoken: right / wrong / borderline.',
    head: ['variant', 'all', 'unread sources', 'later rounds'],
    rows: voices.map(({ name, all, unread, later }) => [name, ...[all, unread, later].map(counts)]),
  };
}

function sources({ systems: [ours], runs }: Report): Table {
  return {
    title: `By source: ${ours?.name}`,
    about:
      'Without an interval where there are fewer than five runs. Every system is in the JSON file.',
    head: [
      'source',
      'runs',
      'loops',
      'recall',
      'precision',
      'F1',
      'act F1',
      'false per 1,000 clean',
      'yes/no F1',
      'quiet alarms',
      'quiet notes',
    ],
    rows: (ours?.sources ?? []).map(({ source, levels: { warn, act } }) => {
      const those = runs.filter((run) => run.source === source);
      return [
        source,
        String(those.length),
        String(those.reduce((sum, run) => sum + run.loops, 0)),
        ...[warn.spans?.recall, warn.spans?.precision, warn.spans?.f1, act.spans?.f1].map(portion),
        rate(warn.spans?.falsePerThousand),
        portion(warn.verdicts?.f1),
        rate(warn.quiet?.alarmsPerThousand),
        rate(warn.quiet?.notesPerThousand),
      ];
    }),
  };
}

function detectors({ detectors }: Report): Table {
  return {
    title: 'Each detector as if only it had spoken',
    about:
      'Its share of what all of them say; another may see the same loop. Detectors that said nothing are left out.',
    head: [
      'detector',
      'recall',
      'precision',
      'false per 1,000 clean',
      'delay',
      'yes/no recall',
      'yes/no precision',
      'quiet alarms',
      'quiet notes',
      'act recall',
    ],
    rows: detectors
      .map(({ name, levels: { warn, act } }) => [
        name,
        ...[
          portion(warn.spans?.recall),
          portion(warn.spans?.precision),
          rate(warn.spans?.falsePerThousand),
        ],
        bare(steps, warn.spans?.delayMedian),
        ...[warn.verdicts?.recall, warn.verdicts?.precision].map(portion),
        ...[warn.quiet?.alarmsPerThousand, warn.quiet?.notesPerThousand].map(rate),
        portion(act.spans?.recall),
      ])
      .filter(([, ...cells]) => cells.some((cell) => /[1-9]/.test(cell))),
  };
}

function ablation({ ablation }: Report): Table {
  return {
    title: 'Ablation: ours with one detector left out',
    about:
      'Worth: what all detectors together have more of, on the same runs. Detectors whose absence changes nothing are left out.',
    head: [
      'without',
      'spoke on runs',
      'recall',
      'precision',
      'F1',
      'F1 worth',
      'false per 1,000 clean',
      'yes/no F1',
      'yes/no worth',
      'quiet alarms',
      'more alarms',
      'act F1',
    ],
    rows: ablation
      .filter(({ runs }) => runs > 0)
      .map(({ without, runs, levels: { warn, act }, ahead }) => [
        without,
        String(runs),
        ...[warn.spans?.recall, warn.spans?.precision, warn.spans?.f1].map((each) =>
          bare(portion, each),
        ),
        lead(ahead.spans),
        bare(rate, warn.spans?.falsePerThousand),
        bare(portion, warn.verdicts?.f1),
        lead(ahead.verdicts),
        bare(rate, warn.quiet?.alarmsPerThousand),
        rateLead(ahead.quiet),
        bare(portion, act.spans?.f1),
      ]),
  };
}

function leftOut({ leaveOneOut }: Report): Table {
  const figure = (value: number): string => portion({ value, low: null, high: null });
  return {
    title: 'Leave one source out',
    about: `F1 on the other sources, and the baseline that is best there. On the sources left out, ours leads such baselines by ${lead(leaveOneOut?.ahead)}.`,
    head: ['left out', 'ours', 'best baseline', 'its F1'],
    rows: (leaveOneOut?.left ?? []).map(({ source, ours, best, theirs }) => [
      source,
      figure(ours),
      best,
      figure(theirs),
    ]),
  };
}
