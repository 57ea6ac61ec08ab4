import type { HookSettings } from '@unrut/agents/hook/answer-hook';
import type { learnedLately } from '@unrut/agents/hook/learned-lately';
import type { Ledger } from '@unrut/ledger/ledger';
import type { Recorder, TransactionAbout } from '@unrut/ledger/recorder';
import type { OptionsFor } from './events/sender-options.ts';
import type { Telemetry } from './otlp/telemetry.ts';
import type { PeopleSaid } from './people-said.ts';
import { routesOf } from './route/route.ts';

/** What agents report to. */
export interface ReportingRoute {
  ledger: Ledger;
  recorder: Pick<Recorder, 'transaction'>;
  /** The settings for a folder; for payloads without one, those of the server's folder. */
  settingsIn(folder: string | undefined): HookSettings;
  /** Users' instructions for sessions. */
  said?: PeopleSaid;
  /** The address of a session's page, if the server has a public URL. */
  pageOf?: (session: string) => string;
  /** The clock of the events. Default: `Date.now`. */
  now?: () => number;
}

/** A reported item, with the origin that determines its project. */
export interface Reported extends NonNullable<TransactionAbout['origin']> {
  sessions: readonly string[];
}

/** The same, with caches that outlive a request. */
export interface Reporting extends ReportingRoute {
  /**
   * The places of these items, for senders who may report to every project. Undefined: everything
   * belongs here.
   */
  placesOf?(reported: readonly Reported[]): Promise<Reporting[]>;
  learnedIn: ReturnType<typeof learnedLately>;
  optionsFor: OptionsFor;
  telemetry: Telemetry;
}

/** Declares routes that agents report to. */
export const report = routesOf<Reporting>({ tag: 'report', scope: 'ingest', isOfProject: true });

/** A recorder that records each transaction in the place of its sessions. */
export const placedRecorder = (
  placesOf: NonNullable<Reporting['placesOf']>,
): ReportingRoute['recorder'] => ({
  async transaction(about, work) {
    try {
      const [place] = await placesOf([{ sessions: about.sessions, ...about.origin }]);
      return await place!.recorder.transaction(about, work);
    } catch (error) {
      return { entries: [], error };
    }
  },
});
