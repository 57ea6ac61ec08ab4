/** The whole terminal, drawn on again and again, and given back as it was. */
export interface TerminalScreen {
  draw(lines: readonly string[]): void;
  close(): void;
}

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';
const CONTROL_C = '\u0003';

/** Takes over the terminal. Calls `onQuit` for q and Ctrl-C, and `onKey` for every other key. */
export function openTerminalScreen(
  output: NodeJS.WriteStream,
  input: NodeJS.ReadStream,
  onQuit: () => void,
  onKey: (key: string) => void,
): TerminalScreen {
  const listen = (keys: Buffer): void => {
    if (/[qQ]/.test(keys.toString()) || keys.includes(CONTROL_C)) onQuit();
    else onKey(keys.toString());
  };
  if (input.isTTY) input.setRawMode(true).on('data', listen).resume();
  output.write(ENTER);
  return {
    // Overwrites line by line, since clearing first would flicker.
    draw: (lines) =>
      void output.write(
        `${HOME}${lines.map((line) => line + CLEAR_LINE).join('\r\n')}${CLEAR_BELOW}`,
      ),
    close() {
      output.write(LEAVE);
      if (input.isTTY) input.setRawMode(false).off('data', listen).pause();
    },
  };
}
