import type { Measured } from './measure.ts';
import type { Report } from './report.ts';
import { lead, percent, portion, rate, type Table } from './table.ts';
import type { Choice } from './tuning.ts';

/**
 * The held-out figures, above those of the setting fitted on the same runs. Empty without tuning.
 */
export function mainFigures({ tuning, systems: [ours] }: Report): Table[] {
  if (!tuning || !ours) return [];
  const row = (name: string, { spans, verdicts, quiet }: Measured): string[] => [
    name,
    ...[spans?.recall, spans?.precision, spans?.f1].map(portion),
    ...[spans?.falsePerThousand, quiet?.alarmsPerThousand].map(rate),
    ...[verdicts?.precision, verdicts?.recall, verdicts?.f1].map(portion),
  ];
  const { choices, by } = tuning;
  return [
    {
      title: 'Main figures: leave one source out',
      about:
        `Options of ${tuning.settings} settings chosen on all sources but one and scored on that one, added up. ` +
        [
          shippedText('marked loops', choices.spans, by.spans),
          shippedText('whole runs', choices.verdicts, by.verdicts),
        ]
          .filter((text) => text !== '')
          .join(' '),
      head: [
        ours.name,
        'recall',
        'precision',
        'F1',
        'false per 1,000 clean',
        'quiet alarms',
        'yes/no precision',
        'yes/no recall',
        'yes/no F1',
      ],
      rows: [
        row('chosen elsewhere', tuning.heldOut),
        row('as shipped, in sample', ours.levels.warn),
      ],
    },
    {
      title: 'The same by round and by half of the sources',
      about: `Settings chosen on other sources. F1 where errors were read, minus F1 where they were not, with the interval of 90 %: ${lead(tuning.halves)}.`,
      head: [
        'part',
        'recall',
        'precision',
        'F1',
        'false per 1,000 clean',
        'steps outside under alarm',
      ],
      rows: [{ part: 'both rounds', heldOut: tuning.heldOut }, ...tuning.parts].map(
        ({ part, heldOut: { spans } }) => [
          part,
          ...[spans?.recall, spans?.precision, spans?.f1].map(portion),
          rate(spans?.falsePerThousand),
          percent(spans?.outsideAlarmed),
        ],
      ),
    },
  ];
}

function shippedText(where: string, choices: readonly Choice[], by: 'source' | 'fifth'): string {
  if (choices.length === 0) return '';
  const [shipped, asGood] = [
    choices.filter((each) => each.shipped).length,
    choices.filter((each) => each.asGood).length,
  ];
  const parts = by === 'source' ? 'sources' : 'fifths (one source, so split by a hash of the id)';
  return `On ${where} the shipped setting was chosen for ${shipped} of ${choices.length} ${parts}, and was as good for ${asGood}.`;
}
