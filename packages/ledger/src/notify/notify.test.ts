import { describe, expect, it } from 'vitest';
import { type Desktop, desktopCommand } from './notify.ts';

const TEXT = `Unrut, codex: \`a "b" & 'c' <d>\` failed \\ 6 times`;
const LINUX: Desktop = { platform: 'linux', variables: { DISPLAY: ':0' } };
const MAC: Desktop = { platform: 'darwin', variables: {} };
const WINDOWS: Desktop = { platform: 'win32', variables: { SESSIONNAME: 'Console' } };

describe('a notification on the desktop', () => {
  it('is shown by the program of each platform, with any text', () => {
    expect(desktopCommand(LINUX, TEXT)).toEqual([
      ...['notify-send', '--app-name=Unrut', '--', 'Unrut'],
      `Unrut, codex: \`a "b" &amp; 'c' &lt;d&gt;\` failed \\ 6 times`,
    ]);
    expect(desktopCommand(MAC, TEXT)).toEqual([
      ...['osascript', '-e'],
      `display notification "Unrut, codex: \`a \\"b\\" & 'c' <d>\` failed \\\\ 6 times" with title "Unrut"`,
    ]);
    const [program, ...rest] = desktopCommand(WINDOWS, TEXT)!;
    expect([program, ...rest.slice(0, 3)]).toEqual([
      'powershell.exe',
      '-NoProfile',
      '-NonInteractive',
      '-Command',
    ]);
    expect(rest[3]).toContain(
      `InnerText = 'Unrut, codex: \`a "b" & ''c'' <d>\` failed \\ 6 times'`,
    );
  });

  it.each<[string, Desktop]>([
    ['without a display', { platform: 'linux', variables: {} }],
    ['in a service of Windows', { platform: 'win32', variables: {} }],
    ...[LINUX, MAC, WINDOWS].flatMap(({ platform, variables }): [string, Desktop][] => [
      [
        `on ${platform} from afar`,
        { platform, variables: { ...variables, SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' } },
      ],
      [`on ${platform} in CI`, { platform, variables: { ...variables, CI: 'true' } }],
    ]),
  ])('is not shown %s', (_, desktop) => {
    expect(desktopCommand(desktop, TEXT)).toBeUndefined();
  });

  it('is shown on Wayland too', () => {
    expect(
      desktopCommand({ platform: 'linux', variables: { WAYLAND_DISPLAY: 'wayland-0' } }, 'x'),
    ).toBeDefined();
  });
});
