import { hash64 } from '../hash.ts';
import { redact } from '../redact/redact.ts';
import { failuresIn } from './failures.ts';
import { plainOutput } from './plain-output.ts';
import { signatureOf } from './signature.ts';

/** What is known about one iteration's output. */
export interface OutputPrint {
  /**
   * The core action or error. Equal signatures mean the same outcome. Empty for an empty output.
   */
  signature: string;
  /** Hash of the signature. */
  key: string;
  /** Head and tail of the redacted output, at most 2,048 characters, for comparison. */
  text: string;
  /** How many failures it reports, if it says so. */
  failures: number | null;
  /** Whether the work moved, if known. */
  moved?: boolean;
}

const MAX_LENGTH = 2048;
/** Limit for the text as JSON in UTF-8, so that five of them stay under 12 KB. */
const MAX_BYTES = 2400;

/** Reads an iteration's output: its signature, and its text without colours and secrets. */
export function readOutput(output: string, seed = 0): OutputPrint {
  const text = redact(plainOutput(output));
  const signature = signatureOf(text);
  return {
    signature,
    key: `output:${hash64(signature, seed)}`,
    text: fitting(text.trim()),
    failures: failuresIn(text),
  };
}

/** Head and tail, as long as both limits allow. */
function fitting(text: string): string {
  let length = Math.min(text.length, MAX_LENGTH);
  let short = headAndTail(text, length);
  for (let bytes = jsonBytes(short); bytes > MAX_BYTES; bytes = jsonBytes(short)) {
    length = Math.floor(Math.min(length * 0.95, (length * MAX_BYTES) / bytes));
    short = headAndTail(text, length);
  }
  return short;
}

function headAndTail(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.floor((length - 3) / 2);
  return `${text.slice(0, head)}\n…\n${text.slice(head + 3 - length)}`;
}

/** An upper bound of the bytes that the text takes as a JSON string. */
function jsonBytes(text: string): number {
  let bytes = 2;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code === 34 || code === 92)
      bytes += code === 10 || code === 9 || code >= 32 ? 2 : 6;
    else if (code < 128) bytes++;
    else bytes += code >= 0xd800 && code <= 0xdfff ? 6 : 3;
  }
  return bytes;
}
