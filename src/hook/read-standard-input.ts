import { read } from 'node:fs';

const CHUNK = 1 << 16;
/** Milliseconds that a hook waits for its payload. */
export const FOR_INPUT = 1500;

/**
 * All of standard input; nothing when it has not ended after so many milliseconds. Works without Node's streams, which take longer to load
 * than a whole hook should.
 */
export function readStandardInput(patience: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => resolve(undefined), patience);
    const more = (): void => {
      const chunk = Buffer.allocUnsafe(CHUNK);
      read(0, chunk, 0, CHUNK, null, (error, length) => {
        if (error?.code === 'EAGAIN') setTimeout(more, 1);
        else if (!error && length > 0) {
          chunks.push(chunk.subarray(0, length));
          more();
        } else {
          clearTimeout(timer);
          resolve(Buffer.concat(chunks).toString('utf8'));
        }
      });
    };
    more();
  });
}
