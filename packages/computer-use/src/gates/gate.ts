import type { Proposal, ScreenAction } from '../action.ts';
import type { FormController } from '../form-controller.ts';
import type { Frame } from '../frame.ts';
import type { PageReport, Target } from '../page-report.ts';
import type { PlanProgress } from '../plan.ts';
import type { Permission, Switch } from '../switches.ts';

/** An action that was executed, and the state after it. */
export interface Sample {
  action: ScreenAction;
  url: string;
  frame: Frame;
  /** Digest of all that was written. */
  dom: number;
  detail: string;
  target: Target | null;
  /** Something on the screen was different after it. */
  changed: boolean;
  /** The runner itself wanted it, not the brain. */
  own: boolean;
}

/** None, three actions that go round, or so many that nothing helps. */
export type ScreenLoop = 'none' | 'soft' | 'hard';

/** What the gates remember during a run. */
export interface GateMemory {
  /** Claims of success that were refused. */
  refused: number;
  /** The director was asked in the loop that is going on. */
  directed: boolean;
  submitForced: boolean;
}

/** What a stronger model is told: what is stuck, never a value. */
export interface DirectorView {
  task: string;
  url: string;
  screenshot: Uint8Array;
  viewport: { width: number; height: number };
  /** What the brain wants to do once more. */
  proposed: string;
  pending: string[];
}

/** One click, scroll, key or wait, alone or as a brain proposes it; null without an idea. */
type Directed = ScreenAction | Pick<Proposal, 'action'> | null | undefined;

/**
 * Asked for one click, scroll, key or wait when the brain goes round; nothing when it has no idea
 * either.
 */
export type Director = (view: DirectorView) => Directed | Promise<Directed>;

/** What a gate decides by. */
export interface GateSituation {
  task: string;
  proposal: Proposal;
  /** The page before the action; `page.target` is what the proposal is aimed at. */
  page: PageReport;
  screenshot: Uint8Array;
  samples: readonly Sample[];
  /** How many executed actions make a loop. */
  window: number;
  loop: ScreenLoop;
  /** The last frames are equal in every pixel, but for what moved before anybody acted. */
  frozen: boolean;
  forms: FormController;
  steps: PlanProgress;
  required: readonly string[];
  memory: GateMemory;
  /** What is off unless it is allowed. */
  allow: ReadonlySet<Permission>;
  off: ReadonlySet<Switch>;
  director: Director | undefined;
}

/** What is done in place of the proposal. */
export interface Substitution {
  gate: Switch;
  action: ScreenAction;
  /** A code for programs. */
  reason: string;
  /** What the brain is told. */
  why: string;
  /** To be called when it has been performed. */
  performed?: () => void;
  /** It answers a loop, so the guard's policy has the last word. */
  needsLoop?: true;
}

/** Looks at a proposal, and replaces it or lets it pass. */
export interface Gate {
  name: Switch;
  /** It is asked only in a loop. */
  needsLoop?: true;
  decide(situation: GateSituation): Substitution | null | Promise<Substitution | null>;
}
