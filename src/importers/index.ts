import type { Importer } from './importer.ts';
import { neutralSteps } from './neutral-steps.ts';
import { unrutEvents } from './unrut-events.ts';

/** Every format that `unrut scan` reads. The first that recognises a file reads it. */
export const importers: readonly Importer[] = [unrutEvents, neutralSteps];
