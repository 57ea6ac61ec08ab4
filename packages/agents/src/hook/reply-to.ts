import { isObject, parsed, present, textOf } from '@unrut/engine/json';
import { sharedGuardOptions } from '@unrut/ledger/config/guard-options';
import { type LoadedSettings, loadSettings } from '@unrut/ledger/config/load-settings';
import { UNTIL_FIXED } from '@unrut/ledger/config/problem-line';
import type { Settings } from '@unrut/ledger/config/settings';
import type { Ledger } from '@unrut/ledger/ledger';
import { answerChat } from '@unrut/ledger/people/chat';
import { costSoFar, needsCost } from '@unrut/ledger/people/reported-cost';
import { isOnFor, offFor } from '@unrut/ledger/people/said';
import { takeStop } from '@unrut/ledger/people/stop';
import { offText } from '@unrut/ledger/people/switch';
import { takeTold } from '@unrut/ledger/people/tell';
import type { Recorder } from '@unrut/ledger/recorder';
import { isBusy } from '@unrut/ledger/sqlite/sqlite-error';
import { typeable, typeableInPrompt } from '../install/typeable.ts';
import { answerHook, type HookPerson, type HookReply } from './answer-hook.ts';
import type { HookRequest } from './hook-request.ts';
import { readMissed, tellMissed } from './missed.ts';
import { commandsAbout } from './observe-hook.ts';
import { recordFault } from './record-fault.ts';
import { takeWelcome } from './welcome.ts';

/** Where hooks are recorded. */
export interface HookStore {
  ledger: Ledger;
  recorder: Recorder;
}

/** The dependencies of an answer. */
export interface ReplyMeans {
  open(where: Settings['ledger']): Promise<HookStore>;
  /** The success of recoveries; omitted for single hooks, which have no time to query it. */
  learned?(ledger: Ledger): Promise<Record<string, number>>;
  /** Throws if these settings need another process. */
  accept?(loaded: LoadedSettings): void;
}

/** An answer, with the ledger it used. */
export interface Replied extends HookStore {
  reply: HookReply;
  settings: Settings;
  /**
   * Records problems of the settings, and what earlier hooks could not record; the agent need not
   * wait for this.
   */
  afterwards(): Promise<void>;
}

/**
 * Records a hook whose agent has already continued. False if the ledger is busy, so that it can be
 * retried.
 */
export const recordLate =
  (means: ReplyMeans) =>
  async (request: HookRequest): Promise<boolean> => {
    try {
      const { reply } = await replyTo(request, means);
      return !reply.busy;
    } catch (error) {
      return !isBusy((error as Error).cause);
    }
  };

/**
 * Answers a hook with the settings of the agent's folder. Throws if the ledger cannot be opened.
 */
export async function replyTo(
  { input, environment, cwd, home, shadow, said, from, at = Date.now(), late = false }: HookRequest,
  { open, learned, accept }: ReplyMeans,
): Promise<Replied> {
  const payload = parsed(input);
  const folder = (isObject(payload) && textOf(payload.cwd)) || cwd;
  const loaded = loadSettings({ cwd: folder, home, environment });
  accept?.(loaded);
  const { settings, problems } = loaded;
  const { ledger, recorder } = await open(settings.ledger);
  const guard = {
    ...(await sharedGuardOptions(settings, ledger)),
    ...(shadow ? { shadow } : {}),
    ...(learned ? { learned: await learned(ledger) } : {}),
  };
  const machine = { home, variables: environment, platform: process.platform };
  const shown = (text: string | undefined): string | undefined =>
    text && typeableInPrompt(text, machine);
  const person: HookPerson = {
    answer: async (prompt, session, more) =>
      shown(await answerChat(prompt, { ledger, settings, session, folder, at, more })),
    greeting: (session, { host, isAlone }) =>
      shown(
        greetingText(loaded, readMissed(settings.ledger.path).length, folder, session) ??
          (!isAlone && takeWelcome(settings.ledger.path, host)
            ? welcomeText(guard.shadow === true)
            : undefined),
      ),
    isOff: (session) => offFor(settings.said, folder, session) !== undefined,
    isOn: (session) => isOnFor(settings.said, session),
    takeStop: (session) =>
      settings.said.stop.length > 0 && takeStop(settings.ledger.path, session, at),
    takeTold: (session) =>
      settings.said.told.length > 0 ? takeTold(settings.ledger.path, session, at) : [],
  };
  const reply = await answerHook(payload, {
    environment,
    ...present({ said }),
    from,
    late,
    ledger,
    settings: { ...settings, guard },
    at,
    recorder,
    person,
    more: (session) => typeable(commandsAbout(session), machine),
    ...(needsCost(settings.guard.budget)
      ? { usdSoFar: (session) => costSoFar(settings.ledger.path, session) }
      : {}),
  });
  return {
    reply,
    settings,
    ledger,
    recorder,
    async afterwards() {
      if (reply.untold !== undefined) return;
      for (const message of problems) await recordFault(ledger, { where: 'config', message }, at);
      await tellMissed(ledger, settings.ledger.path);
    },
  };
}

/** A one-line message to the user at the start of a session; undefined if there is no problem. */
function greetingText(
  { settings, problems }: LoadedSettings,
  missed: number,
  folder: string,
  session: string,
): string | undefined {
  const off = offFor(settings.said, folder, session);
  if (off) return `Unrut is off ${offText(off)}: it only records. Switch it on: unrut on`;
  if (missed > 0)
    return `Unrut could not record ${missed === 1 ? 'an event' : `${missed} events`} since the last session. See unrut doctor.`;
  const why = problems.find((problem) => problem.includes(UNTIL_FIXED));
  return why && `${settings.shadow ? 'Unrut only records here. ' : ''}${why} See unrut config.`;
}

/** The message in the first session after the installation. */
const welcomeText = (isShadow: boolean): string =>
  isShadow
    ? 'Unrut is watching. It only records, and says nothing to the agent; unrut stats in a terminal tells what it saw.'
    : 'Unrut is watching. It speaks only when the agent goes in circles. To ask how it stands, type: unrut';
