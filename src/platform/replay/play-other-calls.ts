// The recorded calls of account and contact lists, played with our own client. The arguments of a recorded question are
// read back from it by the places that the dialect names, so that values at other places become differences.

import { demandCalls } from '../../dialect/calls.js';
import type { Exchange } from '../../dialect/transcript/recorded.js';
import { valueAt } from '../../dialect/wire-path.js';
import { SluiceError } from '../../model/errors.js';
import type { ListMember } from '../../model/resources/contact-list.js';
import { formatCount } from '../../model/text/count.js';
import { type JsonValue, parseJson } from '../../model/text/json.js';
import type { Permit, Platform } from '../../ports/platform.js';
import type { Call } from '../wire/exchange.js';
import { withValueAt } from '../wire/request.js';
import { type Meaning, meaningOfError, meaningOfSubmit } from './meaning.js';
import { cameOf, type Outcome, type Play, type Replay } from './replay.js';
import type { Aside } from './stage.js';

type Act = (platform: Platform, permit: Permit) => Promise<string | Meaning>;

async function play(
  call: string,
  { part, replay, aside }: { part: Exchange; replay: Replay; aside?: Aside },
  act: Act,
): Promise<Outcome> {
  const attempt = async (platform: Platform, permit: Permit) => {
    try {
      return await act(platform, permit);
    } catch (error) {
      if (error instanceof SluiceError) return error;
      throw error;
    }
  };
  const played = await replay.stage.play(part.answer, attempt, aside);
  const { value, sent } = played;
  if (value instanceof SluiceError) {
    const meaning = meaningOfError(value, { ...cameOf(part, replay, played), lead: undefined });
    return { call, sent, meanings: [meaning] };
  }
  const meaning = typeof value === 'string' ? ({ kind: 'done', text: value } as const) : value;
  return { call, sent, meanings: [meaning] };
}

export const playAccount: Play = (part, replay) =>
  play('account', { part, replay }, async (platform) => {
    if (replay.dialect.account?.credits.length !== 0) {
      return formatCount(await platform.readBalance(), 'credit');
    }
    await platform.check();
    return 'the account';
  });

export const playNewList: Play = (part, replay) => {
  const name = textAt(parseJson(part.question.body), 'name') ?? 'a list';
  return play('lists.create', { part, replay }, async (platform, permit) => {
    const answer = await platform.createList(name, permit);
    if (answer.kind === 'created') return `list ${JSON.stringify(answer.list)}`;
    const { dialect } = replay;
    return meaningOfSubmit(answer, {
      answer: part.answer,
      dialect,
      isThrottled: answer.kind === 'throttled',
      lead: undefined,
    });
  });
};

const SOMEBODY: ListMember = { email: 'somebody@engines.example' };

/** If members are ids, each is asked for first: those calls give the ids of the transcript. */
export const playAddition: Play = (part, replay, { listId = '' }) => {
  const { add, upsert } = demandCalls(replay.dialect, 'lists');
  const list = valueAt(parseJson(part.question.body), add.entities);
  const entities: readonly JsonValue[] = Array.isArray(list) && list.length > 0 ? list : [null];
  const members = entities.map((entity, i): ListMember => {
    if (add.members === 'emails') return typeof entity === 'string' ? { email: entity } : SOMEBODY;
    if (add.members === 'objects') return memberIn(entity, add.fields);
    return { email: `member-${i}@engines.example`, firstName: `Member ${i}` };
  });
  const ids = add.members === 'contacts' ? entities.values() : [].values();
  const aside = () => {
    const { done, value = 'contact' } = ids.next();
    return done === true ? undefined : withValueAt({}, pathIn(upsert.id), value ?? 'contact');
  };
  return play('lists.add', { part, replay, aside }, async (platform) => {
    const { added, alreadyIn } = await platform.addToList(listId, members);
    return `${added} added, ${alreadyIn} in it already`;
  });
};

/** A contact is made or found on the way into a list. */
export const playUpsert: Play = (part, replay) => {
  const { add, upsert } = demandCalls(replay.dialect, 'lists');
  const member = memberIn(parseJson(part.question.body), upsert.fields);
  let path: string | undefined;
  let added: JsonValue | undefined;
  const aside = (call: Call) => {
    path ??= call.path;
    if (call.path === path) return undefined;
    added = valueAt(parseJson(call.body ?? ''), add.entities);
    return {};
  };
  return play('lists.upsert', { part, replay, aside }, async (platform) => {
    await platform.addToList('a-list', [member]);
    return `contact ${JSON.stringify(added)}`;
  });
};

function memberIn(
  entity: JsonValue | undefined,
  fields: Readonly<Record<keyof ListMember, string>>,
): ListMember {
  const parts = Object.entries(fields).flatMap(([name, place]) => {
    const text = textAt(entity, place);
    return text === undefined ? [] : [[name, text] as const];
  });
  return parts.length === 0 ? SOMEBODY : Object.fromEntries(parts);
}

function pathIn([first = 'id']: readonly string[]): readonly string[] {
  return first.split('.');
}

function textAt(value: JsonValue | undefined, place: string): string | undefined {
  const text = valueAt(value, place);
  return typeof text === 'string' ? text : undefined;
}
