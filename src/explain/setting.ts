import type { GuardOptions } from '../guard.ts';
import { recommended, without } from '../presets.ts';
import type { Setting } from './report.ts';
import type { Voiced } from './what-if.ts';

/** What a setting gives to the guard. */
export function guardOptions({ options, tools, without: names }: Setting): GuardOptions {
  return {
    ...(options ? { options } : {}),
    ...(tools ? { tools } : {}),
    ...(names ? { preset: without(recommended, ...names) } : {}),
  };
}

/** Options of one or several detectors, changed. */
export function optionSetting(variants: readonly Pick<Voiced, 'detector' | 'option' | 'value' | 'was'>[], effect: string): Setting {
  const options: NonNullable<Setting['options']> = {};
  const now: NonNullable<Setting['now']> = {};
  for (const { detector, option, value, was } of variants) {
    options[detector] = { ...options[detector], [option]: value };
    now[detector] = { ...now[detector], [option]: was };
  }
  return { options, now, effect };
}

/** In a few words: `stalling.calls 8 (now 5)`, `tools: { lookup: { poll: true } }`, `without('cycle')`. */
export function settingWords({ options, now, tools, without: names }: Setting): string {
  const parts = Object.entries(options ?? {}).flatMap(([detector, values]) =>
    Object.entries(values).map(([option, value]) => `${detector}.${option} ${value} (now ${now?.[detector]?.[option]})`),
  );
  if (tools) parts.push(`tools: ${literal(tools)}`);
  if (names) parts.push(`without(${names.map(literal).join(', ')})`);
  return parts.join(' and ');
}

/** As it is written in a program. */
export function settingCode({ options, tools, without: names }: Setting): string {
  const fields = { ...(options ? { options } : {}), ...(tools ? { tools } : {}) };
  return names ? `createGuard({ preset: without(${names.map(literal).join(', ')}) })` : `createGuard(${literal(fields)})`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, inner]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : literal(name)}: ${literal(inner)}`);
  return `{ ${fields.join(', ')} }`;
}
