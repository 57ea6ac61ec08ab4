import { basename } from 'node:path';

/** How an agent is started on a prompt. */
export interface AgentStart {
  file: string;
  args: string[];
  /** What it reads from standard input; missing when the prompt is among the arguments. */
  input?: string;
}

/** Where the prompt goes, in an argument of the agent's command. */
export const PROMPT = '{prompt}';

/** What an agent needs to work by itself and to say what it costs, unless the command says otherwise. All of them read the prompt from stdin. */
const PRESETS: Readonly<Record<string, (args: readonly string[]) => string[]>> = {
  claude: (args) => [
    ...args,
    ...(hasAny(args, '-p', '--print') ? [] : ['-p']),
    ...(hasAny(args, '--output-format') ? [] : ['--output-format', 'stream-json', '--verbose']),
  ],
  codex: (args) => {
    const given = hasAny(args, 'exec', 'e') ? args : ['exec', ...args];
    return [...given, ...(hasAny(args, '--json') ? [] : ['--json']), ...(hasAny(args, '-') ? [] : ['-'])];
  },
  gemini: (args) => [...args, ...(hasAny(args, '-o', '--output-format') ? [] : ['--output-format', 'stream-json'])],
  opencode: (args) => {
    const given = hasAny(args, 'run') ? args : ['run', ...args];
    return [...given, ...(hasAny(args, '--format') ? [] : ['--format', 'json'])];
  },
};

const hasAny = (args: readonly string[], ...names: string[]): boolean =>
  args.some((arg) => names.some((name) => arg === name || (name.startsWith('--') && arg.startsWith(`${name}=`))));

/** The names of the agents whose commands are completed. */
export const KNOWN_AGENTS: readonly string[] = Object.keys(PRESETS);

/** The prompt replaces `{prompt}` in the command's arguments; where there is none, it is what the command reads from standard input. */
export function startOf([file, ...args]: readonly [string, ...string[]], prompt: string): AgentStart {
  if (args.some((arg) => arg.includes(PROMPT))) return { file, args: args.map((arg) => arg.replaceAll(PROMPT, () => prompt)) };
  const name = basename(file).replace(/\.(?:cmd|exe|ps1)$/i, '');
  const complete = Object.hasOwn(PRESETS, name) ? PRESETS[name]! : undefined;
  return { file, args: complete ? complete(args) : [...args], input: prompt };
}
