import { format } from 'node:util';
import { runCommand } from '../../packages/cli/src/commands.ts';

const PROGRAM = new URL('../../packages/cli/src/main.ts', import.meta.url);

/** What a command prints. */
async function printed(...args: readonly string[]): Promise<string> {
  const { log } = console;
  const lines: string[] = [];
  console.log = (...texts) => void lines.push(format(...texts));
  try {
    await runCommand(args, PROGRAM);
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

const fenced = (text: string): string => `\`\`\`\`text\n${text}\n\`\`\`\``;

/** A page with the help of every command, as the program prints it. */
export async function makeCommandPage(): Promise<string> {
  const list = await printed('help', '--all');
  const names = [...list.matchAll(/^ {2}unrut (ledger [a-z]+|[a-z][a-z-]*)/gm)].map(
    ([, name]) => name!,
  );
  const chapters: string[] = [];
  for (const name of new Set(names.filter((each) => each !== 'help')))
    chapters.push(`## unrut ${name}\n\n${fenced(await printed(...name.split(' '), '--help'))}`);
  return [
    '# The command line',
    'Every command with its options, as `unrut <command> --help` prints them.',
    fenced(list),
    ...chapters,
  ].join('\n\n');
}
