import { redact } from '../redact/redact.ts';
import { argumentChanges, callOf, namedArguments } from './differences.ts';
import { neighbours } from './equal-steps.ts';
import type { Step } from './follow.ts';
import type { Stretch } from './members.ts';
import type { Setting } from './report.ts';
import { guardOptions, optionSetting } from './setting.ts';
import { speaksIn, type Voiced } from './what-if.ts';
import type { Workshop } from './workshop.ts';

/** What is to be kept quiet. */
export interface Alarm extends Stretch {
  /** It is advice; else advice may stay. */
  light: boolean;
  /** Who spoke in it. */
  detectors: readonly string[];
  /** The steps that repeat. */
  members: readonly Step[];
}

/** A detector that was silent beside the others may speak when they do not; more than this many in turn do not. */
const MOST_ROUNDS = 4;
/** What may be asked again to see whether something has changed. */
const ASKS: ReadonlySet<string> = new Set(['read', 'verify', 'unknown']);

/** Settings that would have kept an alarm quiet, each tried by playing the run under it, least change first. Null when that was too much. */
export function keepQuiet(alarm: Alarm, workshop: Workshop): Setting[] | null {
  const tried = [changedOptions(alarm, workshop), ...declaredTools(alarm, workshop), leftOut(alarm, workshop)];
  const settings = tried.filter((each) => each !== null);
  return settings.length === 0 && workshop.replayer.isSpent ? null : settings;
}

/** Who still speaks in the stretch under a setting; null when that could not be tried. */
function speakers({ start, end, light }: Alarm, { replayer }: Workshop, setting: Setting): string[] | null {
  const heard = replayer.replay({ guard: guardOptions(setting), upTo: end });
  if (heard === null) return null;
  return [...new Set(heard.filter((each) => each.step >= start && (light || !each.light)).map(({ detector }) => detector))];
}

/**
 * The smallest change of one option for each detector that spoke, and for those that would have spoken in their stead. Where one of these
 * cannot be kept quiet, the rest is told with who is left.
 */
function changedOptions(alarm: Alarm, workshop: Workshop): Setting | null {
  const changed: Voiced[] = [];
  let loud: readonly string[] = alarm.detectors;
  let { voiced } = workshop;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = loud.map((detector) =>
      nearest(
        voiced.filter((each) => each.detector === detector && each.notches > 0 && !speaksIn(each, alarm.start, alarm.end, alarm.light)),
      ),
    );
    if (found.includes(undefined)) return changed.length > 0 ? { ...optionSetting(changed, ''), still: [...loud] } : null;
    changed.push(...found.filter((each) => each !== undefined));
    const setting = optionSetting(changed, '');
    const still = speakers(alarm, workshop, setting);
    if (still === null) return null;
    if (still.length === 0) return setting;
    loud = still.filter((detector) => !changed.some((each) => each.detector === detector));
    if (loud.length === 0) return null;
    const others = workshop.replayer.whatIf({ detectors: loud, options: setting.options!, upTo: alarm.end });
    if (others === null) return null;
    voiced = others;
  }
  return null;
}

const nearest = (variants: readonly Voiced[]): Voiced | undefined =>
  variants.reduce<Voiced | undefined>((best, each) => (best && best.notches <= each.notches ? best : each), undefined);

/** A tool that is asked again to see whether something has changed; or one whose arguments were not all looked at. */
function declaredTools(alarm: Alarm, workshop: Workshop): Setting[] {
  const tools = new Map<string, Step>();
  for (const step of alarm.members) {
    const { call } = step.seen;
    const name = callOf(step.event)?.tool;
    // What a shell runs is told by its command: a declaration of the shell would be one of everything.
    if (name !== undefined && call && !call.shell && redact(name) === name) tools.set(name, step);
  }
  const polls = [...tools].filter(([, { seen }]) => ASKS.has(seen.call!.verb)).map(([name]) => name);
  const settings: Setting[] = [];
  if (polls.length > 0)
    settings.push({
      tools: Object.fromEntries(polls.map((name) => [name, { poll: true }])),
      effect: 'when it is asked again to see whether something has changed',
    });
  for (const [name] of tools) {
    const identity = ignoredArguments(alarm.members, name);
    if (identity !== null) settings.push({ tools: { [name]: { identity } }, effect: 'when all of its arguments make another call of it' });
  }
  return settings.filter((setting) => speakers(alarm, workshop, setting)?.length === 0);
}

/** All arguments of a tool, when calls of it that differ in some were taken for the same. */
function ignoredArguments(members: readonly Step[], tool: string): string[] | null {
  const calls = members.filter(({ event }) => callOf(event)?.tool === tool);
  const isIgnored = neighbours(calls).some(([one, other]) => argumentChanges(one, other).some(({ counts }) => !counts));
  const names = [...new Set(calls.flatMap(({ event }) => Object.keys(namedArguments(callOf(event)!))))].sort();
  return isIgnored && names.every((name) => redact(name) === name && !name.includes('.')) ? names : null;
}

/** Without the detectors that spoke, and those that would have spoken in their stead. */
function leftOut(alarm: Alarm, workshop: Workshop): Setting | null {
  const names = [...alarm.detectors];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const setting: Setting = { without: [...names], effect: 'gives it up in every run' };
    const still = speakers(alarm, workshop, setting);
    if (still === null) return null;
    if (still.length === 0) return setting;
    names.push(...still);
  }
  return null;
}
