import { learnedLately } from '@unrut/agents/hook/learned-lately';
import { eventsRoute } from './events/events-route.ts';
import { createOptions } from './events/sender-options.ts';
import { hookRoute } from './hook-route.ts';
import { otlpRoutes } from './otlp/otlp-routes.ts';
import { createTelemetry } from './otlp/telemetry.ts';
import type { Reporting, ReportingRoute } from './reporting.ts';

/** Everything that agents report to. */
export const ingestRoutes = [eventsRoute, hookRoute, ...otlpRoutes];

/** Creates the routes' context for one ledger or a part of it. */
export function openReporting(given: ReportingRoute): Reporting {
  const { ledger, recorder, said } = given;
  const settings = given.settingsIn(undefined);
  return {
    ...given,
    learnedIn: learnedLately(),
    optionsFor: createOptions(settings, said),
    telemetry: createTelemetry({ ledger, recorder, guard: settings.guard }),
  };
}
