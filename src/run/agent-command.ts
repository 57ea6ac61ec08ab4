import { basename } from 'node:path';
import { runnableHosts } from '../hosts/index.ts';

/** How an agent is started on a prompt. */
export interface AgentStart {
  file: string;
  args: string[];
  /** What it reads from standard input; missing when the prompt is among the arguments. */
  input?: string;
}

/** Where the prompt goes, in an argument of the agent's command. */
const PROMPT = '{prompt}';

/**
 * The prompt replaces `{prompt}` in the command's arguments; where there is none, it is what the command reads from standard input. An agent
 * that can goes on in the conversation.
 */
export function startOf([file, ...args]: readonly [string, ...string[]], prompt: string, conversation?: string | null): AgentStart {
  if (args.some((arg) => arg.includes(PROMPT))) return { file, args: args.map((arg) => arg.replaceAll(PROMPT, () => prompt)) };
  const name = basename(file).replace(/\.(?:cmd|exe|ps1)$/i, '');
  const known = runnableHosts.find(({ programs }) => programs.includes(name));
  const complete = known?.command.complete(args) ?? [...args];
  return { file, args: (conversation && known?.command.resume?.(complete, conversation)) || complete, input: prompt };
}
