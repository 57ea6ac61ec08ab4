import { addEntry, readAccount, startAccount, stretchesAt } from '@unrut/engine/account/account';
import { isRecordedStep } from '@unrut/engine/account/entry';
import type { LoopAccount } from '@unrut/engine/account/loop';
import { isOnTrial } from '@unrut/engine/detectors';
import type { CallFinished } from '@unrut/engine/event';
import type { Guard } from '@unrut/engine/guard';
import { hash64 } from '@unrut/engine/hash';
import { present } from '@unrut/engine/json';
import type { Plan } from '@unrut/engine/policy/plan';
import { PLACEHOLDER } from '@unrut/engine/shell/shell';
import { passingEntriesOf } from '@unrut/ledger/record';
import type { DeedAt, ScannedLoop, SignalAt, Trajectory } from '@unrut/ledger/report/scan-report';
import { asRecorded, type RecordedEntry } from '@unrut/ledger/reports/recorded-entry';
import { letterOf } from '@unrut/ledger/views/timeline';
import type { Imported } from '../importers/source.ts';
import { createCallMemory, hostOfFormat } from '../suggest/call-memory.ts';
import { type Lead, leadsOf } from '../suggest/suggestions.ts';
import { firstPrompt } from './first-prompt.ts';
import { createRepeats } from './repeats.ts';
import { stableText } from './stable-text.ts';
import { wastedTime } from './wasted-time.ts';

/** Filters for findings. */
export interface Wanted {
  /** Only findings of these detectors. */
  detectors?: readonly string[];
  /** Only findings with at least this certainty, 0..1. */
  minStrength?: number;
  /** Also looks for changes that would prevent the loops. */
  suggest?: boolean;
}

/** Max number of listed signals per run; further ones are only counted. */
const MAX_SIGNALS = 100_000;
/** Max number of plans whose texts are kept: more than the account lists. */
const MAX_WORDS = 2400;

export interface RunScan {
  /** `format` is the name of the importer. */
  see(imported: Imported, format?: string): void;
  /** Events that the guard refused. */
  faults(): number;
  /** The number of calls, and of those without a readable result. */
  results(): { calls: number; unread: number };
  report(
    about: Pick<Trajectory, 'id' | 'file' | 'format' | 'model' | 'repository' | 'skipped'>,
  ): Trajectory;
  /** Possible changes that would prevent its loops, if requested. */
  leads(run: Trajectory, session: string): Lead[];
}

/** Whether a finished call has any information: a result, or how it ended. */
const isReadable = ({ result, error, exitCode, refusedBy }: CallFinished): boolean =>
  refusedBy !== undefined ||
  exitCode !== undefined ||
  typeof error === 'string' ||
  error === true ||
  (result !== undefined && !(typeof result === 'string' && PLACEHOLDER.test(result)));

/** Dollars to a millionth. */
export const cents = (usd: number): number => Math.round(usd * 1e6) / 1e6;

/**
 * Passes one run through the guard into its own account. The displayed texts of steps are passed
 * along with it.
 */
export function createRunScan(
  guard: Guard,
  { detectors, minStrength = 0, suggest = false }: Wanted,
): RunScan {
  const memory = suggest ? createCallMemory() : undefined;
  const account = startAccount();
  const repeats = createRepeats();
  const signals: SignalAt[] = [];
  const trial: SignalAt[] = [];
  const words = new Map<string, Plan>();
  const letters: string[] = [];
  const spoke: number[] = [];
  const did: DeedAt[] = [];
  const times: { from?: number; to?: number } = {};
  /** When each step happened. */
  const stepTimes: (number | undefined)[] = [];
  let prompt: string | undefined;
  let faults = 0;
  const counts = { proposed: 0, finished: 0, read: 0 };
  const results = (): { calls: number; unread: number } => {
    const calls = Math.max(counts.proposed, counts.finished);
    return { calls, unread: calls - counts.read };
  };

  const isWanted = (entry: RecordedEntry): boolean =>
    entry.kind !== 'signal' ||
    (entry.data.agent === undefined &&
      entry.data.strength >= minStrength &&
      (detectors === undefined || detectors.includes(entry.data.detector)));

  function list({ step, data }: RecordedEntry & { kind: 'signal' }): void {
    const { detector, variant, rung, strength } = data;
    const listed = isOnTrial(data) ? trial : signals;
    if (listed.length < MAX_SIGNALS) listed.push({ detector, variant, step, rung, strength });
  }

  return {
    leads: (run, session) =>
      memory ? leadsOf(run, memory.calls, { session, host: hostOfFormat(run.format) }) : [],
    see({ event, timed }, format) {
      const verdict = guard.observe(event);
      if (verdict.faults.some(({ where }) => where === 'event')) faults++;
      if (timed) {
        times.from ??= event.at;
        times.to = event.at;
      }
      // Repeated events count once.
      if (!verdict.seen) return;
      const { step } = verdict;
      memory?.see(event, verdict, hostOfFormat(format), timed);
      if (event.type === 'plan-performed' && !event.failed)
        did.push({ step: Math.max(0, letters.length - 1), rung: event.rung });
      if (event.type === 'call-finished' && event.refusedBy === 'unrut')
        did.push({ step, rung: 'block' });
      if (event.type === 'call-proposed') counts.proposed++;
      else if (event.type === 'call-finished') {
        counts.finished++;
        if (isReadable(event)) counts.read++;
      }
      if (event.type === 'user-spoke') {
        prompt ??= firstPrompt(event.text);
        if (spoke.at(-1) !== step) spoke.push(step);
      }
      for (const entry of passingEntriesOf(event, verdict).map(asRecorded).filter(isWanted)) {
        addEntry(account, entry);
        if (entry.kind === 'signal') list(entry);
        else if (entry.kind === 'plan' && words.size < MAX_WORDS)
          words.set(entry.data.id, entry.data);
        else if (entry.kind === 'event' && isRecordedStep(entry.data)) {
          letters[step] = letterOf(entry.data);
          stepTimes[step] = timed ? event.at : undefined;
          repeats.add({ step, event, verdict, at: timed ? event.at : undefined });
        }
      }
      if (verdict.signals.length > 0 && letters.length > step)
        repeats.show(stretchesAt(account, event.agent ?? '', step));
    },
    faults: () => faults,
    results,
    report(about) {
      const { calls, unread } = results();
      const { steps, tokens, usd, wasted, loops } = readAccount(account);
      const taken = new Set<string>();
      const timeOf = wastedTime(stepTimes, spoke);
      const costOf = (
        waste: LoopAccount['wasted'],
      ): Pick<ScannedLoop, 'wastedTokens' | 'wastedUsd'> => ({
        ...(tokens === undefined ? {} : { wastedTokens: Math.round(waste.tokens) }),
        ...(usd === undefined ? {} : { wastedUsd: cents(waste.usd) }),
      });
      return {
        ...about,
        ...present({ prompt }),
        ...(unread === 0 ? {} : { unreadResults: Math.round((unread / calls) * 1000) / 1000 }),
        steps,
        ...times,
        ...(tokens === undefined ? {} : { tokens: Math.round(tokens) }),
        ...(usd === undefined ? {} : { usd: cents(usd) }),
        ...costOf(wasted),
        ...present({ wastedMs: timeOf(loops) }),
        wastedSteps: wasted.steps,
        loops: loops
          .map((loop) => ({ ...loop, repeats: repeats.of(loop.stretches) }))
          .map(
            ({
              agent: _,
              stretches: _____,
              streak: __,
              at: ___,
              open: ____,
              refused: ______,
              tried: _______,
              heard: ________,
              ending: _________,
              wasted: waste,
              plans,
              ...loop
            }) => ({
              ...loop,
              id: loopName(about.id, loop, taken),
              strength: Math.round(loop.strength * 1000) / 1000,
              plans: plans.map(({ id, step, rung, recovery }) => {
                const { toModel = '', toHuman = '' } = words.get(id) ?? {};
                return { step, rung, recovery, toModel, toHuman };
              }),
              wastedSteps: waste.steps,
              ...costOf(waste),
              ...present({ wastedMs: timeOf([{ ...loop, wasted: waste }]) }),
            }),
          ),
        signals,
        trial,
        spoke,
        ...(did.length > 0 ? { did } : {}),
        timeline: Array.from({ length: letters.length }, (_, step) => letters[step] ?? '?').join(
          '',
        ),
      };
    },
  };
}

/** A generated name: mixed lower-case and capital letters and digits. */
const RANDOM =
  /(?<![\da-z])(?:[a-z]{1,8}_)?(?=[\da-z]*\d)(?=[A-Z\d]*[a-z])(?=[a-z\d]*[A-Z])[\dA-Za-z]{16,40}(?![\dA-Za-z])/g;

/**
 * A loop id that is equal on every machine, and for repetitions of the same task: computed from
 * what repeats and where, not when.
 */
function loopName(
  run: string,
  { detector, variant, repeats }: Pick<ScannedLoop, 'detector' | 'variant' | 'repeats'>,
  taken: Set<string>,
): string {
  const what = [
    ...new Set(repeats.map((step) => stableText(step.what).replace(/\d+/g, '#'))),
  ].sort();
  const key = JSON.stringify([stableText(run.replace(RANDOM, '*')), detector, variant, what]);
  const base = hash64(key);
  let name = base;
  for (let nth = 2; taken.has(name); nth++) name = `${base}-${nth}`;
  taken.add(name);
  return name;
}
