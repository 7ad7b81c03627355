// The browsers that have signed in, by the link that the command prints, which counts once, or by a password. All
// sessions are in memory alone, so that they end with the process.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../ports/clock.js';

export interface Session {
  readonly id: string;
  /** The token that the forms of its pages have to send. */
  readonly token: string;
}

export type Sessions = ReturnType<typeof createSessions>;

interface SessionOptions {
  /** Undefined if there is a link instead. */
  readonly password: string | undefined;
  /** In the cookie's name: cookies know no ports, and two of these may run on one machine. */
  readonly port: () => number;
  /** Whether browsers reach the server by https. */
  readonly isSecure: boolean;
  readonly clock: Clock;
}

/** Without a request for this long, a session ends. */
const IDLE_MS = 24 * 3_600_000;
const WRONG_PASSWORD_MS = 1_000;

export function createSessions({ password, port, isSecure, clock }: SessionOptions) {
  const sessions = new Map<string, Session & { seenAt: number }>();
  let linkKey = newKey();
  let isJudging = false;

  const begin = (): Session => {
    const session = { id: newKey(), token: newKey(), seenAt: clock.now() };
    sessions.set(session.id, session);
    return session;
  };

  return {
    /** The key of the link that is valid now; another one each time it was used. */
    linkKey: () => linkKey,
    /** Undefined for a key that is wrong or was used. */
    redeem: (key: string): Session | undefined => {
      if (password !== undefined || !isSame(key, linkKey)) return undefined;
      linkKey = newKey();
      return begin();
    },
    /** A wrong password takes a second; meanwhile no other one is judged: `busy`. */
    signIn: async (given: string): Promise<Session | 'wrong' | 'busy'> => {
      if (isJudging) return 'busy';
      if (password !== undefined && isSame(given, password)) return begin();
      isJudging = true;
      await clock.sleep(WRONG_PASSWORD_MS);
      isJudging = false;
      return 'wrong';
    },
    find: (cookies = ''): Session | undefined => {
      const begun = `sluice_ui_${port()}=`;
      const cookie = cookies.split(/; ?/).find((one) => one.startsWith(begun)) ?? '';
      const session = sessions.get(cookie.slice(begun.length));
      if (session === undefined || clock.now() - session.seenAt > IDLE_MS) return undefined;
      session.seenAt = clock.now();
      return session;
    },
    cookieOf: ({ id }: Session): string =>
      `sluice_ui_${port()}=${id}; HttpOnly; SameSite=Strict; Path=/${isSecure ? '; Secure' : ''}`,
  };
}

/** Compares in a time that says nothing about the right text. */
export function isSame(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function newKey(): string {
  return randomBytes(32).toString('base64url');
}
