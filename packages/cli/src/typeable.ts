import { homedir } from 'node:os';
import { typeable as typeableAt } from '@unrut/agents/install/typeable';

/** A text with our commands as they can be typed on this machine. */
export const typeable = (text: string): string =>
  typeableAt(text, { home: homedir(), variables: process.env, platform: process.platform });
