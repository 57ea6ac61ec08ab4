import type { HookSettings } from '@unrut/agents/hook/answer-hook';
import type { learnedLately } from '@unrut/agents/hook/learned-lately';
import type { Ledger } from '@unrut/ledger/ledger';
import type { Recorder } from '@unrut/ledger/recorder';
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
  /** The clock of the events. Default: `Date.now`. */
  now?: () => number;
}

/** The same, with what the routes remember between requests. */
export interface Reporting extends ReportingRoute {
  learnedIn: ReturnType<typeof learnedLately>;
  optionsFor: OptionsFor;
  telemetry: Telemetry;
}

/** Declares routes that agents report to. */
export const report = routesOf<Reporting>({ tag: 'report', scope: 'ingest', isOfProject: true });
