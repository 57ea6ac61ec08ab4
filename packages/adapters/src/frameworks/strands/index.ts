import type { FrameworkOptions } from '../options.ts';
import { pluginWith, type StrandsSdk, type UnrutStrandsPlugin } from './plugin.ts';

export { type EventJudge, type FrameworkOptions, LoopError, type SessionName } from '../options.ts';
export type { UnrutStrandsPlugin } from './plugin.ts';

/** Not a name in the import: bundlers leave it to the program, which has Strands. */
const STRANDS: string = '@strands-agents/sdk';

/** For `plugins` of an agent. Several agents may share one. */
export const unrutPlugin = (options: FrameworkOptions = {}): UnrutStrandsPlugin =>
  pluginWith(() => import(/* @vite-ignore */ STRANDS) as Promise<StrandsSdk>, options);
