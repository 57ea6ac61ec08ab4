import { homedir } from 'node:os';
import { loadSettings } from '../config/load-settings.ts';
import { openProxyGuard } from '../mcp/proxy-guard.ts';
import { serverName } from '../mcp/server-name.ts';
import { type ServerEnd, stdioProxy } from '../mcp/stdio-proxy.ts';
import { NOTES, type Notes } from '../mcp/write-note.ts';
import { printable } from '../report/printable.ts';
import { readArguments } from './arguments.ts';
import { EXIT, usageError } from './exit.ts';

const HELP = `unrut mcp [options] -- <server command…>

Stands between an MCP client and a server, and watches the tool calls. Everything passes byte for byte; only the result of a call
that goes round in circles gets a note, and a call whose answer is known is answered without the server. \`unrut install --mcp\`
writes it into a client's config.

Options
  --notes MODE   append (default), strip-structured (for clients that show the model nothing but structured content), or error
  --name NAME    the server's name in the record
  --shadow       record what would be done, and do nothing
  --help

Exit codes: those of the server; 2 when it cannot be started, 64 wrong usage.`;

const OPTIONS = {
  notes: { type: 'string', default: 'append' },
  name: { type: 'string' },
  shadow: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** `unrut mcp`. Returns the exit code. */
export async function mcp(args: readonly string[]): Promise<number> {
  const cut = args.includes('--') ? args.indexOf('--') : args.length;
  const { values, positionals } = readArguments('mcp', args.slice(0, cut), OPTIONS);
  if (values.help) {
    console.log(HELP);
    return EXIT.ok;
  }
  if (positionals.length > 0)
    throw usageError(`mcp takes the server's command after --; got ${positionals[0]} before it. See unrut mcp --help.`);
  if (!NOTES.includes(values.notes as Notes)) throw usageError(`--notes takes ${NOTES.join(', ')}; got ${values.notes}.`);

  const [program, ...rest] = args.slice(cut + 1);
  if (program === undefined) throw usageError('mcp takes the command of a server after --, got none. See unrut mcp --help.');

  const log = (line: string): void => console.error(printable(`[unrut] ${line}`));
  const { settings, problems } = loadSettings({ cwd: process.cwd(), home: homedir(), environment: process.env });
  for (const problem of problems) log(problem);
  const name = values.name ?? serverName([program, ...rest]);
  const guard = openProxyGuard({ settings, name, notes: values.notes as Notes, shadow: values.shadow, log });
  const conversation = guard.converse(`${name} ${new Date().toISOString()} ${process.pid}`);
  try {
    const end = await stdioProxy([program, ...rest], conversation, { input: process.stdin, output: process.stdout });
    conversation.end(end.code === 0 ? 'ended' : 'crashed');
    await guard.close();
    return exitAs(end, name, log);
  } finally {
    await guard.close();
  }
}

/** Ends as the server did, so that whoever started us sees what became of it. */
function exitAs({ code, signal, unanswered }: ServerEnd, name: string, log: (line: string) => void): number {
  const open = unanswered === 0 ? '' : `; ${unanswered} of the client's requests had no answer yet`;
  if (signal) {
    log(`The server ${name} was ended by ${signal}${open}.`);
    process.kill(process.pid, signal);
  } else if (code !== 0) log(`The server ${name} ended with exit code ${code}${open}.`);
  return code ?? EXIT.unreadable;
}
