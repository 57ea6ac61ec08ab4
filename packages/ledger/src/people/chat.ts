import { errorReason } from '@unrut/engine/redact/reason';
import type { Settings } from '../config/settings.ts';
import type { Ledger } from '../ledger.ts';
import { moreAbout } from '../more-about.ts';
import { timeSpan } from '../views/time-given.ts';
import { lastAlarm } from './alarm.ts';
import { type ForgiveScope, forgive, forgivenText, unforgive, whatOf } from './forgive.ts';
import { statusText } from './status.ts';
import { LEFT_TRIAL, switchOff, switchOn } from './switch.ts';

/** A user's command to Unrut in an agent's prompt. */
export interface PersonChat {
  ledger: Ledger;
  settings: Settings;
  session: string;
  /** The folder that the agent works in. */
  folder: string;
  /** Epoch milliseconds. */
  at: number;
  /** Further commands of the host. */
  more?: string | undefined;
}

/** A chat, and the name by which the user addressed us: a word or a slash command. */
type Addressed = PersonChat & { name: string };

/**
 * Slash commands of plugins start with the plugin's name; text copied from a terminal may start
 * with npx.
 */
const SAID = /^(?:npx )?(?<name>\/?(?:unrut:)?unrut)(?:\s+(?<words>.*))?$/s;

/** Commands that work only in a terminal. */
const IN_TERMINAL = 'doctor install uninstall stats config scan watch explain'.split(' ');
const MAX_WORDS = 3;

/** The words of a prompt that is for Unrut and not for the model: `unrut off`, `/unrut why`. */
function wordsOf(prompt: string): { name: string; words: string[] } | undefined {
  const match = SAID.exec(prompt.trim());
  if (!match) return undefined;
  const { name, words: rest = '' } = match.groups!;
  const words = rest.trim().split(/\s+/).filter(Boolean);
  // A longer sentence that begins with the name is for the model.
  const isOurs = words.length <= MAX_WORDS && Object.hasOwn(COMMANDS, words[0] ?? 'status');
  return isOurs ? { name: name!, words } : undefined;
}

const helpText = ({ name, more }: Addressed): string => {
  const commands = [
    'status',
    'off',
    'off 1h',
    'on',
    'why',
    'false-alarm',
    'false-alarm tool',
    'false-alarm project',
    'false-alarm --undo',
  ];
  return [
    `You can type: ${commands.map((words) => `${name} ${words}`).join(' · ')}`,
    ...(more === undefined ? [] : [more]),
  ].join('\n');
};

const COMMANDS: Readonly<
  Record<string, (chat: Addressed, words: readonly string[]) => Promise<string> | string>
> = {
  status: ({ ledger, settings, folder, session, at }) =>
    statusText(ledger, settings, folder, session, at),
  off({ settings, session, at, name }, [given]) {
    const span = given === undefined ? undefined : timeSpan(given.replace(/^--for=?/, ''));
    if (given !== undefined && span === undefined)
      return `Unrut: expected a time such as 30m or 1h, got ${given}. Nothing was changed.`;
    switchOff(settings.ledger.path, { session }, at, span === undefined ? undefined : at + span);
    return `Unrut is off for this session${given === undefined ? '' : ` for ${given}`}: it says and does nothing, and still records. Type ${name} on to switch it on.`;
  },
  on({ settings, session, folder, at }) {
    const wasOff = switchOn(settings.ledger.path, folder, session, at);
    if (settings.guard.trial) return `Unrut is on. ${LEFT_TRIAL}`;
    return wasOff
      ? 'Unrut is on.'
      : 'Unrut was on already. If it is silent, unrut doctor says why.';
  },
  async why({ ledger, session }) {
    const alarm = await lastAlarm(ledger, session);
    return alarm
      ? `Unrut: ${alarm.signal.text} (seen by ${alarm.signal.detector}). Everything, step by step: ${moreAbout(session)}`
      : 'Unrut has seen no loop in this session.';
  },
  async 'false-alarm'({ ledger, settings, session, folder, at }, [given]) {
    if (given?.endsWith('undo')) {
      const [undone] = unforgive(settings.ledger.path, at, undefined);
      return undone
        ? `Taken back: ${whatOf(undone)} counts again.`
        : 'There is no false alarm to take back.';
    }
    const scope: ForgiveScope = given === 'tool' || given === 'project' ? given : 'call';
    const alarm = await lastAlarm(ledger, session);
    return alarm
      ? forgivenText(await forgive(ledger, settings.ledger.path, { alarm, scope, folder, at }))
      : 'Unrut has raised no alarm in this session.';
  },
  /** Alarms name this command, so users paste it here. */
  show: (chat, words) => COMMANDS.why!(chat, words),
  ...Object.fromEntries(
    IN_TERMINAL.map((command) => [
      command,
      (_, words) => `Unrut: in a terminal, type ${['unrut', command, ...words].join(' ')}`,
    ]),
  ),
  /** The earlier name. */
  forgive: (chat, words) => COMMANDS['false-alarm']!(chat, words),
  help: helpText,
};

/** Unrut's answer to the user; undefined if the prompt is for the model. Never throws. */
export async function answerChat(prompt: string, chat: PersonChat): Promise<string | undefined> {
  const asked = wordsOf(prompt);
  if (!asked) return undefined;
  const { name, words } = asked;
  const [command = 'status', ...rest] = words;
  const addressed = { ...chat, name };
  try {
    const said = await COMMANDS[command]!(addressed, rest);
    return words.length === 0 ? `${said}\n${helpText(addressed)}` : said;
  } catch (error) {
    return `Unrut could not do that: ${errorReason(error)}. See unrut doctor.`;
  }
}
