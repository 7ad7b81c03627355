// Bounds the number of open connections. At the bound, a new connection takes the place of the one that has kept the
// listener waiting longest, so that held connections do not shut the listener.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const CONNECTIONS_MAX = 512;
/**
 * Up to this many connections without a key stay, and a connection with a key makes room instead. The higher the
 * number, the more strangers must come between the start of a genuine connection and its key to push it out.
 */
const KEYLESS_KEPT = CONNECTIONS_MAX / 2;
/** The number of requests of one connection that may wait for their answers at a time; 1 if it has shown no key. */
const UNANSWERED_MAX = 64;
const NO_MORE_HTTP = 2;
/** Under an attack there are thousands of dropped connections a second: they are reported together. */
const REPORT_MS = 1_000;

/** The numbers of connections that were closed to make room, by whether they had shown a genuine key. */
export interface DroppedConnections {
  readonly keyless: number;
  readonly keyed: number;
}

/** Called at most once a second. Must not throw. */
export type OnDropped = (dropped: DroppedConnections) => void;

export interface ConnectionBudget {
  /** Admits a new connection; another connection is closed if there is no room. */
  admit(socket: Socket): void;
  /**
   * Notes that a request has come. False if the connection has too many of them: it is closed, and the rest of its data
   * is not read.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean;
  /** Notes that the connection has brought a request with a genuine key. */
  showKey(request: IncomingMessage, response: ServerResponse): void;
  /** Reports the drops that are not reported yet. */
  end(): void;
}

export function createConnectionBudget(onDropped: OnDropped): ConnectionBudget {
  // Each open connection is in one of these sets. A set keeps its order, so its first member has waited longest.
  const keyless = new Set<Socket>();
  /** Connections that have shown a key and whose client has to send the next byte: idle, or in the middle of a body. */
  const waiting = new Set<Socket>();
  /** Connections that have shown a key and to which the next byte is an answer: never closed to make room. */
  const busy = new Set<Socket>();
  const unanswered = new WeakMap<Socket, number>();
  const report = createReport(onDropped);

  const leave = (socket: Socket): void => {
    for (const set of [keyless, waiting, busy]) set.delete(socket);
  };
  const move = (socket: Socket, to: Set<Socket>): void => {
    leave(socket);
    if (!socket.destroyed) to.add(socket);
  };
  const makeRoom = (): void => {
    const isKeyed = keyless.size <= KEYLESS_KEPT && waiting.size > 0;
    // This may be the new connection itself, if all others are busy.
    const [oldest] = isKeyed ? waiting : keyless;
    if (oldest === undefined) return;
    leave(oldest);
    report.add(isKeyed ? 'keyed' : 'keyless');
    // A reset leaves nothing behind in the kernel, but could overtake an answer.
    if (isKeyed) oldest.destroy();
    else oldest.resetAndDestroy();
  };

  return {
    admit: (socket) => {
      socket.once('close', () => leave(socket));
      move(socket, keyless);
      if (keyless.size + waiting.size + busy.size > CONNECTIONS_MAX) makeRoom();
    },
    begin: ({ socket }, response) => {
      const count = (unanswered.get(socket) ?? 0) + 1;
      if (socket.destroyed || count > (keyless.has(socket) ? 1 : UNANSWERED_MAX)) {
        stopReading(socket);
        return false;
      }
      unanswered.set(socket, count);
      response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
      return true;
    },
    showKey: (request, response) => {
      const { socket } = request;
      const beBusy = (): void => move(socket, busy);
      move(socket, waiting);
      request.once('end', beBusy);
      response.once('close', () => {
        // A body that was not read ends after its answer.
        request.off('end', beBusy);
        move(socket, waiting);
      });
    },
    end: report.flush,
  };
}

/**
 * Stops reading a connection. Thousands of requests fit into one chunk, and Node goes through all of them before it
 * serves another connection. This answer ends that: 2 is the answer to a protocol upgrade, after which there is no
 * HTTP. Node does not document it; a version without it would go on, and pass each request over.
 */
function stopReading(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: () => number } | null };
  if (parser) parser.onIncoming = () => NO_MORE_HTTP;
  socket.destroy();
}

function createReport(onDropped: OnDropped) {
  let counts = { keyless: 0, keyed: 0 };
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    const dropped = counts;
    counts = { keyless: 0, keyed: 0 };
    onDropped(dropped);
  };
  return {
    add: (what: keyof DroppedConnections): void => {
      counts[what] += 1;
      timer ??= setTimeout(flush, REPORT_MS).unref();
    },
    flush,
  };
}
