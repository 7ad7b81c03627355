// The name of a company as it is compared: without legal form and punctuation.
import { wordSet, wordsOf } from './words.js';

/**
 * Legal forms at the end of a name, without full stops: of those in cleanco/termdata.py of github psolin/cleanco the
 * ones that are no usual words. A group and a holding are companies of their own.
 */
const FORMS = wordSet(`
  inc incorporated corp corporation co company llc pllc llp lllp lp ltd limited unltd unlimited plc cic pty pte pvt bhd
  sdn kk tbk ag gmbh mbh kg kgaa ohg og ug ek haftungsbeschränkt gbr partg se sa sas sasu sarl eurl snc scs sca scop sprl
  bvba vof bv nv sl sll slu srl spa sapa scrl lda ltda eirl ab as asa aps oy oyj sro doo kft zrt nyrt uab sia ood`);
const FORMS_OF_WORDS = / (?:sp (?:z oo|zoo)|spol s ?ro|(?:sab?|sapi|s de rl) de cv|s de rl)$/;
const FORMS_BEFORE = wordSet('pt ooo oao zao ооо оао зао пао ао тов');
/** Legal forms on either side of a name, also without a blank. */
const FORMS_BESIDE =
  /株式会社|有限会社|合同会社|股份有限公司|有限责任公司|有限公司|주식회사|유한회사|\([株有주]\)/gu;
/** Words before a form: `GmbH & Co. KG`. */
const LINKS = wordSet('& and und');

/** A name in lower case without legal form and punctuation; a name that is nothing else stays. */
export function bareCompany(name: string): string {
  const bare = withoutPunctuation(name.replace(FORMS_BESIDE, ' ')).replace(FORMS_OF_WORDS, '');
  const all = bare.split(' ');
  let [from, to] = [0, all.length];
  while (to > from + 1 && FORMS_BEFORE.has(all[from] ?? '')) from += 1;
  while (to > from + 1 && isForm(all, to - 1)) to -= 1;
  return all.slice(from, to).join(' ') || withoutPunctuation(name) || name;
}

export function hasLegalForm(name: string): boolean {
  const folded = name.normalize('NFKC').toLowerCase();
  return bareCompany(folded) !== withoutPunctuation(folded);
}

function isForm(all: readonly string[], at: number): boolean {
  const word = all[at] ?? '';
  return FORMS.has(word) || (LINKS.has(word) && at < all.length - 1);
}

/** `S.A.`, `S. A.` and `S/A` are one; signs such as `&` and `#` tell names apart. */
function withoutPunctuation(name: string): string {
  const plain = name.replace(/[.'/]/g, '').replace(/(?![&#@%])\p{P}/gu, ' ');
  return wordsOf(plain)
    .join(' ')
    .replace(/(?<=(?:^| )\p{L}) (?=\p{L}(?: |$))/gu, '');
}
