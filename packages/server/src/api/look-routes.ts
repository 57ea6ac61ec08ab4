import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import type { PeopleSaid } from '../people-said.ts';
import { routesOf } from '../route/route.ts';
import type { EntryStream } from './entry-stream.ts';
import type { LedgerReading } from './reading.ts';

/** What routes that show recorded data work with. */
export interface Looking {
  reading: LedgerReading;
  stream: EntryStream;
  /** What people say beside the ledger. Without it, nothing can be done from here. */
  said?: PeopleSaid | undefined;
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
