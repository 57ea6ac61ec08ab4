/**
 * Environment variables that mark all processes of an agent: one for the run, and one for each
 * process.
 */
export const MARKS = { run: 'UNRUT_RUN', process: 'UNRUT_PROCESS' } as const;
