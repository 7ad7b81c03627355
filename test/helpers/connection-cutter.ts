// Stands between the store and a PostgreSQL server on this machine: cuts connections at a COMMIT, lets answers come late,
// or lets nothing through.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Before it arrives, or after: then it counts, and its answer does not come. */
export type Cut = 'before' | 'after';

/** Not the level of isolation with which a transaction begins. */
const COMMIT = /COMMIT(?!TED)/;

export interface Cutter {
  readonly port: number;
  cuts(): number;
  /** From now on each answer comes so much later; 0 as it is. */
  slowDown(ms: number): void;
  /** From now on nothing is let through, and nothing is refused; or again (false). */
  swallow(isHole: boolean): void;
  close(): void;
}

/** `decide` is asked at each COMMIT; `ownPort` is where it listens. */
export async function openCutter(
  serverPort: number,
  decide: () => Cut | undefined = () => undefined,
  ownPort = 0,
): Promise<Cutter> {
  let cuts = 0;
  let delayMs = 0;
  let isHole = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
    let cut: Cut | undefined;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (data) => {
      if (isHole) return;
      if (cut === undefined && COMMIT.test(data.toString('latin1'))) {
        cut = decide();
        if (cut !== undefined) cuts += 1;
      }
      if (cut === 'before') near.destroy();
      else far.write(data);
    });
    far.on('data', (data) => {
      if (isHole) return;
      if (cut === 'after') near.destroy();
      else if (delayMs === 0) near.write(data);
      else setTimeout(() => near.destroyed || near.write(data), delayMs).unref();
    });
  });
  server.listen(ownPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    port,
    cuts: () => cuts,
    slowDown: (ms) => {
      delayMs = ms;
    },
    swallow: (isSwallowed) => {
      isHole = isSwallowed;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
