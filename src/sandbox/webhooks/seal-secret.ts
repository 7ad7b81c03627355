// Hook secrets are encrypted in the ledger file, as on the platform (docs/platform-api.md, Webhook secret).
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

export interface SecretBox {
  seal(secret: string): string;
  /** Undefined when it was sealed under another password, or is damaged. */
  open(sealed: string): string | undefined;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a key of the password; the key is made when first needed, since that takes a while. */
export function createSecretBox(password: string): SecretBox {
  let key: Buffer | undefined;
  const getKey = (): Buffer => (key ??= scryptSync(password, 'sluice sandbox hooks', 32));
  return {
    seal(secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', getKey(), iv);
      const text = [cipher.update(secret, 'utf8'), cipher.final()];
      return Buffer.concat([iv, ...text, cipher.getAuthTag()]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', getKey(), bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString();
      } catch {
        return undefined;
      }
    },
  };
}
