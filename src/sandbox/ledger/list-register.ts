// The contact lists (docs/platform-api.md, Contact list): the lists that clients create, and the seeded dynamic list.
import type { ListMember } from '../../model/resources/contact-list.js';
import { CONTACTS, DYNAMIC_LIST } from '../seeds.js';
import { foldInputs, hashText } from './fingerprint-request.js';
import type { ListMembersRecord, ListRecord, WriteLines } from './ledger-file.js';

export interface ContactList {
  /** `clt_…` */
  readonly id: string;
  readonly name: string;
  /** Clients can add to static lists only (docs/platform-api.md, POST /contacts/lists). */
  readonly kind: 'static' | 'dynamic';
  /** The members by their identity, in their order. */
  readonly members: Map<string, ListMember>;
}

interface ListRegisterOptions {
  readonly seed: number;
  readonly now: () => number;
  readonly write: WriteLines;
}

/** A method returns only after the change is in the ledger file. */
export class ListRegister {
  readonly #lists = new Map<string, ContactList>();
  #created = 0;
  #members = 0;

  constructor(private readonly options: ListRegisterOptions) {
    const members = CONTACTS.map(({ id: _id, leadId: _lead, ...member }) => member);
    this.#lists.set(DYNAMIC_LIST.id, {
      ...DYNAMIC_LIST,
      kind: 'dynamic',
      members: new Map(members.map((member) => [identifyMember(member), member])),
    });
  }

  /** Creates a list each time, also under the same name. */
  create(name: string): ContactList {
    const { seed, now, write } = this.options;
    const id = `clt_${hashText(`list\n${seed}\n${this.#created}`)}`;
    const record = { id, name, createdAt: Math.floor(now()) };
    write([{ kind: 'list', ...record }]);
    return this.restore(record);
  }

  restore({ id, name }: ListRecord): ContactList {
    const list: ContactList = { id, name, kind: 'static', members: new Map() };
    this.#lists.set(id, list);
    this.#created += 1;
    return list;
  }

  /** Adds members; returns how many of them are new to the list. A member that comes twice in `members` is new once. */
  add(list: ContactList, members: readonly ListMember[]): number {
    const fresh = new Map<string, ListMember>();
    for (const member of members) {
      const identity = identifyMember(member);
      if (!list.members.has(identity) && !fresh.has(identity)) fresh.set(identity, member);
    }
    if (fresh.size === 0) return 0;
    const record = { list: list.id, members: [...fresh.values()] };
    this.options.write([{ kind: 'list-members', ...record }]);
    this.restoreMembers(record);
    return fresh.size;
  }

  restoreMembers({ list: id, members }: ListMembersRecord): void {
    const list = this.#lists.get(id);
    for (const member of members) list?.members.set(identifyMember(member), member);
    this.#members += members.length;
  }

  find(id: string): ContactList | undefined {
    return this.#lists.get(id);
  }

  /** All lists, the seeded one first, then in the order of creation. */
  all(): readonly ContactList[] {
    return [...this.#lists.values()];
  }

  get counts(): { readonly lists: number; readonly members: number } {
    return { lists: this.#created, members: this.#members };
  }
}

/** By e-mail, else profile, else name and company, folded as inputs are: our own rule, because none is documented. */
function identifyMember(member: ListMember): string {
  const { email, socialUrl, firstName, lastName, companyName } = foldInputs(member);
  if (email !== undefined) return JSON.stringify([email]);
  if (socialUrl !== undefined) return JSON.stringify([socialUrl]);
  return JSON.stringify([firstName, lastName, companyName]);
}
