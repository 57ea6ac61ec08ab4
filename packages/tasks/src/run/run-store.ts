import type { AgentEvent, Json } from '@unrut/engine/event';
import type { GuardOptions, Verdict } from '@unrut/engine/guard';
import type { ContextEntry, Ledger } from '@unrut/ledger/ledger';
import { createRecorder, type Recorder } from '@unrut/ledger/recorder';
import type { RunState } from './run-state.ts';

/**
 * Beside the guard's state of the run, which hooks inside the agent change too. No session has such
 * a name.
 */
export const RUN_END = '\u0001run';
export const runKey = (run: string): string => `${run}${RUN_END}`;

/** The state of a run that is kept in a ledger, if there is one. */
export async function loadRunState(ledger: Ledger, run: string): Promise<RunState | undefined> {
  const state = (await ledger.loadState(runKey(run))) as unknown as RunState | null;
  return state?.version === 1 ? structuredClone(state) : undefined;
}

/**
 * A run's state and what the guard knows of it, saved together with each event. A ledger that fails
 * is told to `onFault`; the run goes on in memory.
 */
export class RunStore {
  readonly run: string;
  state: RunState;
  readonly #recorder: Recorder;
  readonly #onFault: (error: unknown) => void;

  constructor(
    ledger: Ledger,
    run: string,
    state: RunState,
    options: GuardOptions,
    onFault: (error: unknown) => void,
  ) {
    this.run = run;
    this.state = state;
    this.#recorder = createRecorder(ledger, options);
    this.#onFault = onFault;
  }

  async save(context: readonly ContextEntry[] = []): Promise<void> {
    const { error } = await this.#recorder.transaction(
      { sessions: [], keys: [runKey(this.run)] },
      (step) => {
        step.save(runKey(this.run), this.#ownState());
        step.add({ context });
      },
    );
    if (error !== undefined) this.#onFault(error);
  }

  /**
   * Shows an event of the run to the guard; `apply` changes the state by what it says, and gives
   * what else is to be kept.
   */
  async observe(
    event: AgentEvent,
    apply: (verdict: Verdict) => readonly ContextEntry[] = () => [],
  ): Promise<Verdict> {
    const about = { sessions: [this.run], keys: [runKey(this.run)], repeatable: false };
    const { value, error } = await this.#recorder.transaction(about, (step) => {
      // Readers number the steps of a run as its screen does.
      const verdict = step.observe(event, { origin: () => ({ turn: this.state.iteration }) });
      step.add({ context: apply(verdict) });
      step.save(runKey(this.run), this.#ownState());
      return verdict;
    });
    if (!value) throw error;
    if (error !== undefined) this.#onFault(error);
    return value;
  }

  #ownState(): Json {
    return structuredClone(this.state) as unknown as Json;
  }
}
