import type { GuardOptions } from '@unrut/engine/guard';
import type { Ledger } from '@unrut/ledger/ledger';
import { createMemoryLedger } from '@unrut/ledger/memory';
import type { Choose } from '@unrut/tasks/run/answer-loop';
import type { RunResult } from '@unrut/tasks/run/end-run';
import { iterate } from '@unrut/tasks/run/iterate';
import type { AgentTurn } from '@unrut/tasks/run/run-agent-command';
import type { RunSettings } from '@unrut/tasks/run/run-settings';
import { type RunState, startRunState } from '@unrut/tasks/run/run-state';
import { RunStore } from '@unrut/tasks/run/run-store';

import type { Workspace } from '@unrut/tasks/workspace';

/** What an agent does in one iteration; a text is what it prints. */
export type Scripted = string | (Partial<AgentTurn> & { takes?: number });

export interface Driven extends RunResult {
  prompts: string[];
  state: RunState;
  reports: string[];
  ledger: Ledger;
}

export interface Drive {
  settings?: Partial<RunSettings>;
  choose?: Choose;
  /** Default: true. */
  isAsked?: boolean;
  cwd?: string;
  /** Default: nobody looks at the files. */
  workspace?: Workspace;
  ledger?: Ledger;
  state?: RunState;
  guard?: GuardOptions;
  signal?: AbortSignal;
  onFault?: (error: unknown) => void;
}

const SETTINGS: RunSettings = {
  maxIterations: 10,
  maxRuntime: 900_000,
  maxErrors: 3,
  loopThreshold: 3,
  iterationTimeout: 900_000,
  promise: 'TASK_COMPLETE',
  needsPromise: true,
  checks: [],
  shadow: false,
};

export const newState = (): RunState =>
  startRunState('prompt', {
    folder: process.cwd(),
    file: 'PROMPT.md',
    args: ['PROMPT.md'],
    command: ['agent'],
  });

const fail = (error: unknown): never => {
  throw error;
};

/**
 * Iterates over an agent that is a function of the iteration, with a clock that advances by the
 * time that the agent takes.
 */
export async function drive(
  agent: (iteration: number, prompt: string) => Scripted | Promise<Scripted>,
  options: Drive = {},
): Promise<Driven> {
  const {
    settings,
    ledger = createMemoryLedger(),
    state = newState(),
    guard = {},
    signal = new AbortController().signal,
  } = options;
  const { cwd = process.cwd(), isAsked = true } = options;
  const store = new RunStore(ledger, 'run-test', state, guard, options.onFault ?? fail);
  let now = Date.parse('2026-11-01T10:00:00Z');
  const prompts: string[] = [];
  const reports: string[] = [];
  const result = await iterate({
    store,
    settings: { ...SETTINGS, ...settings },
    cwd,
    workspace: options.workspace,
    isAsked,
    signal,
    readTask: () => 'Get the test to pass.',
    now: () => now,
    choose: async (report, state, isLast) => {
      reports.push(report);
      return (options.choose ?? (async () => 'stop' as const))(report, state, isLast);
    },
    async runAgent(prompt) {
      prompts.push(prompt);
      const scripted = await agent(store.state.iteration, prompt);
      const { takes = 1000, ...turn } =
        typeof scripted === 'string' ? { output: scripted } : scripted;
      now += takes;
      const nothing = {
        output: '',
        exitCode: 0,
        signal: null,
        failed: false,
        wasStopped: false,
        neverStarted: false,
        cost: {},
      };
      return { ...nothing, ...turn };
    },
  });
  return { ...result, prompts, state: store.state, reports, ledger };
}
