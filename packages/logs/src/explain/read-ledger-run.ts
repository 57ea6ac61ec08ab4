import { UnrutError } from '@unrut/engine/errors';
import type { AgentEvent } from '@unrut/engine/event';
import { readOutput } from '@unrut/engine/fingerprint';
import { present } from '@unrut/engine/json';
import type { Ledger, LedgerEntry } from '@unrut/ledger/ledger';
import { createSource, type Imported } from '../importers/source.ts';
import type { ExplainedRun } from './read-run.ts';

/** The format name of runs from the ledger. */
export const LEDGER = 'unrut-ledger';
/** The ledger topic of iterations' outputs. */
const OUTPUT = 'iteration_output';

/**
 * A run of `unrut run` or of tasks, from the ledger. Its steps are iterations or attempts, numbered
 * as in `unrut show`. Throws for sessions that have only summaries.
 */
export async function readLedgerRun(
  ledger: Ledger,
  session: string,
): Promise<Pick<ExplainedRun, 'id' | 'format' | 'events' | 'limits'>> {
  const outputs = (await ledger.context({ session, topics: [OUTPUT] })).map(
    ({ content }) => content,
  );
  const events: Imported[] = [];
  const run = createSource(session, {
    event: (each) => void events.push(each),
    unknown: () => {},
  }).run(session);
  const changed: number[] = [];
  let step = 0;
  for (const entry of await ledger.entries({ session, kind: 'event' })) {
    const event = eventOf(entry, outputs);
    if (!event) continue;
    if (event.type !== 'user-spoke') {
      step = typeof entry.data.turn === 'number' ? entry.data.turn : step + 1;
      run.index(step);
    }
    if (
      event.type === 'output-finished' &&
      readOutput(event.output).signature !== signatureIn(entry)
    )
      changed.push(step);
    run.observed(event);
  }
  if (step === 0)
    throw new UnrutError(
      'unreadable',
      `For ${session} the ledger keeps only the results, not what it read and printed. See unrut show ${session}, or explain the agent's own transcript: unrut explain <file>`,
    );
  const limits: string[] = [];
  if (changed.length > 0)
    limits.push(
      `The ledger keeps only the start and end of long outputs: at step ${changed.join(', ')} the original signature was different.`,
    );
  return { id: session, format: LEDGER, events, limits };
}

/** The reconstructed event of an entry: printed output, the result of an attempt, or a decision. */
function eventOf({ session, at, data }: LedgerEntry, outputs: string[]): AgentEvent | undefined {
  const { type, task, status, blockers, work, said, attemptSession } = data;
  switch (type) {
    case 'user-spoke':
      return { type, session, at };
    case 'output-finished': {
      const output = outputs.shift();
      const moved = seenIn(data)?.moved;
      return output === undefined
        ? undefined
        : { type, session, at, output, ...present({ moved }) };
    }
    case 'task-attempted':
      return {
        type,
        session,
        at,
        task: String(task),
        status: String(status),
        blockers: blockers as string[],
        work: work as string[],
        // Mere words are shown, but not judged.
        ...present({ said }),
        attemptSession: String(attemptSession),
      };
    default:
      return undefined;
  }
}

const seenIn = ({
  seen,
}: LedgerEntry['data']): { signature?: string; moved?: boolean } | undefined =>
  (seen as { output?: { signature?: string; moved?: boolean } } | undefined)?.output;

const signatureIn = ({ data }: LedgerEntry): string => seenIn(data)?.signature ?? '';
