// The contact lists of the platform, and their members (docs/platform-api.md, Contact list).

export interface ContactList {
  /** `clt_…` */
  readonly id: string;
  readonly name: string;
}

/** One contact, as far as it is known (docs/platform-api.md, POST /contacts/lists/{listId}/entities). */
export interface ListMember {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly socialUrl?: string;
  readonly companyName?: string;
}

/** What became of members that were added. */
export interface ListAddition {
  readonly added: number;
  /** In the list already: adding is repeatable. */
  readonly alreadyIn: number;
}
