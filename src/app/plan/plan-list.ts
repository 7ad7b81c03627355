// The contact list of a run, checked before anything is paid for.
import { expandListName } from '../../model/text/placeholders.js';
import type { ListPlan } from '../../run/list-leads.js';
import { type JobSettings, shapeOf } from '../job-settings.js';

/**
 * Null where the job wants none.
 * @throws SluiceError `usage` for a name that the platform would not take
 */
export function planList(settings: JobSettings, at: number): ListPlan | null {
  const { job, list, positions } = settings;
  if (list === undefined) return null;
  const date = new Date(at).toISOString().slice(0, 10);
  const name = expandListName(list.name, { job, date });
  return { name, where: list.where, shape: shapeOf(positions) };
}
