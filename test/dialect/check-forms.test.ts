import { describe, expect, it } from 'vitest';
import { dialectSchema } from '../../src/dialect/dialect.js';

function flawOf(file: object) {
  const issues = dialectSchema.safeParse(file).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n');
}

describe('a paid request that could not be written as it is described', () => {
  it.each<[object, RegExp]>([
    [{ enrich: null, bulk: { path: null } }, /^enrich: null means bulk calls only/],
    [{ enrich: { ask: { as: 'word' } } }, /^enrich\.ask\.at: say where the word/],
    [{ enrich: { ask: { as: 'list', at: 'want' } } }, /^enrich\.ask\.as: a list/],
    [
      { enrich: { ask: { names: { 'find_email+find_phone': 'both' } } } },
      /^enrich\.ask\.names: find_email\+find_phone .*"as: word"/,
    ],
    [{ enrich: { ask: { names: { find_email: 1 } } } }, /^enrich\.ask\.names: a name is a text/],
    [{ enrich: { ask: { unasked: 'true' } } }, /^enrich\.ask\.unasked/],
    [{ enrich: { method: 'GET', in: 'body' } }, /^enrich\.in: a GET has no body/],
    [{ bulk: { ask: { in: 'call' } } }, /^bulk\.ask\.in: a body that is the list itself/],
    [{ bulk: { constants: { a: 1 } } }, /^bulk: .*the body/],
    [
      { bulk: { items: 'people', webhookUrl: 'people.url' } },
      /^bulk: webhookUrl and items .*the body/,
    ],
    [
      { enrich: { in: 'body', inputs: { email: 'people[0].email' } } },
      /^enrich\.inputs\.email: .*keys joined by dots/,
    ],
    [{ enrich: { constants: { email: 'x' } } }, /^enrich: email and constants\.email .*the query/],
    [{ enrich: { path: '/enrich?email=1' } }, /^enrich: email and the path .*the query/],
    [
      { headers: { 'x-url': '1' }, enrich: { webhookUrl: { header: 'X-URL' } } },
      /^enrich: webhookUrl and headers\.x-url .*the headers/,
    ],
    [
      { headers: { 'x-api-key': '1' }, auth: { header: 'X-API-Key' } },
      /headers\.x-api-key and auth .*the headers/,
    ],
    [{ headers: { Authorization: 'Basic x' } }, /"auth" says how/],
    [{ headers: { 'Accept-Encoding': 'gzip' } }, /written by Sluice/],
    [{ headers: { 'x-a': 'a\nb' } }, /one line of ASCII/],
    [{ enrich: { path: {} } }, /^enrich\.path: give a path for one ask/],
  ])('is refused: %j', (file, message) => {
    expect(flawOf(file)).toMatch(message);
  });
});
