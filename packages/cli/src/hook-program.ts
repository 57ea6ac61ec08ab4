import { createHookProgram } from '@unrut/agents/hook/program';
import { DRIVERS } from './ledger-drivers.ts';

/** The program behind `dist/hook.cjs`. */
export const program = createHookProgram(DRIVERS);
