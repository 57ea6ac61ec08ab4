import { type AccountBounds, isOfLoop, restAccount, sumsOf } from '@unrut/engine/account/account';
import { type KeptAccount, keepAccount, resumeAccount } from '@unrut/engine/account/kept-account';
import { isOnTrial } from '@unrut/engine/detectors';
import type { Rung } from '@unrut/engine/event';
import { present } from '@unrut/engine/json';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { LedgerEntry } from '../ledger-entry.ts';
import { asRecorded, hasFailed, type RecordedEntry } from './recorded-entry.ts';
import { addToPulse, type PulseParts } from './session-pulse.ts';
import {
  createSessionSums,
  type SessionSummary,
  type SessionSums,
  type SessionSumsState,
} from './session-summary.ts';

/**
 * What an entry has changed of its session's figures, and what it is looked up by: columns of its
 * row, so that nobody counts again.
 */
export interface RowFigures {
  steps: number;
  /** Loops that were noticed with it; fewer than none where two turned out to be one. */
  loops: number;
  tokens: number;
  usd: number;
  wasted_steps: number;
  wasted_tokens: number;
  wasted_usd: number;
  /**
   * Epoch milliseconds: of an event when the one before it was, of a signal with a loop when the
   * loop before it was noticed. Null where there was none.
   */
  before: number | null;
  /**
   * Of an event its tool; of what was found the tool at that time. For shell commands the program.
   */
  tool: string | null;
  type: string | null;
  failed: boolean | null;
  /** The plan that was made, was performed, or that something became of. */
  plan: string | null;
  rung: Rung | null;
  detector: string | null;
  /**
   * Epoch milliseconds: when its detector last spoke in the session before. Null where it never
   * did.
   */
  spoke: number | null;
  /** The signal is on trial, or about a nested agent: it is only recorded there. */
  trial: boolean | null;
  nested: boolean | null;
  /** It makes its call part of a loop. */
  looping: boolean | null;
  recovery: string | null;
  shadow: boolean | null;
  outcome: Outcome['outcome'] | null;
  failure: string | null;
}

/** A session as its row has it. Times are in epoch milliseconds. */
export interface SessionFigures {
  name: string;
  host: string | null;
  folder: string | null;
  model: string | null;
  release: string | null;
  repo: string | null;
  team: string | null;
  person: string | null;
  first: number;
  last: number;
  /** When a loop was last noticed. */
  last_loop: number | null;
  ended: boolean;
  looping: boolean;
  steps: number;
  loops: number;
  plans: number;
  tokens: number;
  usd: number;
  wasted_steps: number;
  wasted_tokens: number;
  wasted_usd: number;
  /** The rest, as JSON. */
  summary: SessionRest;
}

/** What nobody looks a session up by. */
export interface SessionRest
  extends Pick<
    SessionSummary,
    | 'loopingSince'
    | 'highest'
    | 'lastPlan'
    | 'outcomes'
    | 'doing'
    | 'why'
    | 'stopped'
    | 'stall'
    | 'mode'
  > {
  acted: SessionSumsState['acted'];
  pulse: PulseParts;
}

/** Goes on counting a session, whoever counted before. */
export interface SessionCount {
  /** What all that was counted adds up to. */
  readonly sums: SessionSums;
  readonly pulse: PulseParts;
  /** In the order in which they came. */
  add(entry: LedgerEntry): RowFigures;
  figures(): SessionFigures;
  /** What is to be kept to go on with: JSON of at most 4 KB. */
  text(): string;
  /** Forgets what only matters while the session goes on. */
  rest(): void;
}

/** What an agent did last. */
interface AtWork {
  step: number;
  tool: string;
  /** That step was counted as part of a loop: several detectors may speak of one. */
  isCounted: boolean;
}

interface Kept {
  sums: Omit<SessionSumsState, 'account'>;
  account: KeptAccount;
  pulse: PulseParts;
  lastLoop: number | null;
  lastEvent: number | null;
  origin: { [name in (typeof ORIGIN)[number]]?: string };
  at: [agent: string, AtWork][];
  /** When each detector spoke last. */
  spoke: { [detector: string]: number };
}

const ORIGIN = ['model', 'release', 'repo', 'team', 'person'] as const;

/**
 * Characters of words, plans and nested agents that are kept, from what fits nearly always to what
 * fits for certain.
 */
const BOUNDS: readonly (AccountBounds & { plans: number; words: number })[] = [
  { agents: 6, stretches: 8, marks: 48, plans: 24, words: 300 },
  { agents: 3, stretches: 5, marks: 32, plans: 12, words: 200 },
  { agents: 1, stretches: 3, marks: 16, plans: 6, words: 100 },
  { agents: 0, stretches: 1, marks: 4, plans: 2, words: 50 },
  { agents: 0, stretches: 1, marks: 1, plans: 0, words: 20 },
];
const MAX_BYTES = 4096;

/** Begins to count a session, or goes on from what was kept of it. */
export function countSession(session: string, kept?: string): SessionCount {
  const known = kept === undefined ? undefined : (JSON.parse(kept) as Kept);
  const sums = createSessionSums(
    session,
    known && { ...known.sums, account: resumeAccount(known.account) },
  );
  const { state } = sums;
  const pulse: PulseParts = known?.pulse ?? [];
  const origin: Kept['origin'] = known?.origin ?? {};
  const atWork = new Map(known?.at);
  const spoke: Kept['spoke'] = known?.spoke ?? {};
  let lastLoop = known?.lastLoop ?? null;
  let lastEvent = known?.lastEvent ?? null;
  let accounted = sumsOf(state.account);

  function agentOf({ agent = '' }: RecordedEntry): AtWork {
    const at = atWork.get(agent) ?? { step: -1, tool: '', isCounted: false };
    atWork.delete(agent);
    atWork.set(agent, at);
    return at;
  }

  function add(entry: RecordedEntry): RowFigures {
    sums.add(entry);
    const figures: RowFigures = {
      ...NOTHING,
      ...book(entry.at),
      before: entry.kind === 'event' ? lastEvent : lastLoop,
    };
    if (entry.kind === 'event') lastEvent = Math.max(lastEvent ?? 0, entry.at);
    if (figures.loops > 0) lastLoop = Math.max(lastLoop ?? 0, entry.at);
    return Object.assign(figures, facts(entry, agentOf(entry)));
  }

  /** What the last entry has changed of the account. */
  function book(at: number): Omit<Pick<RowFigures, keyof typeof NO_CHANGE>, 'before'> {
    const was = accounted;
    accounted = sumsOf(state.account);
    const { steps, tokens = 0, usd = 0, looped, wasted } = accounted;
    if (steps > was.steps || wasted.steps !== was.wasted.steps)
      addToPulse(pulse, at, steps - was.steps, wasted.steps - was.wasted.steps);
    return {
      steps: steps - was.steps,
      loops: looped - was.looped,
      tokens: tokens - (was.tokens ?? 0),
      usd: usd - (was.usd ?? 0),
      wasted_steps: wasted.steps - was.wasted.steps,
      wasted_tokens: wasted.tokens - was.wasted.tokens,
      wasted_usd: wasted.usd - was.wasted.usd,
    };
  }

  function facts(entry: RecordedEntry, at: AtWork): Partial<RowFigures> {
    switch (entry.kind) {
      case 'event': {
        const { data } = entry;
        for (const name of ORIGIN)
          if (typeof data[name as never] === 'string') origin[name] = data[name as never];
        const tool = data.seen?.call?.tool ?? data.tool ?? '';
        if (tool !== '') Object.assign(at, { step: entry.step, tool, isCounted: false });
        const { type, plan = null, rung = null } = data;
        return {
          type,
          tool: tool || null,
          failed: data.type === 'plan-performed' ? (data.failed ?? false) : hasFailed(data),
          plan,
          rung,
        };
      }
      case 'signal': {
        const { detector, rung, agent } = entry.data;
        const tool = at.step === entry.step ? at.tool : '';
        const looping = isOfLoop(entry.data) && tool !== '' && !at.isCounted;
        if (isOfLoop(entry.data)) at.isCounted = true;
        const before = agent === undefined ? (spoke[detector] ?? null) : null;
        if (agent === undefined) spoke[detector] = Math.max(before ?? 0, entry.at);
        return {
          spoke: before,
          detector,
          rung,
          tool: tool || null,
          trial: isOnTrial(entry.data),
          nested: agent !== undefined,
          looping,
        };
      }
      case 'plan': {
        const { id, recovery, rung, reason, shadow } = entry.data;
        return {
          plan: id,
          recovery,
          rung,
          shadow,
          detector: reason.split('/', 1)[0]!,
          tool: at.tool || null,
        };
      }
      case 'outcome': {
        const { plan, recovery, rung, outcome, offer } = entry.data;
        return { plan, recovery, rung, outcome, failure: offer?.failure ?? null };
      }
      default:
        return {};
    }
  }

  function keptWith({ plans, words, ...bounds }: (typeof BOUNDS)[number]): string {
    const { account, ...rest } = state;
    const { doing, why } = rest.known;
    const short = {
      ...(doing ? { doing: doing.slice(0, words) } : {}),
      ...(why ? { why: why.slice(0, words) } : {}),
    };
    const keep: Kept = {
      sums: {
        ...rest,
        known: { ...rest.known, ...short },
        followed: plans === 0 ? [] : rest.followed.slice(-plans),
      },
      account: keepAccount(account, bounds),
      pulse,
      lastLoop,
      lastEvent,
      origin,
      spoke: newest(spoke),
      at: [...atWork].slice(-(bounds.agents + 1)),
    };
    return JSON.stringify(keep);
  }

  return {
    sums,
    pulse,
    add(entry) {
      if (entry.kind !== 'piece') return add(asRecorded(entry));
      state.first = Math.min(state.first ?? entry.at, entry.at);
      // What is still said after the end shows that it was none.
      if (entry.at > state.last) state.ended = false;
      state.last = Math.max(state.last, entry.at);
      return { ...NOTHING };
    },
    figures() {
      const {
        first,
        last,
        ended,
        looping,
        steps,
        loops,
        plans,
        tokens,
        usd,
        wasted,
        host,
        folder,
        ...rest
      } = sums.summary();
      const {
        session: name,
        loopingSince,
        highest,
        lastPlan,
        outcomes,
        doing,
        why,
        stopped,
        stall,
        mode,
      } = rest;
      const { model = null, release = null, repo = null, team = null, person = null } = origin;
      return {
        name,
        host: host ?? null,
        folder: folder ?? null,
        model,
        release,
        repo,
        team,
        person,
        first,
        last,
        last_loop: lastLoop,
        ended,
        looping,
        steps,
        loops,
        plans,
        tokens,
        usd,
        wasted_steps: wasted.steps,
        wasted_tokens: wasted.tokens,
        wasted_usd: wasted.usd,
        summary: {
          outcomes,
          acted: state.acted,
          pulse,
          ...present({ loopingSince, highest, lastPlan, doing, why, stopped, stall, mode }),
        },
      };
    },
    text() {
      for (const bounds of BOUNDS) {
        const text = keptWith(bounds);
        if (byteLength(text) <= MAX_BYTES) return text;
      }
      return keptWith(BOUNDS.at(-1)!);
    },
    rest() {
      atWork.clear();
      restAccount(state.account);
    },
  };
}

const NO_CHANGE = {
  steps: 0,
  loops: 0,
  tokens: 0,
  usd: 0,
  wasted_steps: 0,
  wasted_tokens: 0,
  wasted_usd: 0,
  before: null,
};

const NOTHING = {
  ...NO_CHANGE,
  tool: null,
  type: null,
  failed: null,
  plan: null,
  rung: null,
  detector: null,
  spoke: null,
  trial: null,
  nested: null,
  looping: null,
  recovery: null,
  shadow: null,
  outcome: null,
  failure: null,
};

/** There are fewer detectors: others that speak are made up. */
const MAX_DETECTORS = 24;

const newest = (spoke: Kept['spoke']): Kept['spoke'] =>
  Object.fromEntries(
    Object.entries(spoke)
      .sort(([, one], [, other]) => one - other)
      .slice(-MAX_DETECTORS),
  );

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;
