import { describe, expect, it } from 'vitest';
import {
  isDatabase,
  parseDatabaseAddress,
} from '../../../../src/store/postgres/database/address.js';

describe('the address of a database', () => {
  it.each([
    ['postgres://ada@db:5433/leads', 'postgres://ada@db:5433/leads', 'sluice'],
    ['postgresql://db/leads?schema=night', 'postgres://db/leads', 'night'],
    ['postgres://', 'postgres://', 'sluice'],
    ['postgres:///leads', 'postgres:///leads', 'sluice'],
    ['postgres://?schema=night', 'postgres://', 'night'],
    ['postgres://ada@/leads', 'postgres://ada@/leads', 'sluice'],
    [
      'postgres://db/leads?sslmode=verify-full&schema=s&sslrootcert=ca.pem',
      'postgres://db/leads?sslmode=verify-full&sslrootcert=ca.pem',
      's',
    ],
  ])('%s', (text, connectionString, schema) => {
    expect(isDatabase(text)).toBe(true);
    expect(parseDatabaseAddress(text)).toEqual({ connectionString, schema, shown: text });
  });

  it.each(['data/sluice.db', 'postgres.db', './postgres:/x', 'file://x'])('%s is none', (text) => {
    expect(isDatabase(text)).toBe(false);
  });

  it.each([
    'postgres://ada:geheim@db/leads',
    'postgres://ada:ge@heim@db/leads',
    'postgres://ada:ge#heim@db/leads',
    'postgres://ada:ge?heim@db/leads',
    'postgres://ada:ge/heim@db/leads',
    'postgres://ada:geheim',
    'postgres://db/leads?password=geheim',
    'postgres://db/leads?schema=A&passw%6Frd=geheim',
    'postgres://db/leads?Password=geheim',
    'postgres://db/leads?schema=s&PASSWD=geheim',
    'postgres://db/leads?sslPassword=geheim',
    'postgres://db/leads?user=ada;Password=geheim',
    'postgres://db/leads#PassWord=geheim',
  ])('%s is refused, and its password said nowhere', (text) => {
    let said = '';
    try {
      parseDatabaseAddress(text);
    } catch (error) {
      expect(error).toMatchObject({ code: 'usage' });
      said = `${(error as Error).stack} ${JSON.stringify(error)} ${String((error as Error).cause)}`;
    }
    expect(said).not.toBe('');
    expect(said).not.toMatch(/heim|ge[@#?/]/);
  });

  it('names a schema that no quoting is needed for', () => {
    expect(() => parseDatabaseAddress('postgres://db?schema=a;b')).toThrow(/cannot be used/);
    expect(() => parseDatabaseAddress('postgres://db?schema=pg_catalog')).toThrow(/cannot be used/);
  });
});
