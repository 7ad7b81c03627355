// A result as the state file held it: JSON, without the names of its keys, or deflated with a dictionary.
import { inflateRawSync } from 'node:zlib';
import { RESULT_DICTIONARY } from './result-dictionary.mjs';

const WINDOW = { windowBits: 13, chunkSize: 4_032, dictionary: RESULT_DICTIONARY };

const values = (...names) => names.map((name) => ({ name, kind: 'value', parts: [] }));
const object = (name, ...parts) => ({ name, kind: 'object', parts });
const list = (name, ...parts) => ({ name, kind: 'list', parts });

const STATUSES = ['deliverable', 'risky', 'undeliverable', 'unknown'];
const MONTH = values('month', 'year');
const DATE = object('date', object('start', ...MONTH), object('end', ...MONTH));
const RESULT = [
  object(
    'find_email',
    ...values('email'),
    { name: 'status', kind: 'status', parts: [] },
    ...values('platformStatus'),
  ),
  object('find_phone', ...values('phone')),
  object(
    'social_enrichment',
    ...values('socialUrl', 'socialMemberId', 'socialClassicId', 'firstName', 'lastName', 'picture'),
    ...values('locationName', 'tagline', 'industry', 'summary', 'languages', 'skills'),
    ...values('companyName', 'companyLinkedinUrl', 'occupation', 'companyDomain', 'companyId'),
    ...values('companyWebsite', 'companyDescription', 'companyFoundedOn'),
    ...values('companyEmployeesOnSocial', 'companyIndustry', 'companyLogo', 'companyType'),
    ...values('companyHeadQuarter', 'companySize'),
    list(
      'positionGroups',
      object(
        'company',
        ...values('id', 'name', 'socialUrl', 'socialUrlSalesNav', 'logo', 'domain', 'website'),
        ...values('industry', 'description', 'employeesOnSocial', 'foundedOn', 'headQuarter'),
        ...values('size', 'type'),
      ),
      DATE,
      list('profilePositions', ...values('title', 'description', 'companyName'), DATE),
    ),
  ),
];

export function readResult(kept) {
  const text =
    typeof kept === 'string' ? kept : inflateRawSync(kept.subarray(1), WINDOW).toString();
  const value = JSON.parse(text);
  return Array.isArray(value) ? fromCells(value, RESULT, 1) : value;
}

/** The cells from place `from` on; zero: not there. */
function fromCells(cells, parts, from = 0) {
  const found = {};
  for (let i = from; i < cells.length; i += 1) {
    const [cell, part] = [cells[i], parts[i - from]];
    if (cell !== 0 && part !== undefined) found[part.name] = fromCell(cell, part);
  }
  return found;
}

function fromCell(cell, { kind, parts }) {
  switch (kind) {
    case 'status':
      return typeof cell === 'number' ? (STATUSES[cell - 1] ?? cell) : cell;
    case 'object':
      return fromCells(cell, parts);
    case 'list':
      return cell.map((row) => fromCells(row, parts));
    default:
      return cell === null ? 0 : cell;
  }
}
