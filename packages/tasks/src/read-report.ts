/** An agent's report on its own work. */
export interface TaskReport {
  work: string[];
  blockers: string[];
}

/** `WORK: …` and `BLOCKED: …` at the start of a line, also as a list item or in bold. */
const LINE = /^[\s>*-]*(WORK|BLOCKED)\**:\**[ \t]+(\S.*)$/;

/**
 * The reporting instructions for the agent. No line begins or ends with a marker, so that an echo
 * of them is not taken for a report.
 */
export const reportFormat = (promise: string): string =>
  `When you stop, close with a line that begins with "WORK:" for each thing you finished in this attempt, and a line that begins with "BLOCKED:" for each thing that keeps you from finishing. Only when the whole task is done, let your last line be "${promise}" alone, and nothing after it.`;

/** Reads the report in an agent's output. */
export function readReport(output: string): TaskReport {
  const report: TaskReport = { work: [], blockers: [] };
  for (const line of output.split(/\r?\n/)) {
    const [, kind, text] = LINE.exec(line) ?? [];
    if (text) report[kind === 'WORK' ? 'work' : 'blockers'].push(text.replace(/\**$/, '').trim());
  }
  return report;
}
