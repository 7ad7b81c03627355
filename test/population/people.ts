// People as files have them: namesakes, families, shared mailboxes, who changed the company, cells that slipped. Each
// line says whom it means, which no file does.
import type { Ask, InputName } from '../../src/model/ask.js';
import type { Result } from '../../src/model/result.js';

export type Cells = Readonly<Partial<Record<InputName, string>>>;

/** Whoever a line means. Two subjects never share a value, and one is paid for no more than so often. */
export interface Subject {
  readonly id: number;
  /** Its name in the sentence about a broken rule. */
  readonly name: string;
  /** The greatest number of payments for one ask. */
  readonly payments: number;
}

export interface Line {
  readonly subject: Subject;
  /** The first night on which it is in a file. */
  readonly night: number;
  readonly cells: Cells;
  /** The asks, if not those of the night. */
  readonly ask?: readonly Ask[];
  /** The values that the platform finds by it. */
  readonly finds: Result;
}

export type Random = (below: number) => number;

export const NIGHTS = 4;
const ALL: readonly Ask[] = ['find_email', 'social_enrichment', 'find_phone'];
const FIRST = 'Ada Bea Cyd Dov Eve Fay Gus Hal Ida Jon Kim Lea Mia Nils Ola Pia'.split(' ');
const LAST = 'Abel Berg Cohn Dahl Ekman Falk Gray Hahn Ilves Jung Kern Lind Moss'.split(' ');

/** The facts of a person, all of which a file may state. */
interface Facts {
  readonly firstName: string;
  readonly lastName: string;
  readonly companyDomain: string;
  readonly companyName: string;
  readonly email: string;
  readonly socialUrl: string;
  readonly phone: string;
}

/** The kinds of people, each with its own trap. Those of one kind are as many as the others. */
export function createPeople(count: number, random: Random): Line[] {
  const lines: Line[] = [];
  let people = 0;
  const subjects = new Set<Subject>();
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T;
  const factsOf = (changes: Partial<Facts> = {}): Facts => {
    people += 1;
    const { firstName = pick(FIRST), lastName = pick(LAST) } = changes;
    const companyDomain = changes.companyDomain ?? `firm${people}.com`;
    const local = `${firstName}.${lastName}${people}`.toLowerCase();
    return {
      firstName,
      lastName,
      companyDomain,
      companyName: `Firm ${people}`,
      email: `${local}@${companyDomain}`,
      socialUrl: `https://www.linkedin.com/in/${local.replace('.', '-')}`,
      phone: `+33${600_000_000 + people}`,
      ...changes,
    };
  };
  /** Some have no address, number or profile that the platform knows. */
  const findsOf = (
    { email, firstName, lastName, phone, socialUrl }: Facts,
    hits = ALL,
  ): Result => ({
    ...(hits.includes('find_email') && { find_email: { email } }),
    ...(hits.includes('find_phone') && { find_phone: { phone } }),
    ...(hits.includes('social_enrichment') && {
      social_enrichment: { socialUrl, firstName, lastName, positionGroups: [] },
    }),
  });
  const subject = (name: string, payments: number): Subject => {
    people += 1;
    return { id: people, name: `${name} ${people}`, payments };
  };
  const only = (facts: Facts, ...names: readonly InputName[]): Cells =>
    Object.fromEntries(names.map((name) => [name, facts[name]]));
  const add = (
    who: Subject,
    night: number,
    cells: Cells,
    finds: Result,
    ask?: readonly Ask[],
  ): void => {
    subjects.add(who);
    lines.push({ subject: who, night, cells, finds, ...(ask && { ask }) });
  };
  /** Each means another one; what is asked first is all there is, so that it is known on later nights. */
  const strangers = (name: string, ...all: readonly (readonly [Cells, Result])[]): void => {
    for (const [cells, finds] of all) add(subject(name, 1), 0, cells, finds);
  };

  const NAME = ['firstName', 'lastName'] as const;
  const BY_DOMAIN = [...NAME, 'companyDomain'] as const;
  const BY_COMPANY = [...NAME, 'companyName'] as const;
  const FULL = [...BY_DOMAIN, 'companyName', 'email', 'socialUrl'] as const;

  const kinds: Readonly<Record<string, (kind: string) => void>> = {
    'columns that alternate': (kind) => {
      const facts = factsOf();
      const who = subject(kind, 1);
      const hits = random(3) === 0 ? ALL.filter(() => random(2) === 0) : ALL;
      const finds = findsOf(facts, hits);
      add(who, 0, only(facts, ...FULL), finds, ALL);
      for (let night = 1; night < NIGHTS; night += 1) {
        const more = FULL.filter(() => random(2) === 0);
        const key = pick([['socialUrl'], ['email'], BY_DOMAIN, BY_COMPANY] as const);
        add(
          who,
          night,
          only(facts, ...FULL.filter((one) => [...key, ...more].includes(one))),
          finds,
        );
      }
    },
    'a file that grows': (kind) => {
      const facts = factsOf();
      // The last one shares nothing with the first, whose answer the second has.
      const who = subject(kind, 2);
      add(who, 0, only(facts, ...BY_DOMAIN), findsOf(facts), ALL);
      add(who, 1, only(facts, ...BY_DOMAIN, 'socialUrl'), findsOf(facts), ALL);
      add(who, 2, only(facts, 'socialUrl'), findsOf(facts));
    },
    'complementary files': (kind) => {
      const facts = factsOf();
      const who = subject(kind, 2);
      add(who, 0, only(facts, 'socialUrl'), findsOf(facts), ALL);
      add(who, random(2), only(facts, ...BY_DOMAIN), findsOf(facts), ALL);
      add(who, 2, only(facts, ...BY_DOMAIN, 'socialUrl'), findsOf(facts));
      add(who, 3, only(facts, ...pick([BY_DOMAIN, ['socialUrl']] as const)), findsOf(facts));
    },
    'who is found only by more': (kind) => {
      const facts = factsOf();
      const who = subject(kind, 2);
      add(who, 0, only(facts, ...BY_DOMAIN), {}, ALL);
      add(who, 1, only(facts, ...BY_DOMAIN, 'socialUrl'), findsOf(facts), ALL);
    },
    'a short first name': (kind) => {
      const facts = factsOf({ firstName: 'Joanna' });
      const who = subject(kind, 1);
      add(who, 0, only(facts, ...NAME, 'socialUrl'), findsOf(facts));
      add(who, 1, { ...only(facts, 'lastName', 'socialUrl'), firstName: 'Jo' }, findsOf(facts));
    },
    'a number of a member': (kind) => {
      const facts = factsOf();
      const who = subject(kind, 1);
      const socialUrl = `https://www.linkedin.com/in/ACoAAB${String(people).padStart(20, 'x')}`;
      const ask: readonly Ask[] = ['find_email', 'find_phone'];
      add(who, 0, { ...only(facts, ...BY_DOMAIN), socialUrl }, findsOf(facts, ask), ask);
      add(who, 1, only(facts, ...BY_DOMAIN, 'socialUrl'), findsOf(facts, ask), ask);
    },
    'an address of one’s own': (kind) => {
      const facts = factsOf();
      const who = subject(kind, 1);
      const email = `own${people}@mail.example`;
      add(who, 0, only(facts, ...BY_DOMAIN, 'email'), findsOf(facts));
      add(who, 1, { ...only(facts, ...BY_DOMAIN), email }, findsOf(facts));
    },
    'another address with the profile': (kind) => {
      const facts = factsOf();
      const who = subject(kind, 1);
      add(who, 0, only(facts, 'socialUrl', 'email'), findsOf(facts));
      add(who, 1, { ...only(facts, 'socialUrl'), email: `x.${facts.email}` }, findsOf(facts));
    },
    'another name of the company': (kind) => {
      const facts = factsOf();
      const who = subject(kind, 1);
      add(who, 0, only(facts, ...BY_DOMAIN, 'companyName'), findsOf(facts));
      add(who, 1, { ...only(facts, ...BY_DOMAIN), companyName: `Group ${people}` }, findsOf(facts));
    },
    'who changed the company': (kind) => {
      const facts = factsOf();
      const [before, after] = [subject(`${kind}, before`, 1), subject(`${kind}, after`, 1)];
      add(before, 0, only(facts, ...BY_DOMAIN, 'socialUrl'), findsOf(facts));
      const next = factsOf({
        ...only(facts, ...NAME, 'socialUrl'),
        email: `own${people}@mail.example`,
      });
      add(after, 1, only(next, ...BY_DOMAIN, 'socialUrl'), findsOf(next));
      // It may be that of either.
      const doubt = { ...next, email: `own${people}@post.example` };
      add(subject(`${kind}, in doubt`, 1), 2, only(facts, 'socialUrl'), findsOf(doubt));
    },
    'namesakes, told apart by the profile': (kind) => {
      const [one, other] = namesakes();
      strangers(
        kind,
        [only(one, ...BY_DOMAIN, 'socialUrl'), findsOf(one)],
        [only(other, ...BY_DOMAIN, 'socialUrl'), findsOf(other)],
      );
    },
    'namesakes, told apart by the address': (kind) => {
      const [one, other] = namesakes();
      strangers(
        kind,
        [only(one, ...BY_DOMAIN, 'email'), findsOf(one)],
        [only(other, ...BY_DOMAIN, 'email'), findsOf(other)],
      );
    },
    'namesakes at companies of one name': (kind) => {
      const one = factsOf();
      const other = factsOf(only(one, ...BY_COMPANY));
      strangers(
        kind,
        [only(one, ...BY_DOMAIN, 'companyName'), findsOf(one)],
        [only(other, ...BY_DOMAIN, 'companyName'), findsOf(other)],
      );
      const third = factsOf(only(one, ...BY_COMPANY));
      // Which of both it is, is not said.
      add(subject(`${kind}, in doubt`, 1), 2, only(one, ...BY_COMPANY), findsOf(third));
    },
    'a family with one address': (kind) => {
      const email = `family${people}@mail.example`;
      const one = factsOf({ firstName: 'Ada', email });
      const other = factsOf({ firstName: 'Adam', lastName: one.lastName, email });
      const third = factsOf({ firstName: 'Ada', lastName: 'Byron', email });
      strangers(
        kind,
        [only(one, ...NAME, 'email'), findsOf(one, ['find_phone'])],
        [only(other, ...NAME, 'email'), findsOf(other, ['find_phone'])],
        [only(third, ...NAME, 'email'), findsOf(third, ['find_phone'])],
      );
    },
    'father and son with one address': (kind) => {
      const email = `byrons${people}@mail.example`;
      const one = factsOf({ email });
      const [other, third] = [
        factsOf({ ...only(one, ...NAME), email }),
        factsOf({ ...only(one, ...NAME), email }),
      ];
      strangers(
        kind,
        [only(one, ...NAME, 'email', 'companyName'), findsOf(one, ['find_phone'])],
        [only(other, ...NAME, 'email', 'companyName'), findsOf(other, ['find_phone'])],
      );
      const fourth = factsOf({ ...third, email: `b${email}` });
      const fifth = factsOf({ ...only(third, ...NAME), email: fourth.email });
      strangers(
        kind,
        [only(fourth, ...BY_DOMAIN, 'email'), findsOf(fourth, ['find_phone'])],
        [only(fifth, ...BY_DOMAIN, 'email'), findsOf(fifth, ['find_phone'])],
      );
    },
    'a mailbox of a role': (kind) => {
      const { companyDomain } = factsOf();
      const email = `info@${companyDomain}`;
      const [one, other] = [factsOf({ email }), factsOf({ email })];
      strangers(
        kind,
        [{ email }, findsOf(one, ['find_phone'])],
        [{ email, lastName: other.lastName }, findsOf(other, ['find_phone'])],
      );
    },
    'a cell that slipped': (kind) => {
      // A family at one domain, the profile of one beside the name of another.
      const one = factsOf({ firstName: 'Bo' });
      const other = factsOf({
        firstName: 'Ulf',
        ...only(one, 'lastName', 'companyDomain', 'companyName'),
      });
      const mixed = factsOf({ ...one, socialUrl: other.socialUrl, email: `m${one.email}` });
      strangers(
        kind,
        [only(one, ...BY_DOMAIN, 'socialUrl'), findsOf(one)],
        [only(other, ...BY_DOMAIN, 'socialUrl'), findsOf(other)],
        [only(mixed, ...BY_DOMAIN, 'socialUrl'), findsOf(mixed, ['find_phone'])],
      );
      const third = factsOf({ ...only(one, ...BY_DOMAIN), email: `n${one.email}` });
      add(
        subject(`${kind}, in doubt`, 1),
        2,
        only(one, ...BY_DOMAIN),
        findsOf(third, ['find_phone']),
      );
    },
    'a found profile that contradicts': (kind) => {
      const one = factsOf();
      const other = factsOf(only(one, ...BY_DOMAIN));
      add(subject(kind, 1), 0, only(one, ...BY_DOMAIN), findsOf(one), ALL);
      add(subject(kind, 1), 1, only(other, ...BY_DOMAIN, 'socialUrl'), findsOf(other));
    },
    'a found address that contradicts': (kind) => {
      const one = factsOf();
      const other = factsOf(only(one, ...BY_DOMAIN));
      add(subject(kind, 1), 0, only(one, ...BY_DOMAIN), findsOf(one), ['find_email']);
      add(subject(kind, 1), 1, only(other, ...BY_DOMAIN, 'email'), findsOf(other));
    },
    'a found name that contradicts': (kind) => {
      const email = `we${people}@mail.example`;
      const one = factsOf({ email, firstName: 'Ada' });
      const other = factsOf({ email, firstName: 'Bob', lastName: one.lastName });
      const third = factsOf({ email, firstName: 'Ada', lastName: 'Byron' });
      const asks: readonly Ask[] = ['find_phone', 'social_enrichment'];
      add(subject(kind, 1), 0, { email }, findsOf(one, asks), ALL);
      for (const more of [other, third]) {
        add(subject(kind, 1), 1, only(more, ...NAME, 'email'), findsOf(more, ['find_phone']));
      }
    },
  };

  function namesakes(): readonly [Facts, Facts] {
    const one = factsOf();
    return [one, factsOf(only(one, ...BY_DOMAIN, 'companyName'))];
  }

  const names = Object.keys(kinds);
  for (let i = 0; subjects.size < count; i += 1) {
    const kind = names[i % names.length] as string;
    kinds[kind]?.(kind);
  }
  return lines;
}
