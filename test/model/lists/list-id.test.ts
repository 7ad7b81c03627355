import { describe, expect, it } from 'vitest';
import { SluiceError } from '../../../src/model/errors.js';
import { demandListId } from '../../../src/model/lists/list-id.js';

describe('the id of a contact list', () => {
  it.each(['clt_5f2c', '7', 'a/b?c', 'é'])('may be %s', (id) => {
    expect(demandListId(id)).toBe(id);
  });

  it.each([
    ['', 'is empty'],
    [' ', 'no blanks or control characters'],
    ['clt_1\n', 'no blanks or control characters'],
    ['clt 1', 'no blanks or control characters'],
    ['clt_\u0000', 'no blanks or control characters'],
    ['clt_\u001b[2J', 'no blanks or control characters'],
    ['clt_\u202e1', 'no blanks or control characters'],
  ])('is not %j', (id, said) => {
    expect(() => demandListId(id)).toThrow(SluiceError);
    expect(() => demandListId(id)).toThrow(said);
  });
});
