import { spawn } from 'node:child_process';
import type { Plan } from '@unrut/engine/policy/plan';
import { redact } from '@unrut/engine/redact/redact';
import { cut, printable } from '@unrut/engine/text/printable';
import type { NotifySettings } from '../config/settings.ts';
import { moreAbout } from '../more-about.ts';
import { MARKS } from '../processes/marks.ts';

/** The text of a notification. */
export interface Escalation {
  /** The plan that asks for a person. */
  plan: Pick<Plan, 'rung' | 'reason' | 'recovery' | 'toHuman' | 'target'>;
  session: string;
  /** The host that the agent runs in. */
  host?: string;
  /** Epoch milliseconds. */
  at: number;
  /** Where a person can read more, if the plan's text does not name it. Default: the command. */
  more?: string;
}

/** Enough for a slow chat server, without notifications piling up. */
const MAX_MILLISECONDS = 10_000;
/** The length that chat programs and desktops show unabridged. */
const MAX_TEXT_LENGTH = 500;

/**
 * Sends an escalation to the desktop and to the user's command and webhook. Never throws or waits:
 * a detached process delivers it within ten seconds.
 */
export function notify(
  settings: NotifySettings | undefined,
  escalation: Escalation,
  milliseconds: number = MAX_MILLISECONDS,
): void {
  const { command, webhook, desktop: isWanted } = settings ?? {};
  try {
    const message = messageOf(escalation);
    const { platform, env: variables } = process;
    const desktop =
      isWanted === false ? undefined : desktopCommand({ platform, variables }, message.text);
    if (command === undefined && webhook === undefined && desktop === undefined) return;
    const delivery: Delivery = { command, webhook, desktop, milliseconds, ...message };
    // Passed in the environment, since other users can read a process's arguments. The marks are
    // removed, since the process outlives the agent.
    const { [MARKS.run]: _run, [MARKS.process]: _process, ...environment } = process.env;
    const env = { ...environment, UNRUT_DELIVERY: JSON.stringify(delivery) };
    const child = spawn(process.execPath, ['--eval', `(${deliver})()`], {
      env,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    child.on('error', () => {});
    child.unref();
  } catch {
    // The agent continues even if the notification fails.
  }
}

/** Whether the settings name a recipient. */
export const tellsSomebody = ({ command, webhook, desktop }: NotifySettings = {}): boolean =>
  command !== undefined || webhook !== undefined || desktop === true;

function messageOf({
  plan,
  session,
  host,
  at,
  more = moreAbout(session),
}: Escalation): Pick<Delivery, 'text' | 'body'> {
  const { rung, reason, recovery, target } = plan;
  const clean = (text: string): string => cut(printable(redact(text)).trim(), MAX_TEXT_LENGTH);
  // Hosts that show the notification themselves have already printed the prefix.
  const told = plan.toHuman.replace(/^Unrut: /, '');
  const pointer = told.includes(`(${more}`) || told.includes('(unrut show ') ? '' : ` (${more})`;
  const text = clean(`Unrut${host ? `, ${host}` : ''}: ${told}${pointer}`);
  const fields = {
    text,
    session: clean(session),
    host,
    at: new Date(at).toISOString(),
    rung,
    reason,
    recovery,
  };
  return {
    text,
    body: JSON.stringify({ ...fields, ...(target === undefined ? {} : { target: clean(target) }) }),
  };
}

/** The input of the delivering process, as JSON in `UNRUT_DELIVERY`. */
interface Delivery {
  command?: string | string[] | undefined;
  webhook?: string | undefined;
  /** The program that shows the text on the desktop. */
  desktop?: string[] | undefined;
  /** Whatever still runs after this time is killed. */
  milliseconds: number;
  /** One line for a person. */
  text: string;
  /** The same with its circumstances, as JSON. */
  body: string;
}

/**
 * Runs the commands and posts to the webhook. It is passed to another Node process as source text,
 * so it may not use anything outside itself.
 */
function deliver(): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { UNRUT_DELIVERY, ...environment } = process.env;
  const { command, webhook, desktop, milliseconds, text, body } = JSON.parse(
    UNRUT_DELIVERY!,
  ) as Delivery;

  function run(words: string | readonly string[]): void {
    const [program, ...args] = typeof words === 'string' ? [words] : words;
    const child = spawn(program!, args, {
      shell: typeof words === 'string',
      env: { ...environment, UNRUT_TEXT: text },
      stdio: ['pipe', 'ignore', 'ignore'],
      // A process group of its own, so that its children can be killed with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const timer = setTimeout(() => {
      try {
        if (process.platform === 'win32') child.kill();
        else process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    }, milliseconds);
    child.on('error', () => clearTimeout(timer));
    child.on('close', () => clearTimeout(timer));
    child.stdin.on('error', () => {});
    child.stdin.end(body);
  }

  if (webhook !== undefined) {
    const headers = { 'content-type': 'application/json' };
    fetch(webhook, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(milliseconds),
    }).catch(() => {});
  }
  if (desktop !== undefined) run(desktop);
  if (command !== undefined)
    run(
      typeof command === 'string'
        ? command
        : command.map((word) => word.replaceAll('{text}', () => text)),
    );
}
/** Where a notification can be shown. */
export interface Desktop {
  platform: NodeJS.Platform;
  variables: Readonly<Record<string, string | undefined>>;
}

/**
 * The program that shows a text on the desktop, with its arguments; undefined without a desktop
 * session.
 */
export function desktopCommand(
  { platform, variables }: Desktop,
  text: string,
): string[] | undefined {
  if (variables.CI || variables.SSH_CONNECTION || variables.SSH_TTY) return undefined;
  if (platform === 'darwin')
    return ['osascript', '-e', `display notification ${inAppleScript(text)} with title "Unrut"`];
  // Services and remote shells have no session.
  if (platform === 'win32')
    return variables.SESSIONNAME
      ? ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', toast(text)]
      : undefined;
  return variables.DISPLAY || variables.WAYLAND_DISPLAY
    ? ['notify-send', '--app-name=Unrut', '--', 'Unrut', inMarkup(text)]
    : undefined;
}

const inAppleScript = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Desktops take the text for markup. */
const inMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Windows shows notifications only for registered programs, such as PowerShell. */
const POWERSHELL = String.raw`{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe`;

function toast(text: string): string {
  const type = (name: string): string =>
    `[Windows.UI.Notifications.${name}, Windows.UI.Notifications, ContentType = WindowsRuntime]`;
  const lines = ['Unrut', text].map(
    (line, i) =>
      `$x.GetElementsByTagName('text')[${i}].InnerText = '${line.replaceAll("'", "''")}'`,
  );
  return [
    `$x = ${type('ToastNotificationManager')}::GetTemplateContent(${type('ToastTemplateType')}::ToastText02)`,
    ...lines,
    `${type('ToastNotificationManager')}::CreateToastNotifier('${POWERSHELL}').Show(${type('ToastNotification')}::new($x))`,
  ].join('; ');
}
