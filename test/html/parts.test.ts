import { expect, it } from 'vitest';
import {
  badge,
  card,
  commandLine,
  dataTable,
  disclosure,
  factList,
  figures,
  notice,
  statusBadge,
  timeElement,
} from '../../src/html/parts.js';

const HOSTILE = `"><script>alert(1)</script>'`;

it('leaves text as text, wherever it stands', () => {
  const table = { caption: HOSTILE, columns: [{ name: HOSTILE }], rows: [[HOSTILE]] };
  for (const part of [
    badge(HOSTILE, 'good'),
    card(HOSTILE, HOSTILE, { about: HOSTILE, id: HOSTILE }),
    commandLine(HOSTILE),
    dataTable(table),
    disclosure(HOSTILE, HOSTILE),
    factList([[HOSTILE, HOSTILE]]),
    figures([{ label: HOSTILE, value: HOSTILE, about: HOSTILE }]),
    notice('bad', HOSTILE),
    dataTable({ ...table, isCaptionHidden: true }),
  ]) {
    expect(String(part)).not.toContain('<script');
    expect(String(part)).not.toMatch(/="[^"<>]*[<>']/);
  }
});

it('names each row of a table, and writes numbers at the right', () => {
  const table = dataTable({
    caption: 'Leads',
    columns: [{ name: 'status' }, { name: 'leads', isNumber: true }],
    rows: [['found', 3]],
  });
  expect(String(table)).toContain('<table class="data nums">');
  expect(String(table)).toContain('<th scope="row">found</th><td>3</td>');
  expect(String(table)).toContain('<caption>Leads</caption>');
});

it('says a status by a word and a sign beside its colour', () => {
  expect(String(statusBadge('not_found'))).toBe(
    '<span class="badge miss"><span aria-hidden="true">–</span>not found</span>',
  );
});

it('leaves out a fact without a value', () => {
  expect(
    String(
      factList([
        ['job', 'nightly'],
        ['ended', null],
      ]),
    ),
  ).toBe('<dl class="facts"><div><dt>job</dt><dd>nightly</dd></div></dl>');
});

it('writes a moment for people and for programs', () => {
  expect(String(timeElement(Date.UTC(2026, 10, 21, 7, 40, 12)))).toBe(
    '<time datetime="2026-11-21T07:40:12.000Z">2026-11-21 07:40:12</time>',
  );
});
