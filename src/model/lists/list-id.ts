// The id of a contact list as somebody typed it.
import { SluiceError } from '../errors.js';

/**
 * The id, which is sent as it stands: no platform has one that is empty, or has blanks or control characters in it.
 * @throws SluiceError `usage`
 */
export function demandListId(text: string): string {
  if (text === '') {
    throw new SluiceError(
      'usage',
      'The id of the contact list is empty. It is written like clt_5f2c.',
    );
  }
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) {
    throw new SluiceError(
      'usage',
      'The id of a contact list has no blanks or control characters in it. It is written like clt_5f2c.',
    );
  }
  return text;
}
