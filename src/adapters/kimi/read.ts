/** Kimi speaks as Claude Code does; it calls the call's id and result by other names, which are known there. */
export { claudeHooks as kimiHooks } from '../claude-code/read.ts';
