// Which column is an input, by its header.
import type { ColumnInput } from '../ask.js';
import type { Column } from '../lead.js';

/**
 * Usual headers of these columns, the clearest first, folded by `foldHeader`. None stands twice. Those of products and
 * dictionaries are in test/model/mapping/usual-headers.test.ts with their source.
 */
export const USUAL_HEADERS: Readonly<Record<ColumnInput, readonly string[]>> = {
  email: folded(`
    Email, Email address, E-Mail-Adresse, Work email, Business email, Professional email, Lead email, Contact email,
    Mail, Courriel, Adresse e-mail, Adres e-mail, Correo, Correo electrónico, Primary email, Email 1,
    E-mail 1 - Value, Email work, Person - Email - Work, Person - Email, Adresse de messagerie,
    Adresse électronique principale, Primäre E-Mail-Adresse, Dirección de correo electrónico principal,
    Dirección de correo, Indirizzo e-mail, Email principale, Endereço de e-mail, E-mail primário, E-mailadres,
    E-posta, Eposta Adresi, E-post, E-postadress, Mailadress, メールアドレス, メール, 電子メール, 电子邮件, 邮箱地址,
    邮件地址, 電子郵件地址, Адрес электронной почты, Адрес эл. почты`),
  socialUrl: folded(`
    Social URL, LinkedIn URL, LinkedIn profile URL, LinkedIn profile, LinkedIn, Profile URL, Person LinkedIn URL,
    Lead social URL, Social profile, Social link, Profil LinkedIn, LinkedIn contact profile URL, Contact LinkedIn URL,
    Contact LinkedIn, Prospect LinkedIn URL, Person LinkedIn, hs_linkedin_url, LinkedInプロフィールURL`),
  firstName: folded(`
    First name, First, fname, Given name, Forename, Lead first name, Contact first name, Prénom, Vorname, Nombre, Nome,
    Person - First name, Primeiro nome, Voornaam, Imię, ファーストネーム, 名, 名字, Förnamn, Fornavn, Имя`),
  lastName: folded(`
    Last name, Last, lname, Surname, Family name, Lead last name, Contact last name, Nom de famille, Nom, Nachname,
    Familienname, Apellido, Apellidos, Cognome, Person - Last name, Sobrenome, Último nome, Achternaam, Nazwisko,
    苗字, 姓, 姓氏, Soyad, Soyadı, Efternamn, Efternavn, Фамилия`),
  companyDomain: folded(`
    Company domain, Company domain name, Domain, Domain name, Company website, Website, Website URL, Company URL,
    Site web, Webseite, Webadresse, Internetadresse, Sitio web, Página web, Domaine, Homepage, Site, Web, URL,
    Account website, organization_primary_domain, Organization website, Website work,
    Website 1 - Value, Web page, Website home page, Site internet, Dominio, Domein, Domena, Domäne, Domän,
    Domæne, Sito web, Page web, Strona internetowa, Web sitesi, Hemsida, Webbplats, Hjemmeside,
    ドメイン, ウェブサイト, Webサイト, 网站, 主页, 網頁, Веб-сайт, Сайт, Веб-страница`),
  companyName: folded(`
    Company name, Company, Organization, Organisation, Organization name, Employer, Account name, Account, Entreprise,
    Société, Raison sociale, Firma, Firmenname, Unternehmen, Empresa, Current company, Current employer, Associated company, Work company,
    Person - Organization, Organization 1 - Name, Nom de l'entreprise, Nom du compte,
    Nombre de la cuenta, Organización, Azienda, Società, Ragione sociale, Organizzazione, Organização, Organisatie,
    Bedrijf, Bedrijfsnaam, Nazwa firmy, Organizacja, 会社名, 企業名, 会社, 公司, 组织, 客户名称, Şirket, Kuruluş, Företag,
    Организация, Компания`),
  fullName: folded(`
    Full name, Person - Name, Contact full name, Nom complet, Nombre completo, Nome completo, Vollständiger Name,
    Volledige naam, Imię i nazwisko, Ad Soyad, ФИО, 氏名, お名前, 姓名`),
};

/** Headers of more than one meaning: the values must say that they hold this input. */
const VAGUE_HEADERS: Readonly<Partial<Record<ColumnInput, readonly string[]>>> = {
  // LinkedIn's own export of connections has the profile in `URL`.
  socialUrl: folded('URL, Link, Profile'),
  lastName: folded('Name'),
  companyName: folded('Name'),
  fullName: folded(`
    Name, Contact name, Contact, Display name, Lead name, Person, Nome, Nombre, Nom, Ansprechpartner, Anzeigename,
    Kontakt, Contacto, Contatto, Contato, Namn, Navn, Naam, 名前, 担当者, 担当者名, 联系人, 顯示名稱`),
};
/** Shorter headers, such as `web` and `last`, are in many words. */
const LIKE_LENGTH_MIN = 5;
/** Words that say how a column is filled in, not what it holds. */
const ORNAMENTS: ReadonlySet<string> = new Set(
  'required optional primary main work business official pflichtfeld obligatoire'.split(' '),
);

const ALL_USUAL: ReadonlySet<string> = new Set(Object.values(USUAL_HEADERS).flat());

/** Whether it is the usual name of a column for some input. */
export function isUsualHeader(name: string): boolean {
  return ALL_USUAL.has(foldHeader(name));
}

/** The columns whose headers say that they hold this input, the clearest first. */
export function indicesByHeader(
  columns: readonly Column[],
  input: ColumnInput,
  taken: ReadonlySet<number>,
): readonly number[] {
  const plain = indicesOf(columns, USUAL_HEADERS[input], taken);
  const parts = indexByParts(
    columns.map(({ name }) => partsOf(name)),
    input,
    taken,
  );
  return [...new Set([...plain, ...parts])];
}

/** The columns whose headers may say that they hold this input, if their values say so too. */
export function indicesByVagueHeader(
  columns: readonly Column[],
  input: ColumnInput,
  taken: ReadonlySet<number>,
): readonly number[] {
  return indicesOf(columns, VAGUE_HEADERS[input] ?? [], taken);
}

/** The columns whose headers hold a usual one, as `Website 2` and `Firm e-mail` do, or are one of several meanings. */
export function indicesLikeHeader(
  columns: readonly Column[],
  input: ColumnInput,
): readonly number[] {
  const holds = (name: string) =>
    USUAL_HEADERS[input].some((one) => isLong(one) && name.includes(one));
  return columns.flatMap((column, index) => {
    const name = foldHeader(column.name);
    const isVague = VAGUE_HEADERS[input]?.includes(name) === true;
    return isVague || USUAL_HEADERS[input].includes(name) || holds(name) ? [index] : [];
  });
}

/** Chinese words are shorter. */
function isLong(header: string): boolean {
  return header.length >= (/^\p{sc=Han}/u.test(header) ? 2 : LIKE_LENGTH_MIN);
}

function indicesOf(
  columns: readonly Column[],
  headers: readonly string[],
  taken: ReadonlySet<number>,
): readonly number[] {
  const names = columns.map(({ name }) => foldHeader(name));
  return headers.flatMap((header) =>
    names.flatMap((name, index) => (name === header && !taken.has(index) ? [index] : [])),
  );
}

/**
 * A header of several names, as `Firma / Account` or `Web-Site (URL)`, is guessed where all of them mean the same
 * input: `Email (status)` and `Vorname / Nachname` are not. Where two headers of several names fit, neither counts.
 */
function indexByParts(
  parts: readonly (readonly string[])[],
  input: ColumnInput,
  taken: ReadonlySet<number>,
): readonly number[] {
  const usual = new Set(USUAL_HEADERS[input]);
  const meant = parts.flatMap((names, index) => {
    const telling = names.filter((name) => !ORNAMENTS.has(name));
    const isMeant = telling.length > 0 && telling.every((name) => usual.has(name));
    return isMeant && names.length > 1 && !taken.has(index) ? [index] : [];
  });
  return meant.length === 1 ? meant : [];
}

function partsOf(name: string): string[] {
  const parts = name.split(/[/|()[\]]/).map(foldHeader);
  return parts.filter((part) => part !== '');
}

/** Names with commas between. */
function folded(names: string): readonly string[] {
  return names.split(',').map(foldHeader);
}

/** `Prénom`, `first_name`, `First Name` and `Ｅ－ｍａｉｌ` become `prenom`, `firstname`, `firstname` and `email`. */
export function foldHeader(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
