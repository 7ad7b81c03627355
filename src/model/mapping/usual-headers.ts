// Which column is an input, by its header.
import type { InputName } from '../ask.js';
import type { Column } from '../lead.js';

/** Usual headers of these columns, the clearest first, folded by `foldHeader`; a space between two. */
export const USUAL_HEADERS: Readonly<Record<InputName, string>> = {
  email:
    'email emailaddress emailadresse workemail businessemail professionalemail leademail contactemail mail courriel adresseemail adressemail correo correoelectronico',
  socialUrl:
    'socialurl linkedinurl linkedinprofileurl linkedinprofile linkedin profileurl personlinkedinurl leadsocialurl socialprofile sociallink profillinkedin',
  firstName:
    'firstname first fname givenname forename leadfirstname contactfirstname prenom vorname nombre nome',
  lastName:
    'lastname last lname surname familyname leadlastname contactlastname nom nomdefamille nachname familienname apellido apellidos cognome',
  companyDomain:
    'companydomain companydomainname domain domainname companywebsite website websiteurl companyurl siteweb webseite webadresse internetadresse sitioweb paginaweb domaine homepage site web url',
  companyName:
    'companyname company organization organisation organizationname employer accountname account entreprise societe raisonsociale firma firmenname unternehmen empresa',
};
/** Words that say how a column is filled in, not what it holds. */
const ORNAMENTS: ReadonlySet<string> = new Set(
  'required optional primary main work business official pflichtfeld obligatoire'.split(' '),
);

/** The index of the column whose header says that it holds this input; -1 where none does. */
export function guessByHeader(
  columns: readonly Column[],
  input: InputName,
  taken: ReadonlySet<number>,
): number {
  const plain = guessColumn(
    columns.map(({ name }) => foldHeader(name)),
    input,
    taken,
  );
  return plain === -1
    ? guessByParts(
        columns.map(({ name }) => partsOf(name)),
        input,
        taken,
      )
    : plain;
}

function guessColumn(
  folded: readonly string[],
  input: InputName,
  taken: ReadonlySet<number>,
): number {
  for (const header of USUAL_HEADERS[input].split(' ')) {
    const index = folded.findIndex((name, i) => name === header && !taken.has(i));
    if (index !== -1) return index;
  }
  return -1;
}

/**
 * A header of several names, as `Firma / Account` or `Web-Site (URL)`, is guessed where all of them mean the same
 * input: `Email (status)` and `Vorname / Nachname` are not. Where two headers of several names fit, neither counts.
 */
function guessByParts(
  parts: readonly (readonly string[])[],
  input: InputName,
  taken: ReadonlySet<number>,
): number {
  const usual = new Set(USUAL_HEADERS[input].split(' '));
  const meant = parts.flatMap((names, index) => {
    const telling = names.filter((name) => !ORNAMENTS.has(name));
    const isMeant = telling.length > 0 && telling.every((name) => usual.has(name));
    return isMeant && !taken.has(index) ? [index] : [];
  });
  return meant.length === 1 ? (meant[0] ?? -1) : -1;
}

function partsOf(name: string): string[] {
  const parts = name.split(/[/|()[\]]/).map(foldHeader);
  return parts.filter((part) => part !== '');
}

/** `Prénom`, `first_name` and `First Name` become `prenom` and `firstname`. */
export function foldHeader(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
