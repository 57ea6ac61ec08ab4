import { ourTables } from './our-tables.ts';
import type { Report } from './report.ts';
import { lead, percent, portion, rate, steps, type Table } from './table.ts';

/** All measurements as tables, without empty ones. */
export function tablesOf(report: Report): Table[] {
  const tables = [...markedLoops(report), verdicts(report), quiet(report), ...ourTables(report)];
  return tables.filter(({ rows }) => rows.length > 0);
}

function markedLoops({ systems }: Report): Table[] {
  const rows = systems.flatMap(({ name, levels, ahead }) => {
    const { spans: warn } = levels.warn;
    const { spans: act } = levels.act;
    return warn && act ? [{ name, warn, act, ahead: ahead?.spans }] : [];
  });
  return [
    {
      title: 'Marked loops',
      about:
        'Recall by loop, precision by alarm. Act: refused, escalated or stopped. Lead: F1 of ours minus its, on the same runs.',
      head: [
        'system',
        'recall',
        'precision',
        'F1',
        'act recall',
        'act precision',
        'act F1',
        'our lead',
      ],
      rows: rows.map(({ name, warn, act, ahead }) => [
        name,
        ...[warn.recall, warn.precision, warn.f1, act.recall, act.precision, act.f1].map(portion),
        lead(ahead),
      ]),
    },
    {
      title: 'False alarms on the same runs',
      about:
        'Per 1,000 clean steps: false alarms of runs without a loop ÷ steps of clean runs (neither loop nor borderline stretch). ' +
        'In loopless runs: the same ÷ steps of runs without a loop. Outside: all false alarms ÷ all steps outside loops and borderline stretches.',
      head: [
        'system',
        'per 1,000 clean',
        'in loopless runs',
        'outside',
        'runs with one',
        'steps outside under alarm',
        'act per 1,000 clean',
      ],
      rows: rows.map(({ name, warn, act }) => [
        name,
        ...[warn.falsePerThousand, warn.falseInLoopless, warn.falseOutside].map(rate),
        ...[warn.runsWithFalse, warn.outsideAlarmed].map(percent),
        rate(act.falsePerThousand),
      ]),
    },
    {
      title: 'Delay',
      about:
        'Steps from where a person would step in to the first firing, of the loops that were caught. Saved: share of a loop still to come, missed ones 0.',
      head: ['system', 'median', '90 %', 'saved', 'act median', 'act 90 %', 'act saved'],
      rows: rows.map(({ name, warn, act }) => [
        name,
        ...[warn, act].flatMap((each) => [
          steps(each.delayMedian),
          steps(each.delayNinetieth),
          portion(each.saved),
        ]),
      ]),
    },
  ];
}

function verdicts({ systems }: Report): Table {
  return {
    title: 'Whole runs that people call looping or not',
    about: 'A run is called looping when anything was said.',
    head: [
      'system',
      'precision',
      'recall',
      'F1',
      'accuracy',
      'act precision',
      'act recall',
      'act F1',
      'our lead',
    ],
    rows: systems.flatMap(({ name, levels: { warn, act }, ahead }) =>
      warn.verdicts && act.verdicts
        ? [
            [
              name,
              ...[
                warn.verdicts.precision,
                warn.verdicts.recall,
                warn.verdicts.f1,
                warn.verdicts.accuracy,
              ].map(portion),
              ...[act.verdicts.precision, act.verdicts.recall, act.verdicts.f1].map(portion),
              lead(ahead?.verdicts),
            ],
          ]
        : [],
    ),
  };
}

function quiet({ systems }: Report): Table {
  return {
    title: 'Unlabelled runs of daily work',
    about:
      'Alarms per 1,000 steps, nearly all of them false. Edit and back-off notes are no alarms; they stand apart.',
    head: ['system', 'alarms', 'act alarms', 'edit and back-off notes', 'runs with an alarm'],
    rows: systems.flatMap(({ name, levels: { warn, act } }) =>
      warn.quiet && act.quiet
        ? [
            [
              name,
              ...[
                warn.quiet.alarmsPerThousand,
                act.quiet.alarmsPerThousand,
                warn.quiet.notesPerThousand,
              ].map(rate),
              percent(warn.quiet.runsWithAlarm),
            ],
          ]
        : [],
    ),
  };
}
