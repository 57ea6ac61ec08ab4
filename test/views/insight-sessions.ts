import type { Ledger, LedgerEntry } from '@unrut/ledger/ledger';

/** Sessions of one kind: how many, and how many of them have a loop. */
export interface SessionsLike {
  sessions: number;
  looped: number;
  origin?: { [name: string]: string };
  /** Whose they are in turn. Default: nobody knows. */
  people?: readonly string[];
  /** Epoch milliseconds between which they are spread. */
  from: number;
  to: number;
  tool?: string;
}

const STEPS = 6;

function entriesOf(
  session: string,
  { origin = {}, tool = 'npm test' }: SessionsLike,
  at: number,
  { isLooped, person }: { isLooped: boolean; person: string | undefined },
): LedgerEntry[] {
  const more = { ...origin, ...(person === undefined ? {} : { person }) };
  const entries: LedgerEntry[] = [];
  const add = (kind: LedgerEntry['kind'], step: number, data: object): void => {
    const id = `${session}/${entries.length}`;
    const when = at - (STEPS - step) * 1000;
    entries.push({ id, session, at: when, kind, step, data: data as LedgerEntry['data'] });
  };
  for (let step = 0; step < (isLooped ? STEPS : 2); step++) {
    add('event', step, {
      type: 'call-finished',
      tool,
      ...more,
      cost: { tokens: 800, usd: 0.01 },
      seen: { call: { tool, label: tool }, result: { known: true } },
    });
    if (!isLooped || step < 2) continue;
    add('signal', step, {
      detector: 'repeated-call',
      variant: 'consecutive',
      step,
      since: 0,
      count: step + 1,
      strength: 0.9,
      rung: 'note',
      streak: 's1',
      evidence: { facts: {}, keys: [] },
      text: `\`${tool}\` failed ${step + 1} times in a row in the same way`,
    });
  }
  return entries;
}

const AT_ONCE = 200;

/** Writes sessions of known kinds into a ledger. */
export async function tellSessions(
  ledger: Pick<Ledger, 'append'>,
  kinds: readonly SessionsLike[],
): Promise<void> {
  for (const [k, kind] of kinds.entries()) {
    const { sessions, looped, from, to, people = [] } = kind;
    for (let begin = 0; begin < sessions; begin += AT_ONCE) {
      const entries: LedgerEntry[] = [];
      for (let i = begin; i < Math.min(sessions, begin + AT_ONCE); i++) {
        const isLooped =
          Math.floor(((i + 1) * looped) / sessions) > Math.floor((i * looped) / sessions);
        const at = from + ((i + 1) / sessions) * (to - from);
        const person = people[i % Math.max(1, people.length)];
        entries.push(...entriesOf(`k${k}-${i}`, kind, at, { isLooped, person }));
      }
      await ledger.append(entries);
    }
  }
}
