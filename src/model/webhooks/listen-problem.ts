// Says why an address could not be listened on.
import { SluiceError } from '../errors.js';
import { hostAndPort, type ListenAddress } from './listen-address.js';

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is taken',
  EACCES: 'permission is denied',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host cannot be looked up at the moment',
  ERR_SOCKET_BAD_PORT: 'a port is a whole number from 0 to 65535',
};

/** `what` could not be done there; another address is chosen with `--FLAG`. */
export function listenProblem(
  { host, port }: ListenAddress,
  cause: unknown,
  { what, flag }: { readonly what: string; readonly flag: string },
): SluiceError {
  const code = (cause as { code?: string }).code ?? 'unknown error';
  const reason =
    REASONS[code] ?? `${code}: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new SluiceError(
    'usage',
    `${what} on ${hostAndPort({ host, port })}: ${reason}; choose another with --${flag}.`,
    { host, port, code },
    { cause },
  );
}
