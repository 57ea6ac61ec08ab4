/** Where a notification may be shown. */
export interface Desktop {
  platform: NodeJS.Platform;
  variables: Readonly<Record<string, string | undefined>>;
}

/** The program that shows a text on the desktop, with its arguments; nothing where there is no desktop, or nobody in front of it. */
export function desktopCommand({ platform, variables }: Desktop, text: string): string[] | undefined {
  if (variables.CI || variables.SSH_CONNECTION || variables.SSH_TTY) return undefined;
  if (platform === 'darwin') return ['osascript', '-e', `display notification ${inAppleScript(text)} with title "Unrut"`];
  // Services and remote shells have no session.
  if (platform === 'win32')
    return variables.SESSIONNAME ? ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', toast(text)] : undefined;
  return variables.DISPLAY || variables.WAYLAND_DISPLAY ? ['notify-send', '--app-name=Unrut', '--', 'Unrut', inMarkup(text)] : undefined;
}

const inAppleScript = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Desktops take the text for markup. */
const inMarkup = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Windows shows notifications only of programs that it knows: PowerShell is one. */
const POWERSHELL = String.raw`{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe`;

function toast(text: string): string {
  const type = (name: string): string => `[Windows.UI.Notifications.${name}, Windows.UI.Notifications, ContentType = WindowsRuntime]`;
  const lines = ['Unrut', text].map((line, i) => `$x.GetElementsByTagName('text')[${i}].InnerText = '${line.replaceAll("'", "''")}'`);
  return [
    `$x = ${type('ToastNotificationManager')}::GetTemplateContent(${type('ToastTemplateType')}::ToastText02)`,
    ...lines,
    `${type('ToastNotificationManager')}::CreateToastNotifier('${POWERSHELL}').Show(${type('ToastNotification')}::new($x))`,
  ].join('; ');
}
