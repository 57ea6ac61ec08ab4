import { calledWith } from '@unrut/agents/hook/hook-request';
import { runHook } from '@unrut/agents/hook/run-hook';
import { hookHosts } from '@unrut/agents/hosts';
import { flagOption, optionLines } from './arguments.ts';
import { EXIT } from './exit.ts';
import { helpText } from './help-text.ts';
import { DRIVERS } from './ledger-drivers.ts';

const OPTIONS = { shadow: flagOption('record only; never act') } as const;

const HELP = `unrut hook [agent] [options]

Read an agent's hook payload from standard input, record it, and answer in the agent's own format: with nothing, a note, a blocked call,
or a stop. The agent is detected from the payload; the one that you name counts if the payload does not tell. \`unrut install\` adds dist/hook.cjs to the agents' settings, which does the same and
starts faster. If UNRUT_SERVER is set, the unrut serve at that address records and answers; UNRUT_TOKEN is its token or key.

Agents: ${hookHosts.map(({ name }) => name).join(', ')}

${optionLines(OPTIONS)}

Exit code: 0, even on errors; 2 where Copilot accepts nothing else.`;

/** `unrut hook`. */
export const hook = Object.assign(answer, { options: OPTIONS });

/**
 * Returns the exit code. Unknown arguments are ignored: some agents take an error for a refusal.
 */
async function answer(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(helpText(HELP));
    return EXIT.ok;
  }
  return runHook({ ...calledWith(args), drivers: DRIVERS });
}
