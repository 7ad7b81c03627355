import { expect, it } from 'vitest';
import type { CompareFigures } from '../../src/model/report/compare-figures.js';
import { compareRemarks } from '../../src/model/report/compare-remarks.js';
import { asHtml } from '../../src/tell/as-html.js';
import { tellCompare } from '../../src/tell/tell-compare.js';
import { layOutComparison } from '../../src/ui/compare/compare-page.js';
import { AT, figuresOf, runOf } from '../html/compare-figures.js';

const sectionsOf = (figures: CompareFigures) =>
  asHtml(tellCompare({ figures, changes: null }).parts);

it('shows every number of the comparison, and no field that was not asked for in both', () => {
  const page = String(sectionsOf(figuresOf()));
  expect(page).toMatch(/Another company<\/span> <span class="value">7</);
  expect(page).toMatch(/<th scope="row">E-mail<\/th><td>0<\/td><td>3<\/td><td>1</);
  expect(page).toContain('<h3>Company</h3>');
  expect(page).not.toContain('<h3>Phone</h3>');
  expect(page).toContain('Every lead in both runs has an answer in both.');
  const unanswered = figuresOf({ after: runOf(2, { unanswered: { timed_out: 3 } }) });
  expect(String(sectionsOf(unanswered))).toMatch(/run 2<\/th><td>timed out<\/td><td[^>]*>3</);
});

it('tells how many changed as a share of the leads that have a value in both', () => {
  const outcomes = { new: 0, lost: 0, changed: 9, same: 50, none: 41, not_known: 900 };
  const { fields, leads } = figuresOf();
  const nine = figuresOf({
    leads: { ...leads, both: 1_000 },
    fields: {
      ...fields,
      company: outcomes,
      title: { ...outcomes, changed: 0, same: 0, none: 100 },
    },
  });
  const page = String(sectionsOf(nine));
  expect(page).toContain('15 % of the 59 leads with a company in both');
  expect(page).toContain('no lead has a position in both');
});

it('says first that the runs have no lead in common, and shows no number of leads in both', () => {
  const leads = { both: 0, onlyBefore: 3, onlyAfter: 1_500, changed: 0, unchanged: 0, notKnown: 0 };
  const figures = figuresOf({ leads });
  const page = String(sectionsOf(figures));
  expect(page).toContain('No key of one run is in the other');
  expect(page).toMatch(/only before<\/dt><dd>3 <.*only after<\/dt><dd>1,500</s);
  expect(page).not.toContain('class="value"');
  expect(page).not.toContain('Which fields?');
  const query = { before: 1, after: 2 };
  const counting = { leads: 1_503, at: AT, trouble: null };
  const shown = { job: 'crm', query, total: 1_503 };
  const inForm = String(layOutComparison({ ...shown, counted: { ...counting, figures } }));
  const said = '1,503 persons are in the table of changes: 3 only in run 1, 1,500 only in run 2.';
  expect(inForm).toContain(said);
  expect(inForm.indexOf('No key of one run')).toBeLessThan(inForm.indexOf(said));
  const common = String(
    layOutComparison({ ...shown, counted: { ...counting, figures: figuresOf() } }),
  );
  expect(common.indexOf('Who?')).toBeLessThan(common.indexOf('What changed?'));
});

it.each<[Partial<CompareFigures>, RegExp]>([
  [{ shared: 2 }, /^2 leads show one answer in both runs/],
  [{ before: runOf(1, { late: 1 }) }, /^1 lead of run 1 shows an answer that came after/],
  [{ after: runOf(2, { state: 'working' }) }, /^Run 2 has not ended/],
  [{ before: runOf(3) }, /^Run 3 began after run 2/],
  [{ after: runOf(2, { job: 'other' }) }, /two jobs, crm and other/],
  [{ after: runOf(2, { repeated: 3 }) }, /^3 leads of run 2 have the key of an earlier lead/],
  [
    { before: runOf(1, { withoutKey: 1 }) },
    /^1 lead of run 1 has no Record ID, and is not compared/,
  ],
  [
    { after: runOf(2, { suppressed: 9, forgotten: 1 }) },
    /^9 suppressed and 1 forgotten leads of run 2 are not compared\.$/,
  ],
  [{ after: runOf(2, { forgotten: 1 }) }, /^1 forgotten lead of run 2 is not compared\.$/],
  [
    { leads: { both: 0, onlyBefore: 10, onlyAfter: 10, changed: 0, unchanged: 0, notKnown: 0 } },
    /^No key of one run is in the other/,
  ],
  [{ key: null }, /--key joins by a column of your own/],
])('says of %o what is to be known', (changes, sentence) => {
  expect(compareRemarks(figuresOf(changes))).toEqual([expect.stringMatching(sentence)]);
  expect(compareRemarks(figuresOf())).toEqual([]);
});
