// Reads a draft (docs/platform-api.md, GET /inbox/{contactId}/drafts/{draftId}).

import { secretVariables } from '../../dialect/auth.js';
import { demandCalls } from '../../dialect/calls.js';
import type { Draft } from '../../model/resources/resources.js';
import {
  isDeeperThan,
  isJsonObject,
  JSON_LEVELS_MAX,
  type JsonValue,
  parseJson,
} from '../../model/text/json.js';
import { problem, said } from '../answers/problems.js';
import { ticketAt } from '../answers/ticket.js';
import { withQuery } from '../wire/request.js';
import type { Wire } from '../wire/wire.js';
import { askRepeatedly } from './ask-free.js';

const DRAFT_OWNER = 'draftOwner';

interface DraftPlace {
  readonly contactId: string;
  readonly draftId: string;
  /** The user whose inbox holds the draft. */
  readonly owner: string;
}

/** @throws SluiceError `platform`; its message does not name the owner */
export async function readDraft(
  wire: Wire,
  { contactId, draftId, owner }: DraftPlace,
  signal?: AbortSignal,
): Promise<Draft> {
  const { path: template } = demandCalls(wire.dialect, 'drafts');
  const path = wire.pathOf(template, { contactId, draftId });
  return askRepeatedly<Draft>(wire, signal, {
    route: 'draft',
    method: 'GET',
    path: withQuery(path, [[DRAFT_OWNER, owner]]),
    hidden: [owner],
    read: ({ text }) => decodeDraft(parseJson(text)),
    lack: 'without a draft',
    readError: (kind, answer, asked) => {
      const what = said(asked, answer);
      const message =
        kind === 'missing'
          ? `The platform has no draft ${draftId} of the contact ${contactId} (${what}). Check both ids; the owner must be a user of the account's team.`
          : `The platform does not show this account the draft (${what}). The owner must be a user of its team; if so, check ${secretVariables(wire.dialect.auth)}.`;
      // 403 is as likely an owner of another team as wrong credentials (docs/platform-api.md, Authentication).
      if (kind !== 'missing' && answer.status !== 403) return undefined;
      return { problem: problem(message) };
    },
  });
}

function decodeDraft(body: JsonValue | undefined): Draft | undefined {
  const raw = isJsonObject(body) ? body['draft'] : undefined;
  const id = ticketAt(raw, ['_id']);
  if (id === undefined || !isJsonObject(raw)) return undefined;
  return {
    id,
    channel: textOf(raw['channel']),
    subject: textOf(raw['subject']),
    cc: listOf(raw['cc']),
    content: textOf(raw['content']),
    attachments: listOf(raw['attachments']),
    source: textOf(raw['source']),
    createdAt: textOf(raw['createdAt']),
    updatedAt: textOf(raw['updatedAt']),
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [];
  return items.filter((item) => !isDeeperThan(item, JSON_LEVELS_MAX));
}
