import { createHookProgram } from '@unrut/agents/hook/program';
import { DATABASES } from './database-drivers.ts';

/** The program behind `dist/hook.cjs`. */
export const program = createHookProgram(DATABASES);
