import { createInterface } from 'node:readline/promises';
import { CHOICES, type Choice } from '../run/escalation-report.ts';

/** Where a person is. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Asks the person at the terminal, until one of the choices is picked. Nothing when they press Ctrl-C, or leave. */
export async function askChoice({ input, output }: Terminal, signal: AbortSignal): Promise<Choice | undefined> {
  const leaving = new AbortController();
  const terminal = createInterface({ input, output });
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
