import { definePeer } from './define-peer.ts';
import { indelRatio } from './indel-ratio.ts';
import { act } from './peer.ts';

const OUTPUTS = 5;
const ALIKE = 0.9;

/**
 * The first Ralph loop: an output at least 90 % similar to one of the last five. Stops. Without an
 * outer loop, each message of the agent counts as an output.
 */
export const ralphV1 = definePeer('Ralph v1', () => {
  let outputs: string[] = [];
  const output = (text: string) => {
    const again = outputs.some((other) => alike(other, text));
    outputs = [...outputs, text].slice(-OUTPUTS);
    return again ? act('stop') : null;
  };
  return { output, text: ({ text, thinking, done }) => (done && !thinking ? output(text) : null) };
});

/** Texts of very different lengths cannot be. */
function alike(a: string, b: string): boolean {
  return (
    Math.min(a.length, b.length) >= (ALIKE / (2 - ALIKE)) * Math.max(a.length, b.length) &&
    indelRatio(a, b) >= ALIKE
  );
}
