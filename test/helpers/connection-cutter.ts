// Stands between the store and a PostgreSQL server on this machine, and cuts connections at a COMMIT.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Before it arrives, or after: then it counts, and its answer does not come. */
export type Cut = 'before' | 'after';

export interface Cutter {
  readonly port: number;
  cuts(): number;
  close(): void;
}

/** `decide` is asked at each COMMIT. */
export async function openCutter(
  serverPort: number,
  decide: () => Cut | undefined,
): Promise<Cutter> {
  let cuts = 0;
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
      if (data.includes('COMMIT')) cut ??= decide();
      if (cut !== undefined) cuts += 1;
      if (cut === 'before') near.destroy();
      else far.write(data);
    });
    far.on('data', (data) => {
      if (cut === 'after') near.destroy();
      else near.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    port,
    cuts: () => cuts,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
