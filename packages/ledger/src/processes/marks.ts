/**
 * Variables in the environment of all that an agent starts, by which it is found and ended: that of
 * the run, and that of one process.
 */
export const MARKS = { run: 'UNRUT_RUN', process: 'UNRUT_PROCESS' } as const;
