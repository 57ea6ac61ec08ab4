/** What an agent says of its own work. */
export interface TaskReport {
  work: string[];
  blockers: string[];
  /** The promise stands at the end of its last line. */
  isPromised: boolean;
}

/** `WORK: …` and `BLOCKED: …` at the start of a line, also as a list item or in bold. */
const LINE = /^[\s>*-]*(WORK|BLOCKED)\**:\**[ \t]+(\S.*)$/;
const TRAILING = /[\s`*."']+$/;

/** How an agent is asked to report. It names no marker at the start or end of a line: an echo of it is no report. */
export const reportFormat = (promise: string): string =>
  `When you stop, close with a line that begins with "WORK:" for each thing you finished in this attempt, and a line that begins with "BLOCKED:" for each thing that keeps you from finishing. Only when the whole task is done, let your last line be "${promise}" alone, and nothing after it.`;

/** Reads the report in an agent's output. */
export function readReport(output: string, promise: string): TaskReport {
  const report: TaskReport = { work: [], blockers: [], isPromised: false };
  const lines = output.split(/\r?\n/);
  for (const line of lines) {
    const [, kind, text] = LINE.exec(line) ?? [];
    if (text) report[kind === 'WORK' ? 'work' : 'blockers'].push(text.replace(/\**$/, '').trim());
  }
  const last = lines.findLast((line) => line.trim() !== '') ?? '';
  report.isPromised = promise !== '' && last.replace(TRAILING, '').endsWith(promise.replace(TRAILING, ''));
  return report;
}
