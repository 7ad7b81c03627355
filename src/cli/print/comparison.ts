// A comparison of two runs, as `sluice report --compare` prints it.
import type { CompareReport } from '../../app/report/compare-runs.js';
import { COMPARED_FIELDS } from '../../model/report/compare-answers.js';
import type { ComparedRun, CompareFigures } from '../../model/report/compare-figures.js';
import { compareRemarks } from '../../model/report/compare-remarks.js';
import { formatNumber } from '../../model/text/count.js';
import { changedLines } from './changed-cells.js';
import { formatCount, formatTable } from './format.js';

/** Numbers alone, and no person. */
export function comparisonJson({ changes, figures }: CompareReport) {
  const { after, before, changedEmailStatus, fields, key, leads, nowFound, noLongerFound, shared } =
    figures;
  return {
    before: runJson(before),
    after: runJson(after),
    key,
    leads: {
      both: leads.both,
      changed: leads.changed,
      unchanged: leads.unchanged,
      not_known: leads.notKnown,
      only_before: leads.onlyBefore,
      only_after: leads.onlyAfter,
    },
    ...fields,
    changed_email_status: changedEmailStatus,
    now_found: nowFound,
    no_longer_found: noLongerFound,
    one_answer: shared,
    remarks: compareRemarks(figures),
    changes,
  };
}

function runJson({
  endedAt,
  id,
  job,
  late,
  leads,
  repeated,
  state,
  startedAt,
  ...run
}: ComparedRun) {
  return {
    run: id,
    job,
    state,
    started_at: new Date(startedAt).toISOString(),
    ended_at: endedAt === null ? null : new Date(endedAt).toISOString(),
    leads,
    without_key: run.withoutKey,
    repeated,
    unanswered: run.unanswered,
    answered_after_its_end: late,
  };
}

export function comparisonLines({ changes, figures }: CompareReport): string[] {
  const { leads } = figures;
  return [
    `in both   ${formatCount(leads.both, 'lead')}: ${formatNumber(leads.changed)} changed, ${formatNumber(leads.unchanged)} unchanged, ${formatNumber(leads.notKnown)} not known in both`,
    `in one    ${formatNumber(leads.onlyBefore)} only before, ${formatNumber(leads.onlyAfter)} only after`,
    ...fieldLines(figures),
    ...compareRemarks(figures),
    ...(changes === null ? [] : [`${changes.out}: ${formatCount(changes.rows, 'row')}`]),
    ...changedLines(changes?.changed ?? []),
  ];
}

const HEADER = ['', 'new', 'lost', 'changed', 'the same', 'in neither', 'not known'];
const NAMES = { email: 'e-mail', phone: 'phone', company: 'company', title: 'position' } as const;

function fieldLines({ fields }: CompareFigures): string[] {
  const rows = COMPARED_FIELDS.map((field) => {
    const { changed, lost, new: fresh, none, not_known: unknown, same } = fields[field];
    return [NAMES[field], ...[fresh, lost, changed, same, none, unknown].map(formatNumber)];
  });
  return formatTable(HEADER, rows);
}
