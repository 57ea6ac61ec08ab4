import { runHook } from '../hook/run-hook.ts';
import { hookHosts } from '../hosts/index.ts';
import { EXIT } from './exit.ts';

const HELP = `unrut hook [options]

Reads from standard input what an agent hands to its hooks, records it, and answers in the agent's own way: with nothing, a note, a
refusal, or the end of the run. Which agent it is is told by what it hands over. \`unrut install\` writes it into the agents' settings, as
dist/hook.cjs, which does the same and starts faster.

Agents: ${hookHosts.map(({ name }) => name).join(', ')}

Options
  --shadow   record what would be done, and do nothing
  --help

Exit code: 0, whatever goes wrong; 2 where Copilot listens to nothing else.`;

/** `unrut hook`. Returns the exit code. What it does not know among its arguments is ignored: some agents take a complaint for a refusal. */
export async function hook(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return EXIT.ok;
  }
  return runHook({ shadow: args.includes('--shadow') });
}
