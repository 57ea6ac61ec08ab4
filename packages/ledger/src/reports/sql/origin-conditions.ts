import { ORIGIN_NAMES, type OriginFilter } from '../../insights/insights.ts';
import type { SqlDialect, Values } from './asking.ts';
import { isNamedIn, type ShownAs } from './session-rows.ts';

/** Conditions on the origin of a session `s`. */
export function originConditions(
  filter: OriginFilter,
  dialect: Pick<SqlDialect, 'project'>,
  values: Values,
  { hidden }: Pick<ShownAs, 'hidden'>,
): string[] {
  const asked = ORIGIN_NAMES.filter((name) => filter[name] !== undefined);
  const conditions = asked.map((name) => `coalesce(s.${name}, '') = ${values.add(filter[name])}`);
  // Hidden values must not be discoverable by filtering.
  if (hidden && asked.some((name) => name === 'repo' || name === 'person'))
    conditions.push(isNamedIn('s', hidden, values.add(hidden.from), dialect));
  return conditions;
}
