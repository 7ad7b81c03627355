// A name without what is no name: a whole one, split into first and last name, and one of them from a column of its own,
// by the rules in docs/names.md. Pure: the same text always gives the same.
import { wordSet, wordsOf } from './words.js';

interface NameParts {
  readonly firstName?: string;
  readonly lastName?: string;
  /** The word of a name with a single word, or a name in Chinese characters whose family name cannot be told. */
  readonly only?: string;
}

export interface SplitName extends NameParts {
  /** Titles, suffixes, nicknames, middle initials and decorations, in the order of the text. */
  readonly aside: readonly string[];
}

/** Words that belong to the word after them. */
const PARTICLES = wordSet(`
  van von vom der den dem de del della dello degli dei di da das do dos du des d' la las le los lo zu zum zur bin ibn bint
  binti abu al el ben ter ten te 't tot mac mc o' zur st st. saint sainte san santa af av vander vande vanden auf`);
/** Particles only in lower case: they are given names or family names too. */
const LOWER_PARTICLES = wordSet('do lo te ten auf das den abu');
/** Titles before a name, in lower case and without full stops. */
const TITLES = wordSet(`
  mr mrs ms miss mx messrs sir dame lord lady dr drs prof professor rev reverend hon honorable herr frau hr fr fräulein
  ing dipl-ing dipling dipl-kfm dipl-kffr mag mmag univ-prof priv-doz pd ir mme mlle monsieur madame mademoiselle sr sra
  srta señor señora dott dottssa dra sig sigra signor signora avv dhr mevr mw capt captain col colonel gen lt maj sgt cmdr
  adm sen senator rep representative engr mudr judr phdr`);
/** The subjects of a doctor, after the title. */
const FACULTIES = wordSet('rer nat med dent vet phil jur iur pol oec hc h c habil mult ing theol');
/** Suffixes after a name, in lower case and without full stops. */
const SUFFIXES = wordSet(`
  jr junior sr ii iii iv 2nd 3rd 4th phd ph.d dphil edd dba mba emba msc mphil bsc llb llm jd esq esquire md dds dmd dvm
  rn cpa cfa cfp cipd pmp cissp cisa cism cia csm shrm-cp shrm-scp phr sphr fca aca acca acma fcca mbe obe cbe kc qc
  ret usn usmc usaf dipl-ing mcips pe dbe kbe gbe frs`);
/** Suffixes only in capitals beside words that are not: they are family names too. */
const CAPITAL_SUFFIXES = wordSet('ma ba do mc pe cia kc ret');
/** Titles and degrees that are names too. Beside one name alone they count with a full stop, or in capitals. */
const TITLE_NAMES = wordSet(
  'lord lady dame miss hon rev ing mag pd ir sig col colonel captain gen maj sen rep',
);
const DEGREE_NAMES = wordSet('mba emba md edd jd esquire aca acca cisa mbe obe');
/** They tell a father from his son. */
const GENERATIONS = wordSet('jr junior sr ii iii iv 2nd 3rd 4th');
/** Common family names of two characters or syllables; all other common ones have one. */
const COMPOUND_SURNAMES =
  /^(欧阳|歐陽|司马|司馬|上官|诸葛|諸葛|司徒|夏侯|皇甫|尉迟|尉遲|公孙|公孫|慕容|长孙|長孫|宇文|令狐|东方|東方|端木|独孤|獨孤|南宫|南宮|남궁|황보|제갈|선우|독고|사공|서문)(.{1,2})$/u;
const BRACKETED =
  /\([^()]*\)|（[^（）]*）|\[[^[\]]*\]|"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|(?<=\s)['‘][^'‘’]+['’](?=\s|$)/gu;
/** The text after a line, a dash or a dot between blanks says what a person does. */
const BEHIND = /\s[|–—•·/-]\s.*$|\s*\|.*$/u;
const COMMA = /[,，、;]/u;
const EMOJI =
  /(?:[\d#*]\uFE0F?\u20E3|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}](?:\uFE0F|\u200D|[\u{E0020}-\u{E007F}])*)+/gu;
const EAST_ASIAN = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー々〆ヶ]+$/u;
const HANGUL = /^\p{sc=Hangul}+$/u;
/** A word between two family names, `Ortega y Gasset`, or two particles, `von und zu`. */
const JOINT = /^(y|i|e|und)$/;
const INITIAL = /^\p{Lu}\.?$/u;

/** A longer text is not a name, and is left as it is. */
const LENGTH_MAX = 1000;

export function splitName(text: string): SplitName {
  if (text.length > LENGTH_MAX) return { only: text, aside: [] };
  const aside: string[] = [];
  const take = (pattern: RegExp, from: string) =>
    from.replace(pattern, (found) => {
      aside.push(...wordsOf(found));
      return ' ';
    });
  const bare = take(BEHIND, take(BRACKETED, take(EMOJI, ` ${text} `)));
  const segments = bare.split(COMMA).map((segment) => {
    const all = wordsOf(segment);
    aside.push(...all.filter((word) => !isName(word)));
    return all.filter(isName);
  });
  const done = (split: NameParts): SplitName => ({ ...split, aside });

  const isCapital = isAllCapitals(segments.flat());
  const kept = segments.map((segment, at) =>
    stripEnds(segment, { aside, isFirst: at === 0, isCapital, isPart: false }),
  );
  const [head = [], ...rest] = kept.filter(({ length }) => length > 0);
  if (rest.length > 0)
    return done({ firstName: joined(withoutInitials(rest.flat(), aside)), lastName: joined(head) });
  return done(splitWords(head, aside));
}

/**
 * Whether a name shows by a comma or by capitals that the last name stands first; undefined for a name without an
 * order: of one word, or in East Asian characters.
 */
export function showsLastFirst(text: string): boolean | undefined {
  const { firstName, lastName } = splitName(text);
  if (firstName === undefined || lastName === undefined || /[\p{sc=Han}\p{sc=Hangul}]/u.test(text))
    return undefined;
  const at = (name: string) => text.indexOf(name.split(' ')[0] ?? '');
  return at(lastName) < at(firstName);
}

/** Without titles, degrees and emoji. Whatever else stands there stays: it may tell two people apart. */
export function bareName(text: string): string {
  if (text.length > LENGTH_MAX || /^[\p{L}\p{M}]*$/u.test(text)) return text;
  const aside: string[] = [];
  const plain = text.replace(EMOJI, ' ');
  const kept = plain
    .split(COMMA)
    .map((segment, at) =>
      stripEnds(wordsOf(segment), { aside, isFirst: at === 0, isCapital: false, isPart: true }),
    );
  if (plain === text && aside.length === 0) return text;
  const bare = kept
    .map(joined)
    .filter((part) => part !== '')
    .join(', ');
  return /[\p{L}\p{N}]/u.test(bare) ? bareName(bare) : text;
}

function splitWords(all: readonly string[], aside: string[]): NameParts {
  const [first = ''] = all;
  if (all.length === 0) return {};
  if (all.every((word) => EAST_ASIAN.test(word))) return splitEastAsian(all);
  if (all.length === 1) return splitDotted(first);
  const caps = capitalRun(all);
  if (caps !== undefined) {
    const [from, to] = caps;
    const given = [...all.slice(0, from), ...all.slice(to)];
    return {
      firstName: joined(withoutInitials(given, aside)),
      lastName: joined(all.slice(from, to)),
    };
  }
  if (isParticle(first) && first === first.toLowerCase()) return { only: joined(all) };
  let at = all.length - 1;
  while (at > 1 && isParticle(all[at - 1] ?? '')) at -= 1;
  if (at > 2 && JOINT.test(all[at - 1] ?? '')) at -= 2;
  return {
    firstName: joined(withoutInitials(all.slice(0, at), aside)),
    lastName: joined(all.slice(at)),
  };
}

/** Splits a name whose family name stands first; without a blank, only a Korean one can be told from the given name. */
function splitEastAsian(all: readonly string[]): NameParts {
  const [first = '', ...rest] = all;
  if (rest.length > 0) return { firstName: joined(rest), lastName: first };
  const compound = COMPOUND_SURNAMES.exec(first);
  if (compound !== null) return { firstName: compound[2] ?? '', lastName: compound[1] ?? '' };
  if (HANGUL.test(first) && first.length >= 2 && first.length <= 4)
    return { firstName: first.slice(1), lastName: first.slice(0, 1) };
  return { only: first };
}

/** `ジョン・スミス`: a foreign name, given name first. */
function splitDotted(word: string): NameParts {
  const parts = word.split(/[・･]/u).filter((part) => part !== '');
  return parts.length > 1
    ? { firstName: joined(parts.slice(0, -1)), lastName: parts.at(-1) ?? '' }
    : { only: word };
}

/** The range of words in capitals beside others, as in `DUPONT Jean` or `Jean DE LA TOUR`. */
function capitalRun(all: readonly string[]): readonly [number, number] | undefined {
  const flags = all.map((word) => isCapitalWord(word));
  const from = flags.indexOf(true);
  if (from === -1 || flags.every(Boolean)) return undefined;
  const length = flags.slice(from).findIndex((flag) => !flag);
  const to = length === -1 ? all.length : from + length;
  if (flags.slice(to).includes(true)) return undefined;
  const isLong = all.slice(from, to).some((word) => lettersOf(word).length >= 3);
  return isLong && (from === 0 || to === all.length) ? [from, to] : undefined;
}

interface Ends {
  readonly aside: string[];
  readonly isFirst: boolean;
  readonly isCapital: boolean;
  /** Whether the text is a first or a last name alone, in which a word in doubt is a name. */
  readonly isPart: boolean;
}

function stripEnds(segment: readonly string[], ends: Ends): readonly string[] {
  const { aside, isFirst, isPart } = ends;
  const left = [...segment];
  let isTitled = false;
  while (left.length > 1 && (isTitle(left[0], isPart) || (isTitled && isFaculty(left[0])))) {
    aside.push(left.shift() ?? '');
    isTitled = true;
  }
  // The first word of all is a name; a segment after a comma may consist of suffixes.
  const least = isFirst ? 1 : 0;
  while (left.length > least && isSuffix(left, ends)) {
    aside.push(left.pop() ?? '');
  }
  return left;
}

function isTitle(word: string | undefined, isPart: boolean): boolean {
  if (word === undefined || !TITLES.has(bareOf(word))) return false;
  return !isPart || word.endsWith('.') || !TITLE_NAMES.has(bareOf(word));
}

/** Whether a word is a subject, as in `Dr. rer. nat.`: with full stops, because Phil is a name. */
function isFaculty(word: string | undefined): boolean {
  return (
    word !== undefined &&
    word.endsWith('.') &&
    word.replaceAll(/[^.]/g, '').length > 0 &&
    word.split('.').every((part) => part === '' || FACULTIES.has(part.toLowerCase()))
  );
}

function isSuffix(all: readonly string[], { isCapital, isFirst, isPart }: Ends): boolean {
  const word = all.at(-1) ?? '';
  const bare = bareOf(word);
  const isDoubtful = isCapital || (isPart && isFirst && isAllCapitals(all.map(withoutParticle)));
  const isInCapitals = !isDoubtful && word === word.toUpperCase();
  if (CAPITAL_SUFFIXES.has(bare)) return isInCapitals && !(isFirst && (isPart || all.length < 3));
  if (isPart && (GENERATIONS.has(bare) || DEGREE_NAMES.has(bare)))
    return isInCapitals && DEGREE_NAMES.has(bare);
  return SUFFIXES.has(bare);
}

/** The given names without the initials of middle names, if a given name is written out. */
function withoutInitials(given: readonly string[], aside: string[]): readonly string[] {
  const [first = '', ...rest] = given;
  if (INITIAL.test(first)) return given;
  aside.push(...rest.filter((word) => INITIAL.test(word)));
  return [first, ...rest.filter((word) => !INITIAL.test(word))];
}

/** Whether a text stands before a last name: `van der`. */
export function isNamePrefix(text: string): boolean {
  const all = wordsOf(text.toLowerCase());
  return all.length > 0 && all.every(isParticle);
}

function isParticle(word: string): boolean {
  const lower = word.toLowerCase().replace(/[’]/u, "'");
  return PARTICLES.has(lower) && (word === lower || !LOWER_PARTICLES.has(lower));
}

/** Whether a word is a name, and not an emoji, a number or an address. */
function isName(word: string): boolean {
  return /\p{L}/u.test(word) && !/[@\d]|:\/\//u.test(word.replace(/^\d(nd|rd|th)$/i, 'x'));
}

/** `d'ARTAGNAN` is in capitals as well, and so is a name after `van`. */
function withoutParticle(word: string): string {
  return isParticle(word) ? '' : word.replace(/^\p{Ll}+['’]/u, '');
}

function isCapitalWord(word: string): boolean {
  const letters = lettersOf(word);
  return (
    letters.length >= 2 &&
    word === word.toUpperCase() &&
    word !== word.toLowerCase() &&
    !word.includes('.')
  );
}

function isAllCapitals(all: readonly string[]): boolean {
  return all.every((word) => word === word.toUpperCase());
}

function lettersOf(word: string): string {
  return word.replace(/[^\p{L}]/gu, '');
}

function bareOf(word: string): string {
  return word.toLowerCase().replaceAll('.', '');
}

function joined(all: readonly string[]): string {
  return all.join(' ');
}
