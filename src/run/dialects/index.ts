import { claude } from './claude.ts';
import { codex } from './codex.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/** The JSON of every agent that is known, whichever command prints it. */
export const dialects: readonly Dialect[] = [claude, codex, opencode, gemini];
