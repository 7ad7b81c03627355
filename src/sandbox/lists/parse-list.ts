// Reads the bodies of the two calls of contact lists, and says in one sentence what is wrong
// (docs/platform-api.md, POST /contacts/lists; docs/platform-api.md, POST /contacts/lists/{listId}/entities).
import { z } from 'zod';
import type { ListMember } from '../../model/platform/contact-list.js';
import { findMalformed, findTooLong, readInputs } from '../routes/read/judge-inputs.js';

/** docs/platform-api.md, Limits. */
const NAME_LENGTH_MAX = 200;

const NEW_LIST = z.strictObject({ name: z.string() });

const TEXT = z.string().exactOptional();
const ENTITY = z.strictObject({
  email: TEXT,
  firstName: TEXT,
  lastName: TEXT,
  socialUrl: TEXT,
  companyName: TEXT,
});
const ADDITION = z.strictObject({ entities: z.array(z.unknown()) });

export type ParsedName =
  | { readonly kind: 'valid'; readonly name: string }
  | { readonly kind: 'invalid'; readonly sentence: string };

/** A character is a code point here: an emoji counts once, however many UTF-16 units it has. */
export function parseNewList(body: unknown): ParsedName {
  const parsed = NEW_LIST.safeParse(body);
  if (!parsed.success) {
    return invalid('The body must be an object {"name": "…"} with a text and nothing else.');
  }
  const { name } = parsed.data;
  if (name.trim() === '') return invalid('The value of name is blank.');
  if (countCodePoints(name) > NAME_LENGTH_MAX) {
    return invalid(`The value of name is longer than ${NAME_LENGTH_MAX} characters.`);
  }
  return { kind: 'valid', name };
}

export type ParsedEntities =
  | { readonly kind: 'valid'; readonly members: readonly ListMember[] }
  | { readonly kind: 'invalid'; readonly sentence: string };

/** A blank value counts as absent. One entity that is none refuses the whole call. */
export function parseEntities(body: unknown, max: number): ParsedEntities {
  const parsed = ADDITION.safeParse(body);
  const entities = parsed.data?.entities ?? [];
  if (entities.length === 0 || entities.length > max) {
    return invalid(
      `The body must be an object {"entities": […]} with 1 to ${max} entities and nothing else.`,
    );
  }
  const members: ListMember[] = [];
  for (const [index, value] of entities.entries()) {
    const member = parseEntity(value);
    if (typeof member === 'string') {
      return invalid(`Nothing was added, because of entity ${index}: ${member}`);
    }
    members.push(member);
  }
  return { kind: 'valid', members };
}

/** What is known of one contact, or one sentence about why it is none. */
export function parseEntity(value: unknown): ListMember | string {
  const parsed = ENTITY.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    return `${place}${issue?.message ?? 'it is no entity'}.`;
  }
  // Only names of ENTITY are in it.
  const member: ListMember = readInputs(parsed.data);
  const problem = findTooLong(parsed.data) ?? findMalformed(member);
  if (problem !== undefined) return problem;
  const { email, socialUrl, firstName, lastName } = member;
  if (email !== undefined || socialUrl !== undefined) return member;
  if (firstName !== undefined && lastName !== undefined) return member;
  return 'it needs an email, or a socialUrl, or a firstName and a lastName.';
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function invalid(sentence: string) {
  return { kind: 'invalid', sentence } as const;
}
