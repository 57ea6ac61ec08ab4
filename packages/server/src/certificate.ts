import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import type { Log } from './log.ts';

/** Where a certificate with its chain, and its private key, are kept as PEM. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/** What a server shows to those who connect by TLS. */
export interface Certificate {
  readonly current: { cert: string; key: string };
  /** Called whenever the files hold another one that works. */
  onChange(told: (current: Certificate['current']) => void): void;
  close(): void;
}

/**
 * Milliseconds between two looks at the files. A watch of a folder would not see links that are put
 * elsewhere, as Kubernetes does.
 */
const LOOK = 1000;

/**
 * Throws in one line when the files hold nothing that works. Later, what does not work is logged,
 * and the one before stays.
 */
export function openCertificate(files: CertificateFiles, log: Log): Certificate {
  let current = read(files);
  const listeners: ((current: Certificate['current']) => void)[] = [];
  const look = (): void => {
    try {
      const found = read(files);
      if (found.cert === current.cert && found.key === current.key) return;
      current = found;
      for (const told of listeners) told(current);
      log({ event: 'certificate', level: 'info', detail: `Read ${files.cert} again.` });
    } catch (error) {
      log({
        event: 'certificate',
        level: 'error',
        detail: `${errorReason(error)} The one before stays in use.`,
      });
    }
  };
  for (const file of [files.cert, files.key])
    watchFile(file, { interval: LOOK, persistent: false }, look);
  return {
    get current() {
      return current;
    },
    onChange: (told) => void listeners.push(told),
    close() {
      for (const file of [files.cert, files.key]) unwatchFile(file, look);
    },
  };
}

function read(files: CertificateFiles): Certificate['current'] {
  try {
    const found = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
    createSecureContext(found);
    return found;
  } catch (error) {
    throw new UnrutError(
      'bad-certificate',
      `Cannot use ${files.cert} with ${files.key} for TLS: ${errorReason(error)}.`,
      { cause: error },
    );
  }
}
