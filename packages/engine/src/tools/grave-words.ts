import { remembering } from '../lazily.ts';
import { splitWords } from './name-words.ts';

const GRAVE = new Set(
  `delete remove drop erase purge destroy wipe truncate unlink kill terminate rm rmdir shred format uninstall overwrite reset
   pay payment purchase buy checkout charge order transfer withdraw refund subscribe unsubscribe
   send email mail sms post publish tweet share submit confirm deploy release push merge approve cancel archive
   login signin signup logout register authenticate authorize authorise grant revoke sudo chmod chown`.split(
    /\s+/,
  ),
);
const TWO_WORDS = /\b(?:log|sign) ?(?:in|up|out)\b/;

/** Whether words sound irreversible: deleting, paying, sending, submitting, logging in. */
export const soundsGrave = remembering((text): boolean => {
  const words = splitWords(text);
  return (
    words.some((word) => GRAVE.has(word) || (word.endsWith('s') && GRAVE.has(word.slice(0, -1)))) ||
    TWO_WORDS.test(words.join(' '))
  );
});
