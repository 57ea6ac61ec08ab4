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

/** What is at hand for an answer. */
export interface ReplyMeans {
  open(where: Settings['ledger']): Promise<HookStore>;
  /** What works after which failure; to look it up takes a single hook too long. */
  learned?(ledger: Ledger): Promise<Record<string, number>>;
  /** Throws when these settings are not to be answered with. */
  accept?(loaded: LoadedSettings): void;
}

/** An answer, and what it was made with. */
export interface Replied extends HookStore {
  reply: HookReply;
  settings: Settings;
  /**
   * Records what was wrong with the settings, and what hooks before could not: the agent need not
   * wait for that.
   */
  afterwards(): Promise<void>;
}

/**
 * Records a hook whose agent has gone on. False where somebody else keeps the ledger busy, so that
 * it is worth another try.
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
 * Answers a hook with the settings that are in force where its agent works. Throws when the ledger
 * cannot be opened.
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

/**
 * What a person should know when a session starts, in one line; nothing if all is as it should
 * be.
 */
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

/** What is said in the first session after an installation. */
const welcomeText = (isShadow: boolean): string =>
  isShadow
    ? 'Unrut is watching. It only records, and says nothing to the agent; unrut stats in a terminal tells what it saw.'
    : 'Unrut is watching. It speaks only when the agent goes in circles. To ask how it stands, type: unrut';
