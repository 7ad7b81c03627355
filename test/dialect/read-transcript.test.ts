import { describe, expect, it } from 'vitest';
import { readLead, readTranscript } from '../../src/dialect/transcript/read-transcript.js';

const read = (...lines: string[]) => readTranscript(lines.join('\n'), 'calls.http');

describe('a transcript', () => {
  it('is read line by line, with headers, a status and bodies of several lines', () => {
    const [part] = read(
      '# source: https://docs.example/lookup',
      '# lead: firstName=Ada, lastName=Lovelace, companyDomain=engines.example',
      '# ask: find_email, find_phone',
      '# expect: accepted j-1',
      'POST /v2/lookup?want_mail=1',
      '> X-API-Key: …',
      '> {"a":',
      '>   1}',
      '< 202',
      '< Retry-After: 5',
      '< {"job": {"ref": "j-1"}}',
    );
    expect(part).toEqual({
      kind: 'exchange',
      line: 5,
      question: {
        method: 'POST',
        target: '/v2/lookup?want_mail=1',
        headers: { 'x-api-key': '…' },
        body: '{"a":\n1}',
      },
      answer: { status: 202, headers: { 'retry-after': '5' }, body: '{"job": {"ref": "j-1"}}' },
      leads: [
        {
          inputs: { firstName: 'Ada', lastName: 'Lovelace', companyDomain: 'engines.example' },
          ask: ['find_email', 'find_phone'],
        },
      ],
      isAsking: true,
      expected: [{ kind: 'accepted', ticket: 'j-1' }],
    });
  });

  it('needs no status for 200, and may have it on the line of the body', () => {
    const parts = read(
      'GET /a',
      '< {"x": 1}',
      '',
      'GET /b',
      '< 404 {"error": "no"}',
      '',
      'GET /c',
      '< 204',
    );
    const answers = parts.map((part) => (part.kind === 'exchange' ? part.answer : undefined));
    expect(answers).toEqual([
      { status: 200, headers: {}, body: '{"x": 1}' },
      { status: 404, headers: {}, body: '{"error": "no"}' },
      { status: 204, headers: {}, body: '' },
    ]);
  });

  it('may have a webhook, whole addresses, and text that is not JSON', () => {
    const [first, webhook] = read(
      'GET https://api.example/v1/me?x=1',
      '<',
      '< Slow: down',
      '',
      'WEBHOOK',
      '> X-Signature: …',
      '> [{"id": 1}]',
    );
    expect(first).toMatchObject({
      question: { target: '/v1/me?x=1' },
      answer: { headers: {}, body: 'Slow: down' },
    });
    expect(webhook).toEqual({
      kind: 'webhook',
      line: 5,
      headers: { 'x-signature': '…' },
      body: '[{"id": 1}]',
      leads: [],
      expected: [],
    });
  });

  it('keeps a lead for the exchanges that follow, and gives an ask to the leads above it', () => {
    const leads = read(
      '# lead: email=a@b.example',
      '# ask: verify_email',
      '# lead: email=c@d.example',
      'POST /a',
      '< {}',
      '# ask: social_enrichment',
      'POST /b',
      '< {}',
      '# lead: email=e@f.example',
      'POST /c',
      '< {}',
    ).map((part) => (part.kind === 'exchange' ? part.leads : []));
    const of = (email: string, ask: string) => ({ inputs: { email }, ask: [ask] });
    expect(leads).toEqual([
      [of('a@b.example', 'verify_email'), of('c@d.example', 'verify_email')],
      [of('a@b.example', 'social_enrichment'), of('c@d.example', 'social_enrichment')],
      [of('e@f.example', 'social_enrichment')],
    ]);
  });

  it('may give each lead of a bulk call its own ask', () => {
    const [part] = read(
      '# lead: email=a@b.example',
      '# ask: verify_email',
      '# lead: email=c@d.example',
      '# ask: social_enrichment, find_phone',
      'POST /a',
      '< {}',
    );
    expect(part).toMatchObject({
      leads: [{ ask: ['verify_email'] }, { ask: ['social_enrichment', 'find_phone'] }],
    });
  });

  it.each([
    ['accepted', { kind: 'accepted' }],
    ['accepted j 1', { kind: 'accepted', ticket: 'j 1' }],
    ['found {"email": "a@b.example"}', { kind: 'found', values: { email: 'a@b.example' } }],
    ['failed no such person', { kind: 'failed', reason: 'no such person' }],
    ['refused', { kind: 'refused' }],
    ['not_found', { kind: 'not_found' }],
    ['out of credits', { kind: 'out of credits' }],
  ])('may say what an answer means: %s', (text, expected) => {
    const [first, second] = read(`# expect: ${text}`, 'GET /a', '< {}', '', 'GET /b', '< {}');
    expect(first?.expected).toEqual([expect.objectContaining(expected)]);
    expect(second?.expected).toEqual([]);
  });

  it.each([
    [['GET /a', '', 'GET /b', '< {}'], 1, 'has no answer'],
    [['POST a', '< {}'], 1, 'no line of a transcript'],
    [['', 'Post /a'], 2, 'no line of a transcript'],
    [['< {}'], 1, 'no line of a transcript'],
    [['> {}'], 1, 'no line of a transcript'],
    [['GET /a', '< {}', '> {}'], 3, 'no line of a transcript'],
    [['GET /a', '# expect: pending', '< {}'], 2, 'no line of a transcript'],
    [['GET /a', '< 200', '< X-A: 1', '< {"a": 1,', '< }'], 4, 'not JSON'],
    [['WEBHOOK', '> {}', '< 200'], 3, 'no line of a transcript'],
    [['# ask: find_mail', 'GET /a', '< {}'], 1, 'Did you mean "find_email"?'],
    [['# lead: name=Ada', 'GET /a', '< {}'], 1, '"name" is no input of a lead'],
    [['# lead: firstname=Ada'], 1, 'Did you mean "firstName"?'],
    [['# lead: email=', 'GET /a'], 1, 'email is empty'],
    [['# expect: notfound', 'GET /a', '< {}'], 1, 'Did you mean "not_found"?'],
    [['# expect: found a@b.example'], 1, 'a JSON object'],
    [['# nothing'], 1, 'nothing is recorded'],
  ])('that is wrong is told by its line: %j', (lines, line, message) => {
    const problem = expect.objectContaining({
      code: 'usage',
      message: expect.stringContaining(`Transcript calls.http, line ${line}: `),
    });
    expect(() => read(...lines)).toThrow(problem);
    expect(() => read(...lines)).toThrow(message);
  });
});

describe('a lead on one line', () => {
  it('may have commas and equals signs in its values', () => {
    expect(readLead('companyName=Smith, Jones & Co,socialUrl=https://x.example/?a=b,c')).toEqual({
      companyName: 'Smith, Jones & Co',
      socialUrl: 'https://x.example/?a=b,c',
    });
  });
});
