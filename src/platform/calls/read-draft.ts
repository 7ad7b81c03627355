// Reads a draft (docs/platform-api.md, GET /inbox/{contactId}/drafts/{draftId}).

import { secretVariables } from '../../dialect/auth.js';
import { demandCalls } from '../../dialect/calls.js';
import { firstValueAt } from '../../dialect/wire-path.js';
import type { Draft } from '../../model/resources/resources.js';
import { isDeeperThan, JSON_LEVELS_MAX, type JsonValue, parseJson } from '../../model/text/json.js';
import { problem, said } from '../answers/problems.js';
import { ticketAt } from '../answers/ticket.js';
import { withQuery } from '../wire/request.js';
import type { Wire } from '../wire/wire.js';
import { askRepeatedly } from './ask-free.js';

interface DraftPlace {
  readonly contactId: string;
  readonly draftId: string;
  /** The user whose inbox holds the draft. */
  readonly owner: string;
}

/**
 * As `Platform.readDraft`.
 * @throws SluiceError `platform`; its message does not name the owner
 */
export async function readDraft(
  wire: Wire,
  { contactId, draftId, owner }: DraftPlace,
  signal?: AbortSignal,
): Promise<Draft> {
  const drafts = demandCalls(wire.dialect, 'drafts');
  const path = wire.pathOf(drafts.path, { contactId, draftId });
  return askRepeatedly<Draft>(wire, signal, {
    route: 'draft',
    method: 'GET',
    path: withQuery(path, [[drafts.owner, owner]]),
    hidden: [owner],
    read: ({ text }) => decodeDraft(firstValueAt(parseJson(text), drafts.draft), wire),
    lack: 'without a draft',
    readError: (kind, answer, asked) => {
      const what = said(asked, answer);
      const message =
        kind === 'missing'
          ? `The platform has no draft ${draftId} of the contact ${contactId} (${what}). Check both ids; the owner must be a user of the account's team.`
          : `The platform does not show this account the draft (${what}). The owner must be a user of its team; if so, check ${secretVariables(wire.dialect.auth)}.`;
      // 403 is as likely an owner of another team as wrong credentials (docs/platform-api.md, Authentication).
      if (kind !== 'missing' && answer.status !== 403) return undefined;
      const facts = { url: asked.url, status: answer.status, contact: contactId, draft: draftId };
      return { problem: problem(message, facts) };
    },
  });
}

/** The draft; undefined for a value without an id. */
export function decodeDraft(raw: JsonValue | undefined, { dialect }: Wire): Draft | undefined {
  const { fields } = demandCalls(dialect, 'drafts');
  const id = ticketAt(raw, fields.id);
  if (id === undefined) return undefined;
  const textAt = (paths: readonly string[]) => {
    const text = firstValueAt(raw, paths);
    return typeof text === 'string' ? text : undefined;
  };
  const listAt = (paths: readonly string[]): readonly JsonValue[] => {
    const list = firstValueAt(raw, paths);
    const items: readonly JsonValue[] = Array.isArray(list) ? list : [];
    return items.filter((item) => !isDeeperThan(item, JSON_LEVELS_MAX));
  };
  return {
    id,
    channel: textAt(fields.channel),
    subject: textAt(fields.subject),
    cc: listAt(fields.cc),
    content: textAt(fields.content),
    attachments: listAt(fields.attachments),
    source: textAt(fields.source),
    createdAt: textAt(fields.createdAt),
    updatedAt: textAt(fields.updatedAt),
  };
}
