import { wrap } from '@unrut/engine/text/printable';

const WIDTH = 100;

/** A help text in at most 100 columns: what stands in a second column stays in it. */
export const helpText = (help: string): string =>
  help
    .split('\n\n')
    .map((part) => fitted(part.split('\n')).join('\n'))
    .join('\n\n');

function fitted(lines: readonly string[]): string[] {
  if (lines.every((line) => line.length <= WIDTH)) return [...lines];
  const isProse = lines.every((line) => !line.startsWith(' '));
  return isProse ? wrap(lines.join(' '), WIDTH) : lines.flatMap(row);
}

/** An option or a command, and below each other what is said of it. */
function row(line: string): string[] {
  const [start = ''] = /^ +(?:\S+(?: \S+)* {2,})?/.exec(line) ?? [];
  const [first = '', ...others] = wrap(line.slice(start.length), WIDTH, start.length);
  return [start + first.slice(start.length), ...others];
}
