import { describe, expect, it } from 'vitest';
import {
  isLoopback,
  isPublicUrl,
  isTargetUrl,
  parseListenAddress,
} from '../../../src/model/text/address.js';

describe('where to listen', () => {
  it.each([
    ['8640', '127.0.0.1', 8640],
    ['0', '127.0.0.1', 0],
    ['0.0.0.0:8640', '0.0.0.0', 8640],
    ['localhost:65535', 'localhost', 65_535],
    ['[::1]:8640', '::1', 8640],
    ['[::]:1', '::', 1],
    ['hooks.example.com:443', 'hooks.example.com', 443],
  ])('%s is host %s and port %i', (text, host, port) => {
    expect(parseListenAddress(text)).toEqual({ host, port });
  });

  it.each([
    '',
    'localhost',
    ':8640',
    '8640:',
    '65536',
    '99999',
    '123456',
    '-1',
    '80.5',
    '0x50',
    ' 8640',
    '8640 ',
    '::1:8640',
    '[::1]',
    '[localhost]:80',
    'http://localhost:8640',
    'a b:80',
  ])('%j is no address', (text) => {
    expect(parseListenAddress(text)).toBeUndefined();
  });
});

describe('a public URL', () => {
  it.each(['https://hooks.example.com', 'http://10.0.0.1:8640/sluice', 'https://a.example/b/'])(
    '%s can have a key added behind its path',
    (text) => {
      expect(isPublicUrl(text)).toBe(true);
    },
  );

  it.each([
    'hooks.example.com',
    'ftp://hooks.example.com',
    'https://ada@hooks.example.com',
    'https://:secret@hooks.example.com',
    'https://hooks.example.com/?a=1',
    'https://hooks.example.com/#here',
    'https://hooks.example.com/?',
    'https://hooks.example.com/a b',
    '',
  ])('%j is none', (text) => {
    expect(isPublicUrl(text)).toBe(false);
  });
});

describe('the target of a webhook', () => {
  it.each([
    'https://hooks.example.com',
    'https://hooks.example.com/catch?token=abc',
    'http://10.0.0.1:8640/?a=b%20c&d',
  ])('may be %s', (text) => {
    expect(isTargetUrl(text)).toBe(true);
  });

  it.each([
    'hooks.example.com',
    'ftp://hooks.example.com',
    'https://ada:secret@hooks.example.com/?a=1',
    'https://hooks.example.com/?a=1#here',
    'https://hooks.example.com/#',
    'https://hooks.example.com/a b',
    'https://hooks.example.com/?a=b c',
    ' https://hooks.example.com',
    'https://hooks.example.com\n',
    '',
  ])('is not %j', (text) => {
    expect(isTargetUrl(text)).toBe(false);
  });
});

describe('this machine itself', () => {
  it.each([
    'http://localhost:8641',
    'http://127.0.0.1',
    'https://127.1.2.3/api',
    'http://[::1]:80',
    'http://LOCALHOST',
  ])('is behind %s', (text) => {
    expect(isLoopback(text)).toBe(true);
  });

  it.each([
    'https://api.example.com',
    'http://localhost.example.com',
    'http://128.0.0.1',
    'http://127.0.0.1.example.com',
    'http://[::2]',
    'sandbox',
    '',
  ])('is not behind %j', (text) => {
    expect(isLoopback(text)).toBe(false);
  });
});
