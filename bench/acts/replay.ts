import { type AgentEvent, isStep, RUNGS } from '@unrut/engine/event';
import { createGuard } from '@unrut/engine/guard';
import type { Plan } from '@unrut/engine/policy/plan';
import { type PriceState, pay, sightedIn, startPrice } from '@unrut/engine/policy/price';
import type { Imported } from '@unrut/logs/importers/source';
import type { Stretch } from '../quality/run.ts';
import { createNews } from './news.ts';

/** Something that was refused, put before a human or stopped, and what really came. */
export interface Act {
  run: string;
  step: number;
  what: 'refused' | 'asked' | 'stopped';
  isWrong: boolean;
  /** The act comes within `LATE` steps after a loop has ended. */
  isLate?: boolean;
  /** The guard acted because of the price, not of certainty. */
  byPrice: boolean;
  /** Why the guard acted, and what speaks against it. */
  evidence: string;
}

/** The guard's actions on one recorded run. */
export interface Acts {
  steps: number;
  /** Steps that are in no loop and in no borderline stretch. */
  outside: number;
  acts: Act[];
  /** Notes and hints, and those of them at steps outside of loops. */
  told: number;
  toldOutside: number;
  /**
   * Texts, numbers aside, that one agent was given more than twice; and those that came before
   * their count had doubled.
   */
  repeated: string[];
  early: string[];
  /**
   * The longest stretch of steps without anything new, outside loops: while a streak was advised,
   * and in general.
   */
  stretch: { advised: number; any: number };
}

export interface RecordedRun {
  id: string;
  /** The known and possible loops. */
  loops: readonly Stretch[];
  events: readonly Imported[];
}

/** Between steps of a run that does not tell its times, in milliseconds. */
const RHYTHM = 3000;
const ADVICE: ReadonlySet<string> = new Set(['note', 'hint']);
/** Steps after the end of a loop within which an act is too late rather than wrong. */
const LATE = 20;

/**
 * Replays a run to the guard: every call is proposed and finished as recorded, unattended. The
 * agent does not receive messages.
 */
export function replayActs({ id, loops, events }: RecordedRun): Acts {
  const guard = createGuard({ attended: false });
  const news = createNews();
  const words = createWords();
  const isTimed = events.some(({ timed }) => timed);
  const acts: Act[] = [];
  const refused = new Map<string, { plan: Plan; step: number }>();
  const steps = new Set<number>();
  let stop: { step: number; plan: Plan; calls: number; brought: number } | null = null;
  let told = 0;
  let toldOutside = 0;
  const isOutside = (step: number): boolean =>
    !loops.some(({ start, end }) => step >= start && step <= end + 2);
  const isAfter = (step: number): boolean =>
    isOutside(step) && loops.some(({ end }) => step > end && step <= end + LATE);
  const stretch = { advised: 0, any: 0 };
  const spent = new Map<string, PriceState>();

  for (const [i, { step, event: given }] of events.entries()) {
    const event: AgentEvent = isTimed ? given : { ...given, at: RHYTHM * step + (i % 2) };
    steps.add(step);
    const verdict = guard.observe(event);
    const { plan, signals, faults } = verdict;
    if (verdict.seen) {
      const price = spent.get(event.agent ?? '') ?? startPrice();
      spent.set(event.agent ?? '', price);
      price.advised = true;
      if (event.type === 'user-spoke') Object.assign(price, startPrice());
      const ended = event.type === 'text-added' && event.done === true;
      pay(price, verdict.seen, isStep(event.type, ended), sightedIn(signals));
      if (isOutside(step)) {
        stretch.any = Math.max(stretch.any, price.steps);
        stretch.advised = Math.max(stretch.advised, verdict.price?.steps ?? 0);
      }
    }
    // A fault silences a detector, which would invalidate the measurement.
    if (faults.length > 0) throw new Error(`${id}: ${faults[0]!.where}: ${faults[0]!.message}`);
    if (event.type === 'user-spoke') words.forget();
    if (event.type === 'call-finished') {
      const why = news.of(event);
      if (stop) {
        stop.calls++;
        if (why) stop.brought++;
      }
      const before = refused.get(event.call.id);
      refused.delete(event.call.id);
      if (before) {
        const evidence = `${before.plan.reason}: ${before.plan.toHuman}${why ? ` It brought ${why}.` : ''}`;
        acts.push({
          run: id,
          step: before.step,
          what: 'refused',
          isWrong: why !== null,
          byPrice: false,
          evidence,
        });
      }
    }
    // After the run would have ended, there are no further plans.
    if (!plan || stop) continue;
    if (plan.rung === 'block' && event.type === 'call-proposed')
      refused.set(event.call.id, { plan, step });
    if (plan.rung === 'stop') stop = { step, plan, calls: 0, brought: 0 };
    if (plan.rung === 'escalate')
      acts.push({
        run: id,
        step,
        what: 'asked',
        isWrong: isOutside(step) && !isAfter(step),
        isLate: isAfter(step),
        byPrice: plan.byPrice === true,
        evidence: `${plan.reason}: ${plan.toHuman}`,
      });
    if (ADVICE.has(plan.rung)) {
      told++;
      if (isOutside(step)) toldOutside++;
    }
    const signal = signals.find(
      ({ streak, rung }) => streak === plan.streak && RUNGS.includes(rung),
    );
    if (plan.rung !== 'block' && plan.rung !== 'stop')
      words.say(event.agent ?? '', plan, signal?.count ?? 0);
  }
  if (stop) {
    const { step, plan, calls, brought } = stop;
    const evidence = `${plan.reason}: ${plan.toHuman} After it ${brought} of ${calls} calls brought something new.`;
    acts.push({
      run: id,
      step,
      what: 'stopped',
      isWrong: brought >= 3 && 2 * brought > calls,
      isLate: isAfter(step),
      byPrice: plan.byPrice === true,
      evidence,
    });
  }
  const outside = [...steps].filter(isOutside).length;
  return { steps: steps.size, outside, acts, told, toldOutside, stretch, ...words.found() };
}

/** Counts the texts that each agent reads; texts that differ only in numbers are the same. */
function createWords() {
  let said = new Map<string, { times: number; count: number }>();
  const repeated = new Set<string>();
  const early: string[] = [];
  return {
    forget(): void {
      said = new Map();
    },
    say(agent: string, { toModel, target }: Plan, count: number): void {
      const gist = toModel.replace(/\d+(?:st|nd|rd|th)?/g, '#');
      const key = `${agent} ${gist}`;
      const before = said.get(key) ?? { times: 0, count: 0 };
      said.set(key, { times: before.times + 1, count });
      if (before.times >= 2) repeated.add(gist);
      const about = said.get(`${key} ${target ?? ''}`);
      if (target !== undefined && about && count < 2 * about.count) early.push(toModel);
      said.set(`${key} ${target ?? ''}`, { times: 0, count });
    },
    found: () => ({ repeated: [...repeated], early }),
  };
}
