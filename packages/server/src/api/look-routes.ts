import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import type { Ledger } from '@unrut/ledger/ledger';
import type { SessionRow } from '@unrut/ledger/reports/reports';
import type { PeopleSaid } from '../people-said.ts';
import { routesOf } from '../route/route.ts';
import type { EntryStream } from './entry-stream.ts';
import type { LedgerReading } from './reading.ts';

/** What acting on a session requires: the stored instructions of its project, and its ledger. */
export interface Acting {
  said: PeopleSaid;
  ledger: Ledger;
}

/** The context of routes that show recorded data. */
export interface Looking {
  reading: LedgerReading;
  stream: EntryStream;
  /**
   * Returns the means to act on a session or an incident; undefined if the sender may not act.
   * Missing if this server allows no actions.
   */
  actingOn?: ((one: Pick<SessionRow, 'project'>) => Promise<Acting | undefined>) | undefined;
  /** The settings of the server's folder. */
  settings: () => LoadedSettings;
  version: string;
  /** When the server started, in epoch milliseconds. */
  since: number;
  /** All figures in the text format of Prometheus. */
  metrics(): Promise<string>;
}

/** Declares routes that show recorded data. */
export const readRoute = routesOf<Looking>({ tag: 'look', scope: 'read', isOfProject: true });
