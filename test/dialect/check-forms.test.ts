import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../src/dialect/dialect.js';

function flawOf(file: object) {
  const issues = dialectSchema.safeParse(file).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
}

describe('a paid request that could not be written as it is described', () => {
  it.each<[string, object, RegExp]>([
    ['none at all', { enrich: null, bulk: { path: null } }, /^enrich: null means bulk calls only/],
    ['a word nowhere', { enrich: { ask: { as: 'word' } } }, /^enrich\.ask\.at: say where the word/],
    [
      'a list in a query',
      { enrich: { ask: { as: 'list', at: 'want' } } },
      /^enrich\.ask\.as: a list/,
    ],
    [
      'a name for two asks among flags',
      { enrich: { ask: { names: { 'find_email+find_phone': 'both' } } } },
      /^enrich\.ask\.names: find_email\+find_phone .*"as: word"/,
    ],
    [
      'a number for the name of a flag',
      { enrich: { ask: { names: { find_email: 1 } } } },
      /^enrich\.ask\.names: a name is a text/,
    ],
    [
      'one word for two asks, and none for both',
      {
        enrich: { ask: { as: 'word', at: 'x', names: { find_email: 'a', verify_email: 'a' } } },
      },
      /^enrich\.ask\.names: find_email\+verify_email needs a name/,
    ],
    ['flags that say the same', { enrich: { ask: { unasked: 'true' } } }, /^enrich\.ask\.unasked/],
    [
      'a GET with a body',
      { enrich: { method: 'GET', in: 'body' } },
      /^enrich\.in: a GET has no body/,
    ],
    [
      'asks beside a list that is the body',
      { bulk: { ask: { in: 'call' } } },
      /^bulk\.ask\.in: a body that is the list itself/,
    ],
    ['constants beside such a list', { bulk: { constants: { a: 1 } } }, /^bulk: .*the body/],
    [
      'a callback URL inside the list',
      { bulk: { items: 'people', webhookUrl: 'people.url' } },
      /^bulk: webhookUrl and items .*the body/,
    ],
    [
      'a place in a list',
      { enrich: { in: 'body', inputs: { email: 'people[0].email' } } },
      /^enrich\.inputs\.email: .*keys joined by dots/,
    ],
    [
      'a constant in the place of an input',
      { enrich: { constants: { email: 'x' } } },
      /^enrich: email and constants\.email .*the query/,
    ],
    [
      'a parameter that the path has',
      { enrich: { path: '/enrich?email=1' } },
      /^enrich: email and the path .*the query/,
    ],
    [
      'a callback URL in a constant header',
      { headers: { 'x-url': '1' }, enrich: { webhookUrl: { header: 'X-URL' } } },
      /^enrich: webhookUrl and headers\.x-url .*the headers/,
    ],
    [
      'a constant header in the place of the key',
      { headers: { 'x-api-key': '1' }, auth: { header: 'X-API-Key' } },
      /headers\.x-api-key and auth .*the headers/,
    ],
    ['a credential', { headers: { Authorization: 'Basic x' } }, /"auth" says how/],
    ['a header of ours', { headers: { 'Accept-Encoding': 'gzip' } }, /written by Sluice/],
    ['a header of two lines', { headers: { 'x-a': 'a\nb' } }, /one line of ASCII/],
    ['a path for no ask', { enrich: { path: {} } }, /^enrich\.path: give a path for one ask/],
  ])('is refused: %s', (_, file, message) => {
    expect(flawOf(file)).toMatch(message);
  });
});
