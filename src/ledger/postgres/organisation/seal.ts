import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { UnrutError } from '../../../errors.ts';

const NONCE = 12;
const TAG = 16;

const keyOf = (secret: string): Uint8Array => new Uint8Array(hkdfSync('sha256', secret, '', 'unrut organisation key', 32));

/** A text that only those can read who have the secret. */
export function seal(text: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Throws where the secret is another. */
export function unseal(sealed: Buffer, secret: string): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, NONCE));
    decipher.setAuthTag(sealed.subarray(-TAG));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new UnrutError(
      'wrong-secret',
      "[postgres] UNRUT_SECRET cannot open the organisation's key. Start every server with the secret that it was made with.",
      { cause: error },
    );
  }
}
