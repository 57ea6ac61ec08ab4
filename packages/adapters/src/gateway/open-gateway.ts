import { sharedGuardOptions } from '@unrut/ledger/config/guard-options';
import type { Settings } from '@unrut/ledger/config/settings';
import { learnedIn } from '@unrut/ledger/learned';
import type { Ledger } from '@unrut/ledger/ledger';
import { toOperator } from '@unrut/ledger/more-about';
import { notify, tellsSomebody } from '@unrut/ledger/notify/notify';
import { recordInBackground } from '../mcp/record-in-background.ts';
import { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';

export interface OpenGatewayOptions extends Pick<GatewayOptions, 'upstreams'> {
  settings: Settings;
  /** Is left open. */
  ledger: Ledger;
  /** Record only, whatever the settings say. */
  shadow?: boolean;
  /** Prints a line for the user who started it. */
  log(line: string): void;
}

/** Faults that were reported; each is reported once. */
const MAX_TOLD = 100;

/**
 * A gateway by the user's settings, recorded in a ledger. `close` writes the rest of the record.
 */
export async function openGateway(
  given: OpenGatewayOptions,
): Promise<{ gateway: Gateway; close(): Promise<void> }> {
  const { settings, ledger, upstreams, shadow = false, log } = given;
  const options = {
    ...(await sharedGuardOptions(settings, ledger)),
    learned: await learnedIn(ledger).catch(() => ({})),
    // The gateway has no user, so somebody can be asked only through notifications.
    attended: settings.attended ?? tellsSomebody(settings.notify),
    ...(shadow ? { shadow } : {}),
  };
  const guard = recordInBackground(() => ({ ...ledger, close: async () => undefined }), options, {
    host: 'gateway',
  });
  const told = new Set<string>();
  function once(text: string): void {
    if (told.has(text) || told.size > MAX_TOLD) return;
    told.add(text);
    log(text);
  }
  const gateway = createGateway({
    upstreams,
    guard,
    ...(settings.prices ? { prices: settings.prices } : {}),
    onPlan(plan, { session, shadow: isShadow }) {
      if (isShadow || (plan.rung !== 'escalate' && plan.rung !== 'stop')) return;
      log(`${session}: ${toOperator(plan)}`);
      if (plan.rung === 'escalate')
        notify(settings.notify, { plan, session, host: 'gateway', at: Date.now() });
    },
    onFault: ({ where, message }) =>
      once(`${where}: ${message}. The request passed as without Unrut.`),
    onWarning: once,
  });
  return { gateway, close: guard.close };
}
