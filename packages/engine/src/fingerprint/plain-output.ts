/** A longer output is cut to its head and its tail, where summaries are. */
const HEAD = 20_000;
const TAIL = 40_000;
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[^[\]])/g;

/**
 * An output as a terminal would show it: no colours, no control characters, only the last state of
 * a redrawn line. Bounded in length.
 */
export function plainOutput(output: string): string {
  let text =
    output.length > HEAD + TAIL ? `${output.slice(0, HEAD)}\n…\n${output.slice(-TAIL)}` : output;
  if (text.includes('\u001b')) text = text.replace(ESCAPES, '');
  if (text.includes('\r')) text = text.split('\n').map(lastState).join('\n');
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}

/** A carriage return at the end of a line is part of the line end; any other restarts the line. */
function lastState(line: string): string {
  const shown = line.endsWith('\r') ? line.slice(0, -1) : line;
  return shown.slice(shown.lastIndexOf('\r') + 1);
}
