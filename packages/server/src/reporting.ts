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
  /** What is in force in a folder; where a payload names none, in that of the server. */
  settingsIn(folder: string | undefined): HookSettings;
  /** What people have said about sessions. */
  said?: PeopleSaid;
  /** The address of a session's page, if others reach the server. */
  pageOf?: (session: string) => string;
  /** The clock of the events. Default: `Date.now`. */
  now?: () => number;
}

/** Something that is reported, and what says where it belongs. */
export interface Reported extends NonNullable<TransactionAbout['origin']> {
  sessions: readonly string[];
}

/** The same, with what the routes remember between requests. */
export interface Reporting extends ReportingRoute {
  /**
   * Where each of these belongs, for senders who may report to every project. Missing: all of it
   * here.
   */
  placesOf?(reported: readonly Reported[]): Promise<Reporting[]>;
  learnedIn: ReturnType<typeof learnedLately>;
  optionsFor: OptionsFor;
  telemetry: Telemetry;
}

/** Declares routes that agents report to. */
export const report = routesOf<Reporting>({ tag: 'report', scope: 'ingest', isOfProject: true });

/** Records each transaction where its sessions belong. */
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
