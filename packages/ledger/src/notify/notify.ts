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
  /** Where a person reads more, if the words of the plan do not say it. Default: the command. */
  more?: string;
}

/** Long enough for a slow chat server, short enough that nothing piles up. */
const MAX_MILLISECONDS = 10_000;
/** What chat programs and desktops show in one piece. */
const MAX_TEXT_LENGTH = 500;

/**
 * Tells of an escalation on the desktop, and by the user's command and webhook. Never throws, never
 * waits: a process of its own does it, which outlives this one and ends after ten seconds at the
 * latest.
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
    // In the environment, as others may read what stands in the arguments of a process. Without the
    // marks, as it outlives the agent.
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
    // The agent continues, whether or not the notification arrives.
  }
}

/** Whether the settings name somebody to notify. */
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
  // Hosts that show it themselves have already named the command.
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

/** What the delivering process is handed, as JSON in `UNRUT_DELIVERY`. */
interface Delivery {
  command?: string | string[] | undefined;
  webhook?: string | undefined;
  /** The program that shows the text on the desktop. */
  desktop?: string[] | undefined;
  /** What is left of the process then is ended. */
  milliseconds: number;
  /** One line for a person. */
  text: string;
  /** The same with its circumstances, as JSON. */
  body: string;
}

/**
 * Runs the commands, and posts to the webhook. It is handed to another Node as source text, so that
 * it works out of any bundle: it may use nothing from outside itself.
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
      // A group of its own, so that all that it starts can be ended with it.
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
/** Where a notification may be shown. */
export interface Desktop {
  platform: NodeJS.Platform;
  variables: Readonly<Record<string, string | undefined>>;
}

/**
 * The program that shows a text on the desktop, with its arguments; nothing if there is no
 * desktop, or nobody in front of it.
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

/** Windows shows notifications only of programs that it knows: PowerShell is one. */
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
