import type { AgentEvent, Json } from '@unrut/engine/event';
import type { GuardOptions, Verdict } from '@unrut/engine/guard';
import type { ContextEntry, Ledger } from '@unrut/ledger/ledger';
import { createRecorder, type Recorder } from '@unrut/ledger/recorder';
import type { RunState } from './run-state.ts';

/**
 * Suffix of the state that a run keeps besides the guard's state, which hooks inside the agent also
 * change. No session name ends like this.
 */
export const RUN_END = '\u0001run';
export const runKey = (run: string): string => `${run}${RUN_END}`;

/** Loads the state of a run from the ledger; null if there is none. */
export async function loadRunState(ledger: Ledger, run: string): Promise<RunState | undefined> {
  const state = (await ledger.loadState(runKey(run))) as unknown as RunState | null;
  return state?.version === 1 ? structuredClone(state) : undefined;
}

/**
 * Stores a run's state together with the guard's state at each event. Ledger errors go to
 * `onFault`, and the run continues in memory.
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
   * Passes an event of the run to the guard. `apply` updates the state from the verdict and returns
   * further entries to store.
   */
  async observe(
    event: AgentEvent,
    apply: (verdict: Verdict) => readonly ContextEntry[] = () => [],
  ): Promise<Verdict> {
    const about = { sessions: [this.run], keys: [runKey(this.run)], repeatable: false };
    const { value, error } = await this.#recorder.transaction(about, (step) => {
      // Steps get the same numbers as on the run's screen.
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
