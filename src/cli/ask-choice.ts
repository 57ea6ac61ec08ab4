import { createInterface } from 'node:readline/promises';
import { CHOICES, type Choice } from '../run/escalation-report.ts';

/** Asks the person at the terminal, until one of the choices is picked. Nothing when they press Ctrl-C, or leave. */
export async function askChoice(signal: AbortSignal): Promise<Choice | undefined> {
  const leaving = new AbortController();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  for (const event of ['SIGINT', 'close'] as const) terminal.once(event, () => leaving.abort());
  try {
    for (;;) {
      const answer = await terminal.question('Pick 1, 2 or 3: ', { signal: AbortSignal.any([signal, leaving.signal]) });
      const choice = CHOICES[Number(answer.trim()) - 1];
      if (choice) return choice;
    }
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}
