import { createGuard, type Ledger, type Snapshot } from '../../packages/cli/src/index.ts';

/** The steps of a session that the state in a ledger knows of. */
export async function keptSteps(ledger: Ledger, session: string): Promise<number> {
  const guard = createGuard({ from: (await ledger.loadState(session)) as unknown as Snapshot });
  return (guard.snapshot().sessions[session] as unknown as { reader: { steps: number } }).reader
    .steps;
}
