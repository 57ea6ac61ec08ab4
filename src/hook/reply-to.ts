import { homedir } from 'node:os';
import { guardOptions } from '../config/guard-options.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import { isObject, parsed, textOf } from '../importers/json.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { notify } from '../notify/notify.ts';
import { answerHook, type HookReply } from './answer-hook.ts';
import type { HookRequest } from './hook-request.ts';
import type { KeptGuards } from './kept-guards.ts';
import { recordFault } from './record-fault.ts';

/** What is at hand for an answer. */
export interface ReplyMeans {
  openLedger(where: Settings['ledger']): Ledger;
  guards?: KeptGuards;
  /** What works after which failure; to look it up takes a single hook too long. */
  learned?(ledger: Ledger): Promise<Record<string, number>>;
  /** Is given the answer as soon as there is one; people are told of an escalation after that. */
  print(reply: HookReply): void;
}

/** Answers a hook with the settings that are in force where its agent works. Throws when the ledger cannot be used. */
export async function replyTo(
  { input, environment, cwd, shadow }: HookRequest,
  { openLedger, guards, learned, print }: ReplyMeans,
): Promise<{ settings: Settings; ledger: Ledger }> {
  const payload = parsed(input);
  const folder = (isObject(payload) && textOf(payload.cwd)) || cwd;
  const { settings, problems } = loadSettings({ cwd: folder, home: homedir(), environment });
  const ledger = openLedger(settings.ledger);
  const guard = {
    ...guardOptions(settings),
    ...(shadow ? { shadow } : {}),
    ...(learned ? { learned: await learned(ledger) } : {}),
  };
  const at = Date.now();
  const reply = await answerHook(payload, { environment, ledger, settings: { ...settings, guard }, at, ...(guards ? { guards } : {}) });
  print(reply);
  for (const escalation of reply.escalations) notify(settings.notify, escalation);
  for (const message of problems) await recordFault(ledger, { where: 'config', message }, at);
  return { settings, ledger };
}
