import { hash64 } from '@unrut/engine/hash';
import { listOf, objectOf, textOf } from '@unrut/engine/json';
import type { Signal } from '@unrut/engine/signal';
import { cut } from '@unrut/engine/text/printable';

/** A reason why sessions fail or loop that several sessions can share. Texts are redacted. */
export interface Cause {
  /** Equal for the same failure or loop of one tool about one target. */
  key: string;
  kind: 'failure' | 'loop';
  tool: string;
  /** The unresponsive machine, otherwise the repository or folder; empty if none is known. */
  target: string;
  /** In one sentence. */
  text: string;
}

/** A signal, and the known facts about its session and step. */
export interface SightedSignal {
  signal: Pick<Signal, 'detector' | 'evidence'>;
  /** A short label of the step's call, and its tool; for a shell command, the program. */
  label?: string | undefined;
  tool?: string | undefined;
  repo?: string | undefined;
  folder?: string | undefined;
}

const MAX_ERROR = 140;
const MAX_LABEL = 100;

/**
 * The cause of a signal; undefined if sessions cannot share it. A machine failure is the same cause
 * everywhere. Any other failure or loop is shared only within one repository and for the same call;
 * if the repository is unknown, the fingerprints must be equal, too.
 */
export function causeOf({
  signal,
  label = '',
  tool: called,
  repo,
  folder,
}: SightedSignal): Cause | undefined {
  const { variant, keys, facts: given } = signal.evidence;
  const facts = objectOf(given);
  // Detectors may use their own names for tools.
  const tool = called ?? (textOf(facts.tool) || toolIn(label));
  if (tool === '') return undefined;
  const error = textOf(facts.error);
  const place = repo ?? folder ?? '';
  const prints = listOf(keys).map(String).sort();
  if (error !== '') return failureOf({ tool, error, label, place, variant, prints });
  const call = cut(textOf(facts.call) || label || tool, MAX_LABEL);
  return {
    key: hash64(['loop', tool, place, ...prints].join('\u0000')),
    kind: 'loop',
    tool,
    target: place,
    text: `\`${call}\` is repeated without anything new${place === '' ? '' : ` in ${place}`}`,
  };
}

interface Failure {
  tool: string;
  error: string;
  label: string;
  place: string;
  variant: string;
  prints: readonly string[];
}

function failureOf({ tool, error, label, place, variant, prints }: Failure): Cause | undefined {
  const host = machineIn(label, error);
  const short = cut(error, MAX_ERROR);
  if (host !== undefined && OWN.test(host)) {
    if (place === '') return undefined;
  } else if (host !== undefined) {
    // The error text of an unreachable machine varies from call to call.
    const words = variant === 'transient' ? variant : wordsOf(error);
    return {
      key: hash64(['failure', tool, host, words].join('\u0000')),
      kind: 'failure',
      tool,
      target: host,
      text: `\`${tool}\` fails at ${host}: ${short}`,
    };
  }
  const call = label === '' ? tool : label;
  return {
    key: hash64(
      ['failure', tool, place, wordsOf(call), wordsOf(error), ...(place === '' ? prints : [])].join(
        '\u0000',
      ),
    ),
    kind: 'failure',
    tool,
    target: place,
    text: `\`${cut(call, MAX_LABEL)}\` fails${place === '' ? '' : ` in ${place}`}: ${short}`,
  };
}

const toolIn = (label: string): string => label.split(' ', 1)[0] ?? '';

const ADDRESS = /\bhttps?:\/\/(?:[^\s/@]*@)?([\w.-]+)/i;
const CONNECTING =
  /\b(?:E[A-Z]*CONN[A-Z]*|ENOTFOUND|EAI_AGAIN|E[A-Z]*TIMEDOUT|EHOSTUNREACH|getaddrinfo|resolve host|connect(?:ion)?|refused|timed out)\b/i;
const MACHINE =
  /(?<![\w/])((?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d][a-z\d-]*)(?::\d+)?(?![\w/])/i;
/** Each agent has its own. */
const OWN = /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|.*\.local(?:host)?)$/i;

/** The unresponsive machine that the call or its error names. */
function machineIn(label: string, error: string): string | undefined {
  const found =
    ADDRESS.exec(label)?.[1] ??
    ADDRESS.exec(error)?.[1] ??
    (CONNECTING.test(error) ? MACHINE.exec(error)?.[1] : undefined);
  return found?.toLowerCase();
}

/** The text without parts that vary between occurrences: request numbers, times, ids. */
const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\s"'`()[\]{},;=:/]*\d[^\s"'`()[\]{},;=:/]*/g, (word) =>
      /^[1-5]\d\d$/.test(word) ? word : '#',
    )
    .replaceAll(/\s+/g, ' ')
    .trim();
