import type { Proposal, ScreenAction } from '../action.ts';
import type { FormController } from '../form-controller.ts';
import type { Frame } from '../frame.ts';
import type { PageReport, Target } from '../page-report.ts';
import type { PlanProgress } from '../plan.ts';
import type { Permission, Switch } from '../switches.ts';

/** An executed action and the state after it. */
export interface Sample {
  action: ScreenAction;
  url: string;
  frame: Frame;
  /** Digest of the text. */
  dom: number;
  detail: string;
  target: Target | null;
  /** The screen changed. */
  changed: boolean;
  /** Proposed by the runner, not by the brain. */
  own: boolean;
}

/** No loop, a loop of three actions, or one that no recovery ended. */
export type ScreenLoop = 'none' | 'soft' | 'hard';

/** The gates' memory during a run. */
export interface GateMemory {
  /** Number of rejected claims of success. */
  refused: number;
  /** The director was asked in the current loop. */
  directed: boolean;
  submitForced: boolean;
}

/** The input of a stronger model: where the agent is stuck, never a value. */
export interface DirectorView {
  task: string;
  url: string;
  screenshot: Uint8Array;
  viewport: { width: number; height: number };
  /** The action that the brain repeats. */
  proposed: string;
  pending: string[];
}

/** One click, scroll, key or wait, as an action or as a proposal; null if there is no idea. */
type Directed = ScreenAction | Pick<Proposal, 'action'> | null | undefined;

/**
 * Called for one click, scroll, key or wait if the brain loops. Returns null if it has no idea,
 * either.
 */
export type Director = (view: DirectorView) => Directed | Promise<Directed>;

/** The input of a gate. */
export interface GateSituation {
  task: string;
  proposal: Proposal;
  /** The page before the action; `page.target` is the target of the proposal. */
  page: PageReport;
  screenshot: Uint8Array;
  samples: readonly Sample[];
  /** Number of executed actions that make a loop. */
  window: number;
  loop: ScreenLoop;
  /**
   * The last frames are equal in every pixel, except where something moved before the first action.
   */
  frozen: boolean;
  forms: FormController;
  steps: PlanProgress;
  required: readonly string[];
  memory: GateMemory;
  /** Granted permissions; all others are off. */
  allow: ReadonlySet<Permission>;
  off: ReadonlySet<Switch>;
  director: Director | undefined;
}

/** An action that replaces the proposal. */
export interface Substitution {
  gate: Switch;
  action: ScreenAction;
  /** A code for programs. */
  reason: string;
  /** The explanation for the brain. */
  why: string;
  /** Called after it was performed. */
  performed?: () => void;
  /** Answers a loop, so the guard's policy decides. */
  needsLoop?: true;
}

/** Examines a proposal, and replaces it or lets it pass. */
export interface Gate {
  name: Switch;
  /** Only called in a loop. */
  needsLoop?: true;
  decide(situation: GateSituation): Substitution | null | Promise<Substitution | null>;
}
