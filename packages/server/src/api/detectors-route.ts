import { detectors } from '@unrut/engine/detectors';
import { effectiveSettings } from '@unrut/ledger/config/effective-settings';
import { variableName } from '@unrut/ledger/config/environment';
import schema from '@unrut/schemas/unrut.schema.json' with { type: 'json' };
import { detectorsSchema } from '../answers/figures.ts';
import type { DetectorOption, DetectorRow } from './answers.ts';
import { readRoute } from './look-routes.ts';
import { sinceParam, sinceTime } from './query.ts';

const MAX_TOOLS = 10;

export const detectorsRoute = readRoute.get('/v1/detectors', {
  id: 'listDetectors',
  summary: 'List detectors: what each looks for, its options, and what it has detected.',
  query: { since: sinceParam },
  answer: detectorsSchema,
  async handle({ query }, { reading, settings }) {
    const sums = await reading.reports.detectors({ since: sinceTime(query.since, reading.now()) });
    const loaded = settings();
    const rows = effectiveSettings(loaded);
    return {
      preset: loaded.settings.preset,
      shadow: loaded.settings.shadow,
      files: loaded.files,
      problems: loaded.problems,
      detectors: detectors.map(({ name, status, rungs }) => {
        const options = optionsOf(name, rows);
        return {
          name,
          status,
          words: wordsOf(name),
          isOn: rows.find(({ key }) => key === `detectors.${name}`)?.value !== false,
          rungs: {
            first: setTo(options, name, 'rungs.first', rungs.first),
            highest: setTo(options, name, 'rungs.highest', rungs.highest),
          },
          options,
          sessions: sums.detectorSessions.get(name) ?? 0,
          ...seenBy(sums.detectors.get(name)),
        };
      }),
    };
  },
});

const setTo = <T>(options: readonly DetectorOption[], name: string, option: string, usual: T): T =>
  (options.find(({ key }) => key === `detectors.${name}.${option}`)?.value as T | undefined) ??
  usual;

function seenBy(
  row: { signals: number; last: number; tools: Map<string, number> } | undefined,
): Pick<DetectorRow, 'signals' | 'last' | 'tools'> {
  if (!row) return { signals: 0, last: null, tools: [] };
  const tools = [...row.tools]
    .map(([tool, signals]) => ({ tool, signals }))
    .sort((one, other) => other.signals - one.signals);
  return { signals: row.signals, last: row.last, tools: tools.slice(0, MAX_TOOLS) };
}

interface Described {
  description?: string;
  default?: unknown;
  properties?: Record<string, Described>;
}
const described =
  (schema.properties as unknown as Record<string, Described>).detectors?.properties ?? {};

const wordsOf = (name: string): string => described[name]?.description ?? '';

function optionsOf(name: string, rows: ReturnType<typeof effectiveSettings>): DetectorOption[] {
  const prefix = `detectors.${name}.`;
  return rows
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ key, value, from }) => {
      const path = key.slice(prefix.length).split('.');
      const about = path.reduce<Described | undefined>(
        (piece, part) => piece?.properties?.[part],
        described[name],
      );
      return {
        key,
        value: value as DetectorOption['value'],
        from,
        default: about?.default as DetectorOption['default'],
        words: about?.description ?? '',
        variable: variableName(key.split('.')),
      };
    });
}
