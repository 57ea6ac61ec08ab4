import type { Incidents } from '@unrut/ledger/incidents/incident';

/** Milliseconds: agents fail meanwhile. */
const EVERY = 2000;

/** Looks for incidents until it is closed. */
export function watchIncidents(
  incidents: Pick<Incidents, 'look'>,
  fault: (error: unknown) => void,
): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= incidents
      .look(Date.now())
      .catch(fault)
      .finally(() => {
        looking = undefined;
      });
  }, EVERY).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
