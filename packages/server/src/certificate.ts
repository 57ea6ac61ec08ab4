import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { UnrutError } from '@unrut/engine/errors';
import { errorReason } from '@unrut/engine/redact/reason';
import type { Log } from './log.ts';

/** The PEM files of a certificate chain and its private key. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/** The server's TLS certificate. */
export interface Certificate {
  readonly current: { cert: string; key: string };
  /** Calls back whenever the files contain a new valid certificate. */
  onChange(told: (current: Certificate['current']) => void): void;
  close(): void;
}

/**
 * Milliseconds between checks of the files. Watching the folder would miss replaced symbolic links,
 * which Kubernetes uses.
 */
const LOOK = 1000;

/**
 * Throws if the files contain no valid certificate. Later, an invalid one is logged and the
 * previous one stays in use.
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
