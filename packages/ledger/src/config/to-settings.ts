import type { Detector } from '@unrut/engine/detectors/detector';
import { RUNGS } from '@unrut/engine/event';
import { present } from '@unrut/engine/json';
import type { BudgetOptions } from '@unrut/engine/policy/spending';
import { observe, type Preset, recommended, strict } from '@unrut/engine/presets';
import type { Recovery } from '@unrut/engine/recoveries/recovery';
import type { LedgerPlace } from '../open-ledger.ts';
import { NOTHING_SAID } from '../people/said.ts';
import { STALL_LIMITS } from '../reports/stall.ts';
import type { Config, Plugin } from './config.ts';
import { NOTE_ALONE, UNTIL_FIXED } from './problem-line.ts';
import type { PresetName, Settings } from './settings.ts';

/** The presets that a config can begin from. */
const PRESETS: Readonly<Record<PresetName, Preset>> = { recommended, strict, observe };

/** 0 minutes mean never. */
const millisecondsOf = (minutes: number | undefined): number | undefined =>
  minutes === 0 ? Number.POSITIVE_INFINITY : minutes === undefined ? undefined : minutes * 60_000;

/** Converts a checked config to the settings of each part of Unrut. */
export function toSettings(
  config: Config,
  place: LedgerPlace,
  complain: (key: string, what: string) => void,
  plugins: Plugin = {},
): Settings {
  const {
    preset: name = 'recommended',
    attended,
    trial,
    tools,
    allow,
    notify,
    stall,
    companion = true,
    ledger,
    budget,
    prices,
  } = config;
  const changes = (config.detectors ?? {}) as Changes;
  const preset: Preset = {
    ...PRESETS[name],
    detectors: withRungs(
      kept([...PRESETS[name].detectors, ...(plugins.detectors ?? [])], changes),
      changes,
      complain,
    ),
    recoveries: kept(
      [...PRESETS[name].recoveries, ...(plugins.recoveries ?? [])],
      (config.recoveries ?? {}) as Changes,
    ),
    skip: config.skip ?? PRESETS[name].skip,
  };
  const shadow = config.shadow ?? preset.shadow;
  return {
    preset: name,
    shadow,
    ...present({ attended }),
    guard: {
      preset,
      shadow,
      ...present({ attended }),
      ...(trial?.share ? { trial } : {}),
      ...(tools ? { tools } : {}),
      ...(budget && limitsIn(budget) > 0 ? { budget } : {}),
      ...(allow ? { allow: allow.filter((name) => !isOff(config.recoveries, name)) } : {}),
    },
    stall: {
      call: millisecondsOf(stall?.call) ?? STALL_LIMITS.call,
      silence: millisecondsOf(stall?.silence) ?? STALL_LIMITS.silence,
    },
    ...(notify?.command || notify?.webhook || notify?.desktop !== undefined ? { notify } : {}),
    ...(prices ? { prices } : {}),
    companion,
    said: NOTHING_SAID,
    ledger: { ...place, ...(ledger?.retention ? { retention: ledger.retention } : {}) },
  };
}

/** How many limits a budget sets. */
const limitsIn = ({ day = {}, ...own }: BudgetOptions): number =>
  Object.keys(own).length + Object.keys(day).length;

/** A recovery that is off cannot be allowed. */
const isOff = (recoveries: object | undefined, name: string): boolean =>
  (recoveries as Changes | undefined)?.[name] === false;

type Changes = Readonly<
  Record<string, boolean | { rungs?: Partial<Detector['rungs']>; [option: string]: unknown }>
>;

/** The pieces that are not off, with their changed options. */
function kept<Each extends Detector | Recovery>(
  all: readonly Each[],
  changes: Changes,
): readonly Each[] {
  if (Object.keys(changes).length === 0) return all;
  return all
    .filter(({ name }) => changes[name] !== false)
    .map((each) => {
      const { rungs: _, ...options } = changeOf(changes, each.name);
      return Object.keys(options).length > 0
        ? { ...each, options: { ...each.options, ...options } }
        : each;
    });
}

/** A ladder whose end is below its beginning has only its lowest rung. */
function withRungs(
  all: readonly Detector[],
  changes: Changes,
  complain: (key: string, what: string) => void,
): readonly Detector[] {
  return all.map((detector) => {
    const change = changeOf(changes, detector.name).rungs;
    if (!change) return detector;
    const rungs = { ...detector.rungs, ...change };
    if (RUNGS.indexOf(rungs.first) <= RUNGS.indexOf(rungs.highest)) return { ...detector, rungs };
    const key = `detectors.${detector.name}.rungs`;
    complain(
      key,
      `Expected \`${key}\` to have \`first\` not above \`highest\`, got \`${rungs.first}\` and \`${rungs.highest}\`. ${UNTIL_FIXED} \`${detector.name}\` only adds notes.`,
    );
    return { ...detector, rungs: NOTE_ALONE };
  });
}

const changeOf = (changes: Changes, name: string) =>
  typeof changes[name] === 'object' ? changes[name] : {};
