import { expect, it } from 'vitest';
import { createSecretBox } from '../../../src/sandbox/webhooks/hook-register.js';

it('opens with its password what it has sealed, and nothing else', () => {
  const box = createSecretBox('pässword');
  const sealed = box.seal('öpen sesame');
  expect(sealed).not.toContain('sesame');
  expect(box.seal('öpen sesame')).not.toBe(sealed);
  expect(createSecretBox('pässword').open(sealed)).toBe('öpen sesame');
  expect(createSecretBox('other').open(sealed)).toBeUndefined();
  expect(box.open('')).toBeUndefined();
  const bytes = Buffer.from(sealed, 'base64');
  bytes[15] = (bytes[15] ?? 0) ^ 1;
  expect(box.open(bytes.toString('base64'))).toBeUndefined();
});
