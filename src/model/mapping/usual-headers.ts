// Finds the columns of an input by their headers.
import type { ColumnInput } from '../ask.js';
import type { Column } from '../lead.js';

/** A longer header is not a usual one, and many of them would take long. */
const HEADER_LENGTH_MAX = 200;

/**
 * The usual headers of these columns, the clearest first, folded by `foldHeader`; each stands once. They are from exports
 * of Apollo, DATEV, Google Contacts, HubSpot, LinkedIn, Lusha, PhantomBuster, Pipedrive, Pronto, RocketReach, Salesforce
 * and ZoomInfo, from the translations of EspoCRM, Roundcube and browsers, and from tables in public repositories.
 */
export const USUAL_HEADERS: Readonly<Record<ColumnInput, readonly string[]>> = {
  email: foldedHeaders(`
    Email, Email address, E-Mail-Adresse, Work email, Business email, Professional email, Lead email, Contact email,
    Mail, Courriel, Adresse e-mail, Adres e-mail, Correo, Correo electrónico, Primary email, Email 1,
    E-mail 1 - Value, Email work, Person - Email - Work, Person - Email, Adresse de messagerie,
    Adresse électronique principale, Primäre E-Mail-Adresse, Dirección de correo electrónico principal,
    Dirección de correo, Indirizzo e-mail, Email principale, Endereço de e-mail, E-mail primário, E-mailadres,
    E-posta, Eposta Adresi, E-post, E-postadress, E-postadresse, Mailadress, Mailadresse, メールアドレス, メール,
    電子メール, 电子邮件, 邮箱地址, 邮件地址, 電子郵件地址, Адрес электронной почты, Адрес эл. почты, Adresse mail,
    Adresse électronique, Adresse courriel, Adresse de courriel, Correo de trabajo, Dirección de email,
    Posta elettronica, Indirizzo di posta elettronica, Indirizzo mail, Email di lavoro, E-mail de trabalho,
    Correio eletrônico, Poczta elektroniczna, İş e-postası, Sähköposti, Sähköpostiosoite, Jobbmail, Arbejdsmail,
    Eメール, 電子メールアドレス, 勤務先メールアドレス, 邮箱, 电子邮箱, 工作邮箱, 电子邮件地址, 電子郵件, 電子信箱, 電郵地址,
    Электронная почта, Эл. почта`),
  socialUrl: foldedHeaders(`
    Social URL, LinkedIn URL, LinkedIn profile URL, LinkedIn profile, LinkedIn, Profile URL, Person LinkedIn URL,
    Lead social URL, Social profile, Social link, Profil LinkedIn, LinkedIn contact profile URL, Contact LinkedIn URL,
    Contact LinkedIn, Prospect LinkedIn URL, Person LinkedIn, hs_linkedin_url, LinkedInプロフィールURL`),
  firstName: foldedHeaders(`
    First name, First, fname, Given name, Forename, Lead first name, Contact first name, Prénom, Vorname, Nombre, Nome,
    Person - First name, Primeiro nome, Voornaam, Imię, ファーストネーム, 名, 名字, Förnamn, Fornavn, Имя,
    Prénoms, Nombres, Nombre de pila, Nome próprio, Etunimi`),
  lastName: foldedHeaders(`
    Last name, Last, lname, Surname, Family name, Lead last name, Contact last name, Nom de famille, Nom, Nachname,
    Familienname, Apellido, Apellidos, Cognome, Person - Last name, Sobrenome, Último nome, Achternaam, Nazwisko,
    苗字, 姓, 姓氏, Soyad, Soyadı, Efternamn, Efternavn, Фамилия, Etternavn, Zuname, Familienaam, Sukunimi`),
  companyDomain: foldedHeaders(`
    Company domain, Company domain name, Domain, Domain name, Company website, Website, Website URL, Company URL,
    Site web, Webseite, Webadresse, Internetadresse, Sitio web, Página web, Domaine, Homepage, Site, Web, URL,
    Account website, organization_primary_domain, Organization website, Website work,
    Website 1 - Value, Web page, Website home page, Site internet, Dominio, Domein, Domena, Domäne, Domän,
    Domæne, Sito web, Page web, Strona internetowa, Web sitesi, Hemsida, Webbplats, Hjemmeside,
    ドメイン, ウェブサイト, Webサイト, 网站, 主页, 網頁, Веб-сайт, Сайт, Веб-страница, Nom de domaine,
    Site de l'entreprise, Firmenwebsite, Internetseite, Sitio web de la empresa, Sito internet, Sito aziendale,
    Dominio aziendale, Site da empresa, Domeinnaam, Strona www, Adres strony, Alan adı, Nettside, Nettsted,
    Verkkosivu, Verkkosivut, ホームページ, 企業URL, 官网, 网址, 公司网站, 域名, 網站, 網址, Домен, Сайт компании`),
  companyName: foldedHeaders(`
    Company name, Company, Organization, Organisation, Organization name, Employer, Account name, Account, Entreprise,
    Société, Raison sociale, Firma, Firmenname, Unternehmen, Empresa, Current company, Current employer, Associated company, Work company,
    Person - Organization, Organization 1 - Name, Nom de l'entreprise, Nom du compte,
    Nombre de la cuenta, Organización, Azienda, Società, Ragione sociale, Organizzazione, Organização, Organisatie,
    Bedrijf, Bedrijfsnaam, Nazwa firmy, Organizacja, 会社名, 企業名, 会社, 公司, 组织, 客户名称, Şirket, Kuruluş, Företag,
    Организация, Компания, Nom de la société, Nom entreprise, Unternehmensname, Nombre de la empresa, Razón social,
    Nome azienda, Ditta, Nome da empresa, Razão social, Przedsiębiorstwo, Şirket adı, Firma adı, Företagsnamn,
    Bedrift, Firmanavn, Virksomhed, Organisasjon, Yritys, Yrityksen nimi, Organisaatio, 社名, 勤務先, 公司名称, 公司名稱,
    企业名称, 組織, Название компании, Название организации`),
  lastNamePrefix: foldedHeaders(`
    Tussenvoegsel, Tussenvoegsels, Voorvoegsel, Voorvoegsels, Last name prefix, Surname prefix, Infix,
    Namensvorsatz`),
  fullName: foldedHeaders(`
    Full name, Person - Name, Contact full name, Nom complet, Nombre completo, Nome completo, Vollständiger Name,
    Volledige naam, Imię i nazwisko, Ad Soyad, ФИО, 氏名, お名前, 姓名,
    Prénom et nom, Vor- und Nachname, Nombre y apellidos, Nome e cognome, Fullt navn, Fullständigt namn, Koko nimi,
    フルネーム, Полное имя`),
};

/** Headers of more than one meaning: the values must say that they hold this input. */
const VAGUE_HEADERS: Readonly<Partial<Record<ColumnInput, readonly string[]>>> = {
  // LinkedIn's own export of connections has the profile in `URL`.
  socialUrl: foldedHeaders('URL, Link, Profile'),
  lastName: foldedHeaders('Name'),
  companyName: foldedHeaders('Name, 单位'),
  lastNamePrefix: foldedHeaders(
    'Prefix, Name prefix, Namenszusatz, Vorsatzwort, Particule, Prefijo, Prefisso, Prefixo',
  ),
  fullName: foldedHeaders(`
    Name, Contact name, Contact, Display name, Lead name, Person, Nome, Nombre, Nom, Ansprechpartner, Anzeigename,
    Kontakt, Contacto, Contatto, Contato, Namn, Navn, Naam, 名前, 担当者, 担当者名, 联系人, 顯示名稱`),
};
/** Shorter headers, such as `web` and `last`, are in many words. */
const LIKE_LENGTH_MIN = 5;
/** Words that say how a column is filled in, or that its values belong to somebody's work, not what it holds. */
const ORNAMENTS: ReadonlySet<string> = new Set(
  foldedHeaders(`
    required, optional, primary, main, work, business, official, pflichtfeld, obligatoire, obligatorio, obbligatorio,
    verplicht, 必須, 必填, professional, pro, professionnel, professionnelle, travail, geschäftlich, geschäftliche,
    dienstlich, dienstliche, beruflich, berufliche, arbeit, profesional, laboral, corporativo, trabajo, professionale,
    aziendale, lavoro, profissional, trabalho, zakelijk, zakelijke, werk, służbowy, praca, arbete, jobb, arbejde,
    työ, 職場, 仕事, 勤務先, 工作, рабочий, рабочая, служебный, работа`),
);

const ALL_USUAL: ReadonlySet<string> = new Set(Object.values(USUAL_HEADERS).flat());

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
  const usual = new Set(USUAL_HEADERS[input]);
  const meant = columns.flatMap(({ name }, index) => {
    const isOpen = !usual.has(foldHeader(name)) && !taken.has(index);
    return isOpen && isMeant(name, usual, input === 'email') ? [index] : [];
  });
  // If two headers of several words fit, neither counts.
  return meant.length === 1 ? [...plain, ...meant] : plain;
}

/** The columns whose headers may say that they hold this input, if their values say so too. */
export function indicesByVagueHeader(
  columns: readonly Column[],
  input: ColumnInput,
  taken: ReadonlySet<number>,
): readonly number[] {
  return indicesOf(columns, VAGUE_HEADERS[input] ?? [], taken);
}

/** The columns whose headers contain a usual one, as `Website 2` and `Firm e-mail` do, or have several meanings. */
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

/** Whether a header is long enough; Chinese words are shorter. */
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
 * Whether a header of several names, such as `Firma / Account` or `Web-Site (URL)`, has one meaning: all of its names
 * must mean the same, which those of `Email (status)` and `Vorname / Nachname` do not. In headers of addresses and
 * numbers, but not of names, a word may mean somebody's work: `Mail pro` is an address, and `Nome aziendale` is no
 * first name.
 */
export function isMeant(name: string, headers: ReadonlySet<string>, isOfContact: boolean): boolean {
  const parts = name
    .normalize('NFKC')
    .split(/[/|()[\]]/)
    .map((part) => foldHeader(isOfContact ? withoutOrnaments(part) : part))
    .filter((part) => part !== '' && !ORNAMENTS.has(part));
  return parts.length > 0 && parts.every((part) => headers.has(part));
}

function withoutOrnaments(name: string): string {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.filter((word) => !ORNAMENTS.has(foldHeader(word))).join(' ');
}

/** A list of headers, with commas between them. */
export function foldedHeaders(names: string): readonly string[] {
  return names.split(',').map(foldHeader);
}

/** `Prénom`, `first_name`, `First Name` and `Ｅ－ｍａｉｌ` become `prenom`, `firstname`, `firstname` and `email`. */
export function foldHeader(name: string): string {
  if (name.length > HEADER_LENGTH_MAX) return '';
  return name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
