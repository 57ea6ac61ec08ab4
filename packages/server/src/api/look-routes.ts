import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import type { Ledger } from '@unrut/ledger/ledger';
import type { SessionRow } from '@unrut/ledger/reports/reports';
import type { PeopleSaid } from '../people-said.ts';
import { routesOf } from '../route/route.ts';
import type { EntryStream } from './entry-stream.ts';
import type { LedgerReading } from './reading.ts';

/** What is done about a session goes through these: what people said of its project, and its ledger. */
export interface Acting {
  said: PeopleSaid;
  ledger: Ledger;
}

/** What routes that show recorded data work with. */
export interface Looking {
  reading: LedgerReading;
  stream: EntryStream;
  /**
   * What acts on a session or an incident; undefined if the sender may not. Missing: nothing can be done from
   * here.
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
