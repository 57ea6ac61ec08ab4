import { ORIGIN_NAMES, type OriginFilter } from '@unrut/ledger/insights/insights';
import { textOption } from './arguments.ts';

const WORDS: { [name in (typeof ORIGIN_NAMES)[number]]: string } = {
  host: "only sessions of this agent's program",
  model: 'only sessions of this model',
  release: 'only sessions of this release of the agent or its prompt',
  repo: 'only sessions in this repository',
  team: 'only sessions of this team',
  person: "only this person's sessions",
};

/** Options for where sessions come from. */
export const ORIGIN_OPTIONS = Object.fromEntries(
  ORIGIN_NAMES.map((name) => [name, textOption(name.toUpperCase(), WORDS[name])]),
) as { [name in (typeof ORIGIN_NAMES)[number]]: ReturnType<typeof textOption> };

/** The same as a filter; undefined if none is given. */
export function originGiven(values: OriginFilter): OriginFilter | undefined {
  const given = ORIGIN_NAMES.filter((name) => values[name] !== undefined);
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map((name) => [name, values[name]]));
}
