import { isAdvice } from '@unrut/engine/detectors';
import { type AgentEvent, RUNGS } from '@unrut/engine/event';
import { createGuard, type Verdict } from '@unrut/engine/guard';
import { type Preset, recommended } from '@unrut/engine/presets';
import type { Imported } from '@unrut/logs/importers/source';
import type { Peer } from '../peers/peer.ts';
import type { Firing, Level } from './run.ts';

/** A system's firing at one event. */
export type Said = Omit<Firing, 'step'>;

/** Anything that watches a run and speaks up. `start` begins a run. */
export interface System {
  name: string;
  start(): (event: AgentEvent) => readonly Said[];
}

const ACT = RUNGS.indexOf('block');

/** The guard with this preset. `rules` counts how often each of its rules decides. */
export const guardSystem = (
  name: string,
  preset: Preset = recommended,
  rules?: RuleCounts,
): System => ({
  name,
  start() {
    const guard = createGuard({ preset });
    return (event) => {
      const verdict = guard.observe(event);
      if (rules) countRules(rules, verdict);
      return saidBy(verdict);
    };
  },
});

/** How often each rule decided, by its list and its name. */
export type RuleCounts = Record<string, number>;

function countRules(counts: RuleCounts, { seen, signals }: Verdict): void {
  const decided = [
    ['progress', seen?.progressRule],
    ['neutral', seen?.neutralRule],
    ['world', seen?.world?.rule],
    ['outcome', seen?.result?.outcome.rule],
    ...signals.map(({ detector, evidence }) => [detector, evidence.rule]),
  ];
  for (const [list, rule] of decided) {
    if (!rule) continue;
    const name = `${list}/${rule}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
}

function saidBy({ signals, plan, faults }: Verdict): readonly Said[] {
  // A fault silences a detector, which would invalidate the measurement.
  if (faults.length > 0) throw new Error(`${faults[0]!.where}: ${faults[0]!.message}`);
  const said = signals.map(({ detector, variant, rung, text }): Said => {
    const by = `${detector}/${variant}`;
    return { level: levelOf(rung), by, text, note: isAdvice({ detector, variant }) };
  });
  // A refusal comes with the proposed call, before anything is seen of it.
  if (plan && !signals.some(({ streak }) => streak === plan.streak))
    said.push({ level: levelOf(plan.rung), by: plan.reason, text: plan.toHuman, note: false });
  return said;
}

const levelOf = (rung: (typeof RUNGS)[number]): Level =>
  RUNGS.indexOf(rung) >= ACT ? 'act' : 'warn';

/** Another project's rule. */
export const peerSystem = ({ name, start }: Peer): System => ({
  name,
  start() {
    const watch = start();
    return (event) => {
      const alarm = watch(event);
      return alarm ? [{ level: alarm.level, by: alarm.word, text: '', note: false }] : [];
    };
  },
});

/** Replays a run to a system. The agent of a recorded run does not receive messages. */
export function replay(events: readonly Imported[], system: System): Firing[] {
  const observe = system.start();
  return events.flatMap(({ step, event }) => observe(event).map((said) => ({ step, ...said })));
}
