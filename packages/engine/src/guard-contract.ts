import type { AgentEvent, Capability, Json } from './event.ts';
import type { Fingerprint } from './fingerprint/fingerprint.ts';
import type { DetectorOptions } from './guard-options.ts';
import type { GuardRules } from './guard-rules.ts';
import type { Outcome } from './outcome/outcome.ts';
import type { Forgiven } from './policy/forgiven.ts';
import type { Plan } from './policy/plan.ts';
import type { BudgetFigures, BudgetKind, BudgetOptions } from './policy/spending.ts';
import type { Preset } from './presets.ts';
import type { Fault, LoopPrice, Signal } from './signal.ts';
import type { ToolDeclaration } from './tools/profile.ts';
import type { Drawn, TrialOptions } from './trial.ts';

export interface GuardOptions<Used extends Preset = Preset> {
  /** What the host can do. Default: note, hint, block, escalate, stop. */
  can?: readonly Capability[];
  /** Detectors, recoveries and how they are used. Default: `recommended`. */
  preset?: Used;
  options?: NoInfer<DetectorOptions<Used>>;
  /** What tools do, where the guard cannot know it: polls, identities, verbs. By tool name. */
  tools?: Readonly<Record<string, ToolDeclaration>>;
  /**
   * Plan, climb and record, but never act: `plan` is always null, and `shadow` holds the plan.
   * Default: the preset's.
   */
  shadow?: boolean;
  /**
   * Compares sessions in which the guard acts with a share of them, drawn by name, in which it only
   * records. Default: none.
   */
  trial?: TrialOptions;
  /** Whether there is somebody to ask. Default: true. */
  attended?: boolean;
  /**
   * What a session may spend together with its nested agents. At 80 % the agent gets a note; at
   * 100 % the user is asked, or the agent reports and is stopped. Default: none.
   */
  budget?: BudgetOptions;
  /**
   * The guard sees only some of the calls, such as one MCP server's, and lets a blocked call
   * through now and then. Default: false.
   */
  partial?: boolean;
  /**
   * Names of irreversible recoveries that may be used, and of candidates that may be offered
   * although a gate excludes them, such as `activate-by-key`. Default: none.
   */
  allow?: readonly string[];
  /** Seeds the fingerprints, so that they cannot be compared between installations. */
  key?: string;
  /** Success rates by failure class, tool family and recovery, used to rank candidates. */
  learned?: Readonly<Record<string, number>>;
  /** What people marked as false alarms: the guard uses less force on them, or none. */
  forgiven?: readonly Forgiven[];
  /**
   * Also hint when a tool fails in a known way for the first time, before anything repeats.
   * Default: false.
   */
  hintFailures?: boolean;
  /** Resume exactly where this snapshot was taken. */
  from?: Snapshot;
  /**
   * Max sessions in memory, each with its nested agents; the least recently used is dropped first.
   * Default: 1,000.
   */
  sessions?: number;
}

/** What the guard concludes from one event. */
export interface Verdict {
  signals: Signal[];
  /**
   * Evidence of detectors that can only confirm others, while no other had spoken. Not a reason to
   * act.
   */
  witnesses: { detector: string; variant: string; count: number }[];
  /** What to do now. In shadow mode it is null, and `shadow` says what would be done. */
  plan: Plan | null;
  shadow: Plan | null;
  /**
   * Numbers about this step for programs, by name, from detectors that count before there is
   * anything to report.
   */
  figures?: Readonly<Record<string, number>>;
  /** With the first event of a session in a trial: the arm that it was drawn for. */
  drawn?: Drawn;
  /** What is spent of the budget, if there is one, and the limits that the user has extended now. */
  budget?: { figures: BudgetFigures; extended?: BudgetKind[] };
  outcomes: Outcome[];
  faults: Fault[];
  /** What the session has spent since it last got anywhere, once an advised loop is open. */
  price?: LoopPrice;
  /**
   * The step that the event belongs to, and the event as the detectors saw it; null if it was not
   * examined.
   */
  step: number;
  seen: Fingerprint | null;
}

/** Nothing was seen, and nothing is to be done. */
export function emptyVerdict(): Verdict {
  return {
    signals: [],
    witnesses: [],
    plan: null,
    shadow: null,
    outcomes: [],
    faults: [],
    step: 0,
    seen: null,
  };
}

/** The verdict of a guard that only records: what would be done is in `shadow`. */
export const inShadow = (verdict: Verdict): Verdict =>
  verdict.plan ? { ...verdict, plan: null, shadow: verdict.plan } : verdict;

/** Plain JSON of the guard's sessions. */
export interface Snapshot {
  version: 1;
  sessions: { [name: string]: Json };
}

export interface Guard {
  /** The only way in. Synchronous, never throws. */
  observe(event: AgentEvent): Verdict;
  /** A copy of all state, or of one session and its nested agents. */
  snapshot(session?: string): Snapshot;
  /**
   * Like `snapshot` of one session, without copying. Write it out before the next event, and never
   * change it.
   */
  peek(session: string): Snapshot;
  knows(session: string): boolean;
  /** Replaces the state of the sessions in the snapshot. */
  restore(snapshot: Snapshot): void;
  forget(session: string): void;
  /**
   * The same guard with the same sessions, under these rules too: `shadow` of either holds, `can`
   * is what both name, and `attended` replaces the guard's own. `usual` applies if neither says
   * whether somebody is asked.
   */
  with(rules: GuardRules, usual?: Pick<GuardRules, 'attended'>): Guard;
}
