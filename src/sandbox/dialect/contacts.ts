// Contacts, for dialects whose lists take nothing but ids of contacts. One person is one contact, however often it
// is upserted. In memory only: a client upserts whom it adds, right before.
import { createHash } from 'node:crypto';
import type { ListMember } from '../../model/platform/contact-list.js';
import { identifyMember } from '../lists/identify-member.js';

export class Contacts {
  readonly #byId = new Map<string, ListMember>();

  constructor(private readonly seed: number) {}

  /** Makes or finds the contact, and knows of it what was told last; its id, `ctc_…`. */
  upsert(member: ListMember): string {
    const hash = createHash('sha256').update(`contact\n${this.seed}\n${identifyMember(member)}`);
    const id = `ctc_${hash.digest('hex').slice(0, 24)}`;
    this.#byId.set(id, { ...this.#byId.get(id), ...member });
    return id;
  }

  find(id: string): ListMember | undefined {
    return this.#byId.get(id);
  }
}
