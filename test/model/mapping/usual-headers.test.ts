// The headers that are guessed, and those that look like them and must not be guessed.
import { describe, expect, it } from 'vitest';
import { COLUMN_INPUTS } from '../../../src/model/ask.js';
import { foldHeader, USUAL_HEADERS } from '../../../src/model/mapping/usual-headers.js';
import { judge } from '../../helpers/judge.js';

/** What such exports say of something else. `Ad` is an advertisement in English, `Apelido` a nickname in Brazil. */
const OTHERS = `
Apollo             | Company Name for Emails, Company Linkedin Url, Email Status, Email Confidence, Email Sent, Email Open
Apollo             | Email Bounced, Secondary Email, Tertiary Email, Facebook Url, Twitter Url, Contact Owner, Account Owner
Apollo             | Company Address, Company City, Company Phone, # Employees, Apollo Contact Id, Primary Email Source
ZoomInfo           | LinkedIn Company Profile URL, ZoomInfo Contact Profile URL, ZoomInfo Company Profile URL, Email Domain
ZoomInfo           | ZoomInfo Company ID, Company HQ Phone, Person City, Middle Name
PhantomBuster      | companyId, regularCompanyUrl, profileImageUrl, salesNavigatorUrl, vmid, titleDescription
Google Contacts    | E-mail 1 - Label, E-mail 2 - Value, Phonetic First Name, Name Prefix, Name Suffix, Nickname, File As
Google Contacts    | Organization Title, Organization Department, Website 1 - Label, Organization 1 - Title
HubSpot            | Email Opt Out, Company owner, Record ID - Company, Last Activity Date, Number of Employees, Email Bounced
Lusha              | Email 2, Company linkedin URL, Contact Country, Company Revenue, Lusha User
Salesforce         | Account ID, Account Owner, Lead Owner, Salutation, Title, Account Type, Website Visits
mail programs      | E-Mail 2: Adresse, E-mail 2 Address, Website Profile, Web Page 2, Anzeigename, E-mail Display Name
mail programs      | Secondary Email, Name Assistent, Email Home
in other languages | 会社ID, 会社名（カナ）, 氏名（カナ）, セイ, メイ, Codice fiscale, Partita IVA, Statut e-mail, Telefono
in other languages | Ad, Apelido, E-mail privé, Mail perso, E-Mail (privat), E-mail prywatny, Nome aziendale, Nom professionnel
`;

function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

function guessed(...names: string[]): string[] {
  const columns = names.map((name, at) => ({ key: `${name} ${at}`, name }));
  return judge(columns).mapping.map(({ input, column }) => `${input}: ${column.name}`);
}

describe('a usual header', () => {
  it.each(COLUMN_INPUTS)('is guessed for %s alone', (input) => {
    for (const name of USUAL_HEADERS[input]) {
      expect(guessed('x', name)).toEqual([`${input}: ${name}`]);
    }
  });

  it('stands once, for one input', () => {
    const all = COLUMN_INPUTS.flatMap((input) => USUAL_HEADERS[input]);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
    expect(all).not.toContain('');
  });

  it.each([
    [
      'email',
      'E-mail 1 - Value, E-Mail (geschäftlich), E-Mail (Geschäftlich) *, メールアドレス（必須）',
    ],
    [
      'email',
      'E-mail professionnel, E-mail (zakelijk), E-mail służbowy, Рабочий email, Email aziendale',
    ],
    [
      'socialUrl',
      'linkedInProfileUrl, hs_linkedin_url, LinkedIn Contact Profile URL, Contact LinkedIn',
    ],
    ['firstName', 'First Name, Prénom(s), Nombre(s), Imię, Förnamn, Имя, 名'],
    ['lastName', 'lastName, Nom de famille, Último Nome, Soyadı, Sukunimi, Фамилия, 姓'],
    ['lastNamePrefix', 'Tussenvoegsel, last_name_prefix, Namensvorsatz'],
    ['companyDomain', 'organization_primary_domain, Domäne, Alan adı, Web sitesi, 企業URL, Сайт'],
    ['companyName', "Account Name, Nom de l'entreprise, Şirket, Société, 会社名, current_employer"],
    ['fullName', 'Person - Name, Vor- und Nachname, Imię i nazwisko, ФИО, 氏名'],
  ])('is known for %s as people and programs write it: %s', (input, names) => {
    for (const name of names.split(', ')) {
      expect(guessed('x', name)).toEqual([`${input}: ${name}`]);
    }
  });
});

it.each(
  rowsOf(OTHERS).flatMap(([source, names = '']) => names.split(', ').map((name) => [source, name])),
)('another header of %s is left alone: %s', (_source, name) => {
  expect(guessed('x', name ?? '')).toEqual([]);
});

describe('a whole export', () => {
  it.each([
    [
      'Apollo',
      'First Name,Last Name,Title,Company,Company Name for Emails,Email,Email Status,Person Linkedin Url,Website,Company Linkedin Url,Secondary Email',
      'email: Email, socialUrl: Person Linkedin Url, firstName: First Name, lastName: Last Name, companyDomain: Website, companyName: Company',
    ],
    [
      'PhantomBuster',
      'profileUrl,fullName,firstName,lastName,companyName,title,companyId,regularCompanyUrl,vmid,linkedInProfileUrl',
      'socialUrl: linkedInProfileUrl, firstName: firstName, lastName: lastName, companyName: companyName',
    ],
    [
      'Google Contacts',
      'First Name,Middle Name,Last Name,Phonetic First Name,File As,Organization Name,Organization Title,E-mail 1 - Label,E-mail 1 - Value,Website 1 - Label,Website 1 - Value',
      'email: E-mail 1 - Value, firstName: First Name, lastName: Last Name, companyDomain: Website 1 - Value, companyName: Organization Name',
    ],
    [
      'ZoomInfo',
      'ZoomInfo Contact ID,Last Name,First Name,Email Address,LinkedIn Contact Profile URL,ZoomInfo Company ID,Company Name,Website,LinkedIn Company Profile URL',
      'email: Email Address, socialUrl: LinkedIn Contact Profile URL, firstName: First Name, lastName: Last Name, companyDomain: Website, companyName: Company Name',
    ],
    [
      'a Japanese CRM',
      '姓,名,会社名,部署,メールアドレス,ＵＲＬ',
      'email: メールアドレス, firstName: 名, lastName: 姓, companyDomain: ＵＲＬ, companyName: 会社名',
    ],
  ])('of %s is told apart', (_name, header, expected) => {
    expect(guessed(...header.split(',')).join(', ')).toBe(expected);
  });
});

it('a header is known in other letters, marks and widths', () => {
  expect(foldHeader('Ｅ－Ｍａｉｌ　アドレス')).toBe(
    'emailアドレス'.normalize('NFKD').replace(/\p{M}/gu, ''),
  );
  expect(foldHeader('ﾒｰﾙｱﾄﾞﾚｽ')).toBe(foldHeader('メールアドレス'));
  expect(foldHeader('İmię_NAZWISKO')).toBe('imienazwisko');
});
