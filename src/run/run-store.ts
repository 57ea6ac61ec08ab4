import type { AgentEvent, Json } from '../event.ts';
import { createGuard, type Guard, type GuardOptions, type Snapshot, type Verdict } from '../guard.ts';
import type { ContextEntry, Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { entriesOf } from '../ledger/record.ts';
import { type RunState, restoreRunState } from './run-state.ts';

/** Beside the guard's state of the run, which hooks inside the agent change too. */
export const runKey = (run: string): string => `${run}/run`;

/** The state of a run that is kept in a ledger, if there is one. */
export const loadRunState = async (ledger: Ledger, run: string): Promise<RunState | undefined> =>
  restoreRunState(await ledger.loadState(runKey(run)));

/**
 * A run's state and what the guard knows of it, saved together with each event. A ledger that fails is told to `onFault`; the run goes on in
 * memory.
 */
export class RunStore {
  readonly run: string;
  state: RunState;
  readonly #ledger: Ledger;
  readonly #options: GuardOptions;
  readonly #onFault: (error: unknown) => void;
  #guard: Guard;

  constructor(ledger: Ledger, run: string, state: RunState, options: GuardOptions, onFault: (error: unknown) => void) {
    this.run = run;
    this.state = state;
    this.#ledger = ledger;
    this.#options = options;
    this.#onFault = onFault;
    this.#guard = createGuard(options);
  }

  async save(context: readonly ContextEntry[] = []): Promise<void> {
    try {
      await this.#ledger.update([runKey(this.run)], () => ({ states: [this.#ownState()], context }));
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** Shows an event of the run to the guard; `apply` changes the state by what it says, and gives what else is to be kept. */
  async observe(event: AgentEvent, apply: (verdict: Verdict) => readonly ContextEntry[] = () => []): Promise<Verdict> {
    let verdict: Verdict | undefined;
    try {
      await this.#ledger.update([this.run, runKey(this.run)], ([guarded]) => {
        // What hooks inside the agent have reported since is in there.
        const saved = guarded!.read() as Snapshot | null;
        if (saved) this.#guard = this.#restored(saved);
        verdict = this.#guard.observe(event);
        const context = apply(verdict);
        return {
          states: [this.#guard.snapshot(this.run) as unknown as Json, this.#ownState()],
          entries: withTurn(entriesOf(event, verdict, guarded!.version), this.state.iteration),
          context,
        };
      });
    } catch (error) {
      this.#onFault(error);
    }
    if (verdict) return verdict;
    const alone = this.#guard.observe(event);
    apply(alone);
    return alone;
  }

  #restored(saved: Snapshot): Guard {
    try {
      return createGuard({ ...this.#options, from: saved });
    } catch (error) {
      this.#onFault(error);
      return this.#guard;
    }
  }

  #ownState(): Json {
    return structuredClone(this.state) as unknown as Json;
  }
}

/** Readers number the steps of a run as its screen does. */
const withTurn = (entries: readonly LedgerEntry[], turn: number): LedgerEntry[] =>
  entries.map((entry) => (entry.kind === 'event' ? { ...entry, data: { ...entry.data, turn } } : entry));
