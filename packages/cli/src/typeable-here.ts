import { homedir } from 'node:os';
import { typeable } from '@unrut/agents/install/typeable';

/** A text with our commands as they can be typed on this machine. */
export const typeableHere = (text: string): string =>
  typeable(text, { home: homedir(), variables: process.env, platform: process.platform });
