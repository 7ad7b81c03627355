// The headers that are guessed, each with where it was found, and those that look like them and must not be guessed.
import { describe, expect, it } from 'vitest';
import { COLUMN_INPUTS } from '../../../src/model/ask.js';
import { foldHeader, USUAL_HEADERS } from '../../../src/model/mapping/usual-headers.js';
import { judge } from '../../helpers/judge.js';

/** Read in November 2026. `*` stands for the code of a language. */
const SOURCES: Readonly<Record<string, string>> = {
  Apollo: 'a CSV export of people and one of accounts, as public importers list their headers',
  'Apollo data':
    'JSON of people, flattened: organization_primary_domain, as public scripts read it',
  Salesforce: 'Salesforce NPSP import: its headers Account Name, Account Website',
  DATEV: 'its CSV export of debtors and creditors, as public importers list its headers',
  EspoCRM: 'github espocrm/espocrm: application/Espo/**/i18n/*/{Global,Account,Lead,Contact}.json',
  browsers:
    'github chromium/chromium: components/autofill/core/common/autofill_regex_constants.cc, for the fields of forms',
  'EspoCRM kinds': 'the same, i18n/*/EntityManager.json: Company',
  'Google Contacts': 'its CSV export, before and since 2024',
  HubSpot: 'its CSV export; hs_linkedin_url is its internal name of a property',
  LinkedIn: 'Connections.csv of its data export',
  Lusha: 'docs.lusha.com: Fields for field mapping and descriptions',
  'mail programs':
    'github roundcube/roundcubemail: localization/*/csv2vcard.inc, the headers of Outlook and Thunderbird',
  PhantomBuster: 'CSV of Sales Navigator Search Export, as public importers list its headers',
  Pipedrive: 'its exports of people and organizations',
  Pronto: 'CSV of Sales Navigator searches, as a public importer lists its headers',
  RocketReach: 'docs.rocketreach.co: current_employer',
  Roundcube:
    'github roundcube/roundcubemail: localization/*/labels.inc, and plugins/managesieve for domain',
  'sample tables':
    'tables and forms in public repositories: 氏名,会社名,メールアドレス; Bedrijfsnaam; Nazwa firmy; Current Company; Mail Pro',
  SPARK:
    'a workbook of persons: github tidyverse/readxl, tests/testthat/sheets/Ekaterinburg_IP_9.xlsx',
  ZoomInfo: 'its CSV export, as public importers list its headers',
};

/** Where it was found, the input, and its headers. */
const FOUND = `
Apollo          | email | Email, Primary Email
Apollo          | socialUrl | Person Linkedin Url
Apollo          | firstName | First Name
Apollo          | lastName | Last Name
Apollo          | companyDomain | Website
Apollo          | companyName | Company, Company Name, Account Name
Apollo data     | companyDomain | organization_primary_domain
Apollo data     | companyName | organization_name
Apollo data     | socialUrl | linkedin_url
Salesforce      | companyDomain | Account Website
Salesforce      | companyName | Account Name
EspoCRM         | lastName | Nachname, Nom de famille, Apellidos, Cognome, Sobrenome, Último Nome, Achternaam, Nazwisko, 苗字
EspoCRM         | lastName | Soyadı, Efternamn, 姓氏, Efternavn, Фамилия
EspoCRM         | firstName | Имя, ファーストネーム, Primeiro Nome
EspoCRM         | email | E-mailadres, Adres e-mail, Endereço de Email, Eposta Adresi, E-postadress, 电子邮件, 邮箱地址, メール
EspoCRM         | email | Correo, Dirección de correo, Indirizzo Email, Adresse email, Адрес эл. почты, E-post
EspoCRM         | companyDomain | Site internet, Sito Web, Sitio web, Webseite, Web sitesi, Hemsida, 网站, Сайт, Webサイト
EspoCRM         | companyName | Azienda, Firmenname, Nom du compte, Nombre de la cuenta, 客户名称
EspoCRM         | email | 電子信箱, 電子郵件, E-postadresse, E-Mail
EspoCRM         | lastName | Etternavn
EspoCRM         | companyDomain | 網站, Nettside
EspoCRM kinds   | companyName | Firma, Empresa, Azienda, Bedrijf, Şirket, Företag, 公司, 会社, Компания
Google Contacts | email | E-mail 1 - Value
Google Contacts | firstName | Given Name
Google Contacts | lastName | Family Name
Google Contacts | companyDomain | Website 1 - Value
Google Contacts | companyName | Organization Name, Organization 1 - Name
HubSpot         | socialUrl | hs_linkedin_url
HubSpot         | companyName | Associated Company
LinkedIn        | email | Email Address
LinkedIn        | companyName | Company
Lusha           | email | Email 1
Lusha           | fullName | Full Name
Lusha           | socialUrl | Contact LinkedIn URL
mail programs   | email | E-mail Address, E-Mail-Adresse, Adresse de messagerie, Indirizzo E-mail, Endereço de E-mail, Adres e-mail
mail programs   | email | Primäre E-Mail-Adresse, Adresse électronique principale, Dirección de correo electrónico principal
mail programs   | email | Email principale, E-mail primário, Email Work, 電子郵件地址, Адрес электронной почты
mail programs   | firstName | Vorname, Prénom, Nombre, Nome, Imię, Primeiro nome, 名字, 名
mail programs   | lastName | Nom, Último nome, 姓
mail programs   | companyName | Société, Società, Organizzazione, Organización, Organização, Work Company, 公司, Организация
mail programs   | companyDomain | Web Page, Page Web, Página web, Pagina Web, Website Home Page, Website Work, 網頁, Веб-страница
PhantomBuster   | socialUrl | linkedInProfileUrl
PhantomBuster   | firstName | firstName
PhantomBuster   | lastName | lastName
PhantomBuster   | companyName | companyName
PhantomBuster   | fullName | fullName, Nom complet
PhantomBuster   | companyName | Nom de l'entreprise
Pipedrive       | email | Person - Email - Work, Person - Email
Pipedrive       | companyName | Person - Organization, Organization - Name
Pipedrive       | fullName | Person - Name
Pipedrive       | firstName | Person - First name
Pipedrive       | lastName | Person - Last name
Pipedrive       | companyDomain | Organization - Website
Pronto          | socialUrl | Linkedin Profile Url, Prospect Linkedin URL
RocketReach     | companyName | current_employer
Roundcube       | firstName | Voornaam, Imię, 名, Förnamn, Fornavn
Roundcube       | lastName | Apellido, Soyad, 姓, Efternavn
Roundcube       | companyName | Organisatie, Organizacja, Kuruluş, 企業名, 组织
Roundcube       | email | Courriel, E-posta, Mailadress, 電子メール, 邮件地址
Roundcube       | companyDomain | Strona internetowa, ウェブサイト, Webbplats, 主页, Hjemmeside, Веб-сайт, Site
Roundcube       | email | Sähköposti, 電子郵件
Roundcube       | firstName | Etunimi
Roundcube       | lastName | Etternavn, Sukunimi
Roundcube       | companyName | Organisasjon, Organisaatio, 組織
Roundcube       | companyDomain | Nettsted, Verkkosivu, 網站
Roundcube       | companyDomain | Domäne, Dominio, Domaine, Domein, Domena, Domínio, ドメイン, Domän, Domæne
sample tables   | companyName | 会社名, Bedrijfsnaam, Nazwa firmy, Ragione Sociale
sample tables   | email | メールアドレス
sample tables   | fullName | 氏名, お名前, 姓名, Nombre completo, Nome completo, Vollständiger Name, Volledige naam, Imię i nazwisko, Ad Soyad
sample tables   | fullName | Contact full name
sample tables   | fullName | Prénom et nom, Vor- und Nachname, Nome e cognome, Fullt navn, Fullständigt namn, Koko nimi, フルネーム, Полное имя
sample tables   | email | Adresse mail, Adresse électronique, Adresse courriel, Adresse de courriel, E-mail professionnel, Mail pro
sample tables   | email | Adresse e-mail professionnelle, E-Mail (geschäftlich), Geschäftliche E-Mail, E-Mail (Geschäftlich) *
sample tables   | email | E-mail (zakelijk), Zakelijk e-mailadres, Email aziendale, Email di lavoro, E-mail służbowy, Рабочий email
sample tables   | email | Correo corporativo, Correo profesional, Correo de trabajo, Dirección de email, E-mail profissional
sample tables   | email | E-mail de trabalho, Correio eletrónico, Correio eletrônico, Posta elettronica, Indirizzo mail
sample tables   | email | Indirizzo di posta elettronica, Poczta elektroniczna, İş e-postası, Mailadresse, Jobbmail, Arbejdsmail
sample tables   | email | Sähköpostiosoite, Eメール, 電子メールアドレス, 勤務先メールアドレス, メールアドレス（必須）, 邮箱, 电子邮箱, 工作邮箱
sample tables   | email | 电子邮件地址, Электронная почта, Эл. почта
sample tables   | firstName | Prénom(s), Nombre(s), Nombre de pila, Nome próprio
sample tables   | lastName | Zuname, Familienaam
sample tables   | companyDomain | Nom de domaine, Site de l'entreprise, Firmenwebsite, Internetseite, Sitio web de la empresa
sample tables   | companyDomain | Sito internet, Sito aziendale, Dominio aziendale, Site da empresa, Domeinnaam, Strona www
sample tables   | companyDomain | Adres strony, Alan adı, Verkkosivut, ホームページ, 企業URL, 官网, 网址, 公司网站, 域名, 網址
sample tables   | companyDomain | Домен, Сайт компании
sample tables   | companyName | Nom de la société, Nom entreprise, Unternehmensname, Nombre de la empresa, Razón social
sample tables   | companyName | Nome azienda, Ditta, Nome da empresa, Razão social, Przedsiębiorstwo, Şirket adı, Firma adı
sample tables   | companyName | Företagsnamn, Bedrift, Firmanavn, Virksomhed, Yritys, Yrityksen nimi, 社名, 勤務先
sample tables   | companyName | 公司名称, 公司名稱, 企业名称, Название организации
sample tables   | lastNamePrefix | Tussenvoegsel, Tussenvoegsels, Voorvoegsel, Voorvoegsels, infix, last_name_prefix, surname_prefix
DATEV           | lastNamePrefix | Namensvorsatz
browsers        | email | 邮箱, 電郵地址
browsers        | fullName | Nombre y apellidos
browsers        | companyName | Название компании
sample tables   | socialUrl | LinkedInプロフィールURL
SPARK           | fullName | ФИО
sample tables   | socialUrl | Contact LinkedIn, Person LinkedIn
sample tables   | companyName | Current Company
ZoomInfo        | email | Email Address
ZoomInfo        | socialUrl | LinkedIn Contact Profile URL
ZoomInfo        | companyDomain | Website
ZoomInfo        | companyName | Company Name
`;

const HEADERS = rowsOf(FOUND).flatMap(([source = '', input = '', names = '']) =>
  names.split(', ').map((name) => [source, input, name] as const),
);

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
  it('has a source that is named', () => {
    expect(new Set(HEADERS.map(([source]) => source))).toEqual(new Set(Object.keys(SOURCES)));
  });

  it.each(HEADERS)('of %s is %s: %s', (_source, input, name) => {
    expect(guessed('x', name)).toEqual([`${input}: ${name}`]);
  });

  it('stands once, for one input', () => {
    const all = COLUMN_INPUTS.flatMap((input) => USUAL_HEADERS[input]);
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
    expect(all).not.toContain('');
  });

  it('is listed here with its source, but for those of the first release', () => {
    const listed = new Set(HEADERS.map(([, , name]) => foldHeader(name)));
    const rest = COLUMN_INPUTS.flatMap((input) => USUAL_HEADERS[input]).filter(
      (one) => !listed.has(one),
    );
    expect(rest.join(' ')).toBe(
      'workemail businessemail professionalemail leademail contactemail mail correoelectronico socialurl linkedinprofile linkedin profileurl leadsocialurl socialprofile sociallink profillinkedin first fname forename leadfirstname contactfirstname last lname surname leadlastname contactlastname familienname companydomain companydomainname domain domainname companywebsite websiteurl companyurl siteweb webadresse internetadresse homepage web url organization organisation employer account entreprise raisonsociale unternehmen',
    );
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
