// The browsers that have signed in, by the link that the command prints, which counts once, or by a password. All
// sessions are in memory alone, so that they end with the process.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { onAbort } from '../../model/schedule/on-abort.js';
import type { Clock } from '../../ports/clock.js';

export interface Session {
  readonly id: string;
  /** The token that the forms of its pages have to send. */
  readonly token: string;
}

export interface Sessions {
  /** The key of the link that is valid now; another one each time it was used. */
  readonly linkKey: () => string;
  /** Another key, for a browser that comes at once: counts once, within BRIEF_MS. */
  readonly briefKey: () => string;
  /** Undefined for a key that is wrong, was used, or is no longer valid. */
  redeem(key: string): Session | undefined;
  /**
   * One password is judged at a time, and a wrong one takes a second, also if the client has gone (`gone` aborts then).
   * `busy` if too many wait.
   */
  signIn(password: string, gone: AbortSignal): Promise<Session | 'wrong' | 'busy'>;
  /** The session of a `Cookie` header. */
  find(cookies: string | undefined): Session | undefined;
  /** The `Set-Cookie` header that begins a session. */
  cookieOf(session: Session): string;
}

export interface SessionOptions {
  /** Undefined if there is a link instead. */
  readonly password: string | undefined;
  /** In the cookie's name: cookies know no ports, and two of these may run on one machine. */
  readonly port: () => number;
  /** Whether browsers reach the server by https. */
  readonly isSecure: boolean;
  readonly clock: Clock;
}

/** A browser may have to start first. */
export const BRIEF_MS = 60_000;
const SESSIONS_MAX = 32;
/** Without a request for this long, a session ends. */
const IDLE_MS = 24 * 3_600_000;
const WRONG_PASSWORD_MS = 1_000;
const WAITING_MAX = 10;

export function createSessions({ password, port, isSecure, clock }: SessionOptions): Sessions {
  const cookieName = (): string => `sluice_ui_${port()}`;
  // The first has waited longest for a request.
  const sessions = new Map<string, Session & { readonly seenAt: number }>();
  let linkKey = newKey();
  let brief: { readonly key: string; readonly until: number } | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const waiting = new Set<AbortSignal>();

  const begin = (): Session => {
    const session = { id: newKey(), token: newKey(), seenAt: clock.now() };
    const [oldest] = sessions.keys();
    if (oldest !== undefined && sessions.size >= SESSIONS_MAX) sessions.delete(oldest);
    sessions.set(session.id, session);
    return session;
  };
  const judge = async (given: string): Promise<Session | 'wrong'> => {
    if (password !== undefined && isSame(given, password)) return begin();
    await clock.sleep(WRONG_PASSWORD_MS);
    return 'wrong';
  };

  return {
    linkKey: () => linkKey,
    briefKey: () => {
      brief = { key: newKey(), until: clock.now() + BRIEF_MS };
      return brief.key;
    },
    redeem: (key) => {
      if (password !== undefined) return undefined;
      if (brief !== undefined && isSame(key, brief.key)) {
        const isLate = clock.now() > brief.until;
        brief = undefined;
        return isLate ? undefined : begin();
      }
      if (!isSame(key, linkKey)) return undefined;
      linkKey = newKey();
      return begin();
    },
    signIn: async (given, gone) => {
      if (waiting.size >= WAITING_MAX) return 'busy';
      waiting.add(gone);
      const stopListening = onAbort(gone, () => waiting.delete(gone));
      // The judging of a wrong guess takes its second even if the client has gone: leaving makes nothing faster.
      const judged = turn.then(() => (gone.aborted ? 'wrong' : judge(given)));
      turn = judged;
      try {
        return await judged;
      } finally {
        stopListening();
        waiting.delete(gone);
      }
    },
    find: (cookies = '') => {
      const id = readCookie(cookies, cookieName());
      const session = sessions.get(id);
      if (session === undefined) return undefined;
      sessions.delete(id);
      if (clock.now() - session.seenAt > IDLE_MS) return undefined;
      sessions.set(id, { ...session, seenAt: clock.now() });
      return session;
    },
    cookieOf: ({ id }) =>
      `${cookieName()}=${id}; HttpOnly; SameSite=Strict; Path=/${isSecure ? '; Secure' : ''}`,
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

function readCookie(cookies: string, name: string): string {
  for (const cookie of cookies.split(';')) {
    const [key = '', value = ''] = cookie.trim().split('=', 2);
    if (key === name) return value;
  }
  return '';
}
