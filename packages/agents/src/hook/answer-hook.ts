import { homedir } from 'node:os';
import { UnrutError } from '@unrut/engine/errors';
import type { Rung } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';
import type { GuardOptions } from '@unrut/engine/guard';
import { isObject, type JsonObject, parsed, present } from '@unrut/engine/json';
import type { Machine } from '@unrut/engine/machine';
import { toFault } from '@unrut/engine/redact/to-fault';
import type { Settings } from '@unrut/ledger/config/settings';
import type { Ledger } from '@unrut/ledger/ledger';
import type { Escalation } from '@unrut/ledger/notify/notify';
import type { ToldAll } from '@unrut/ledger/people/said';
import { stopPlan } from '@unrut/ledger/people/stop';
import { tellPlan } from '@unrut/ledger/people/tell';
import { keptOrigin } from '@unrut/ledger/record';
import { createRecorder, type Recorder } from '@unrut/ledger/recorder';
import { isBusy } from '@unrut/ledger/sqlite/sqlite-error';
import type { HookAnswer, HookUnderstood, Host } from '../hosts/define-host.ts';
import { recogniseHost } from '../hosts/recognise.ts';
import { typeable } from '../install/typeable.ts';
import { commandsAbout, folderIn, observeHook } from './observe-hook.ts';
import { recordFault } from './record-fault.ts';

const thisMachine = (): Machine => ({
  home: homedir(),
  variables: process.env,
  platform: process.platform,
});

/** Around a hook call. */
export interface HookSurroundings {
  /** The environment of the hook process; not used over HTTP. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The host named in the hook's command. */
  said?: string;
  /** Where the hook is installed, if known. */
  from?: string;
  /** The agent has already continued, so the hook can only record. */
  late?: boolean;
  ledger: Ledger;
  settings: HookSettings;
  /** Epoch milliseconds. */
  at: number;
  /** A recorder on the ledger, for a process that answers many hooks. */
  recorder?: Pick<Recorder, 'transaction'>;
  /** Handles commands that the user types for Unrut in a prompt. */
  person?: HookPerson;
  /** The session's cost in dollars; undefined if unknown. */
  usdSoFar?: (session: string) => number | undefined;
  /**
   * Where a person can read more about a session. Default: commands, for people on the ledger's
   * machine.
   */
  more?: (session: string) => string;
}

/** Communication between the user and Unrut besides plans. */
export interface HookPerson {
  /**
   * The answer to a prompt; undefined if it is for the model. `more`: further commands of the host.
   */
  answer(prompt: string, session: string, more?: string): Promise<string | undefined>;
  /** The message at the start of a session; `isAlone`: nobody reads it. */
  greeting(session: string, about: { host: string; isAlone: boolean }): string | undefined;
  /** Switched off for this session. */
  isOff(session: string): boolean;
  /** Switched on for this session, whatever a trial has drawn. */
  isOn(session: string): boolean;
  /** Whether somebody asked to stop the session now. Consumes the request. */
  takeStop(session: string): boolean | Promise<boolean>;
  /** What somebody says to this agent, among others. It is said once. */
  takeTold(session: string): readonly ToldAll[] | Promise<readonly ToldAll[]>;
}

/** The settings that a hook call needs. If `attended` is undefined, the environment decides. */
export type HookSettings = Pick<Settings, 'attended' | 'notify'> & { guard: GuardOptions };

/** The answer to a hook call. */
export interface HookReply {
  /** Printed as is; may be empty. */
  stdout: string;
  /** Text for the user, if the host shows it. */
  stderr?: string;
  exitCode: number;
  /** Notifications for a user who may not be watching. */
  escalations: Escalation[];
  /** The payload was not understood, or could not be recorded. */
  failed?: true;
  /** Why the ledger could not be written. */
  untold?: string;
  /** The ledger was locked by other writers. */
  busy?: true;
}

/** An empty answer: the agent continues. */
const NO_REPLY: HookReply = { stdout: '', exitCode: 0, escalations: [] };

/**
 * Answers a hook's payload, as text or parsed, in one transaction of the ledger. Never throws: a
 * payload that cannot be understood or recorded gets an empty answer and, if possible, a fault in
 * the ledger.
 */
export async function answerHook(
  input: unknown,
  surroundings: HookSurroundings,
): Promise<HookReply> {
  const {
    environment,
    said,
    from,
    late = false,
    ledger,
    settings,
    at,
    recorder = hookRecorder(ledger),
    person,
    more = (asked) => typeable(commandsAbout(asked), thisMachine()),
  } = surroundings;
  try {
    const payload = typeof input === 'string' ? (JSON.parse(input) as unknown) : input;
    const host = recogniseHost(payload, environment, said);
    const told = host?.understand(payload);
    if (!host || !told)
      throw new Error('expected what a known agent hands to its hooks, got something else');
    const { session } = told;
    const { guard: rules, attended = isAttended(environment), notify } = settings;
    const isAlone = !attended;
    const spoken = person && !late ? await saidToPerson(person, host, told, isAlone) : undefined;
    if (spoken !== undefined) return { ...NO_REPLY, stdout: spoken };
    const isOff = person?.isOff(session) === true;
    const isOn = person?.isOn(session) === true;
    const guard = isOff ? { ...rules, shadow: true } : isOn ? withoutTrial(rules) : rules;
    const mode = isOff ? ('off' as const) : guard.shadow ? ('shadow' as const) : undefined;
    const can = late ? [] : host.can(told);
    // Notifications bypass the host, so they work with any host.
    const options: GuardOptions = {
      ...guard,
      attended,
      can: notify && (can.length > 0 || (told.told.isRest && !late)) ? [...can, 'escalate'] : can,
    };
    const run = environment.UNRUT_RUN?.trim() || undefined;
    const origin = originIn(environment);
    const about = {
      sessions: run === undefined ? [session] : [session, run],
      guard: options,
      origin: { ...present({ repo: origin.repo }), folder: folderIn(told) },
    };
    const isStopped = person && canDo('stop', host, told, late) && (await person.takeStop(session));
    // A nested agent does not decide what the others do.
    const isHeard = told.agent === undefined && canDo('note', host, told, late);
    const messages = person && isHeard ? await person.takeTold(session) : [];
    const asked = [
      ...(isStopped ? [stopPlan(session, at)] : []),
      ...messages.map((each) => tellPlan(session, each)),
    ];
    const { value, error } = await recorder.transaction(about, (step) =>
      observeHook(step, {
        host,
        told,
        session,
        at,
        run,
        from,
        isAlone,
        mode,
        isOn,
        asked,
        origin,
        more,
        usdSoFar: surroundings.usdSoFar?.(session),
      }),
    );
    if (!value) throw error;
    const { answer, verdicts } = value;
    const escalating = verdicts.flatMap(({ plan }) => (plan?.rung === 'escalate' ? [plan] : []));
    return {
      ...printed(answer),
      escalations: escalating.map((plan) => ({
        plan,
        session,
        host: host.name,
        at,
        more: more(session),
      })),
    };
  } catch (error) {
    const fault = toFault('hook', error);
    const stdout = unusableText(input, environment, fault.message, said);
    // The agent has already waited long enough for an unusable ledger.
    const isUsable = !(error instanceof UnrutError && error.code === 'ledger-unusable');
    const isTold = isUsable && (await recordFault(ledger, fault, at));
    const busy = isBusy((error as Error | undefined)?.cause);
    return {
      ...NO_REPLY,
      stdout,
      failed: true,
      ...(isTold ? {} : { untold: fault.message }),
      ...(busy ? { busy } : {}),
    };
  }
}

/** The session and folder of a payload; undefined if it is not understood. */
export function sessionIn(
  payload: unknown,
  said: string,
): { session: string; folder: string } | undefined {
  try {
    const told = recogniseHost(payload, {}, said)?.understand(payload);
    return told ? { session: told.session, folder: folderIn(told) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The variables that teams set for their agents: `UNRUT_RELEASE`, `UNRUT_REPO`, `UNRUT_TEAM` and
 * `UNRUT_PERSON`.
 */
const originIn = (environment: HookSurroundings['environment']): EventOrigin =>
  keptOrigin({
    release: environment.UNRUT_RELEASE,
    repo: environment.UNRUT_REPO,
    team: environment.UNRUT_TEAM,
    person: environment.UNRUT_PERSON,
  });

/** Whether an answer to this payload can do it. */
const canDo = (rung: Rung, host: Host, { payload, told }: HookUnderstood, late: boolean): boolean =>
  !late && host.hooks?.answer(payload, told)?.does.includes(rung) === true;

/** The output that shows a message to the user; undefined if there is none. */
async function saidToPerson(
  person: HookPerson,
  { hooks, name: host }: Host,
  { told, payload, session }: HookUnderstood,
  isAlone: boolean,
): Promise<string | undefined> {
  const means = hooks?.person;
  if (!means) return undefined;
  const prompt = told.told.find((each) => each.what === 'person');
  const text =
    prompt?.what === 'person'
      ? await person.answer(prompt.text, session, means.more?.())
      : means.starts(payload)
        ? person.greeting(session, { host, isAlone })
        : undefined;
  return text === undefined ? undefined : JSON.stringify(means.say(payload, text));
}

/** The warning printed at the start of a session if the ledger cannot be used; empty otherwise. */
export function unusableText(
  input: unknown,
  environment: HookSurroundings['environment'],
  reason: string,
  said?: string,
): string {
  const payload = typeof input === 'string' ? parsed(input) : input;
  const means = isObject(payload)
    ? recogniseHost(payload, environment, said)?.hooks?.person
    : undefined;
  if (!means?.starts(payload as JsonObject)) return '';
  const why = reason.replace(/^\[unrut\] (?:\[\w+\] )?/, '');
  return JSON.stringify(
    means.say(
      payload as JsonObject,
      `Unrut cannot record here, so it detects no loops: ${why} See unrut doctor.`,
    ),
  );
}

/**
 * A recorder that drops unsaved events: if a hook cannot be recorded, the agent gets no note, so it
 * must not count.
 */
export const hookRecorder = (ledger: Ledger, sessions?: number): Recorder =>
  createRecorder(ledger, {}, { unsaved: 'drop', ...present({ sessions }) });

const printed = (answer: HookAnswer | null): Pick<HookReply, 'stdout' | 'stderr' | 'exitCode'> => {
  const { stdout = '', stderr, exitCode = 0 } = answer ?? {};
  return {
    stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
    ...present({ stderr }),
    exitCode,
  };
};

/** As if no session had been drawn. */
const withoutTrial = ({ trial: _, ...rules }: GuardOptions): GuardOptions => rules;

const NO = new Set(['', '0', 'false']);

/** Whether a user can be asked, judging by the hook's environment. Default: yes. */
function isAttended({
  UNRUT_ATTENDED: said = '',
  CLAUDE_CODE_ENTRYPOINT: entry = '',
  CI: onServer = '',
}: Readonly<Record<string, string | undefined>>): boolean {
  if (said !== '') return !NO.has(said.toLowerCase());
  // Claude Code sets `sdk-cli` when started with -p, and `sdk-ts` or `sdk-py` when started by a
  // program.
  return NO.has(onServer.toLowerCase()) && !entry.startsWith('sdk');
}
