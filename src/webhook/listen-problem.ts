// Says why a listener could not take its address.
import { SluiceError } from '../domain/errors.js';
import { hostAndPort } from '../domain/listen-address.js';

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is taken',
  EACCES: 'permission is denied',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host cannot be looked up at the moment',
  ERR_SOCKET_BAD_PORT: 'a port is a whole number from 0 to 65535',
};

export function listenProblem(host: string, port: number, cause: unknown): SluiceError {
  const code = (cause as { code?: string }).code ?? 'unknown error';
  const reason =
    REASONS[code] ?? `${code}: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new SluiceError(
    'usage',
    `The listener cannot listen on ${hostAndPort({ host, port })}: ${reason}; choose another with --listen.`,
    { host, port, code },
    { cause },
  );
}
