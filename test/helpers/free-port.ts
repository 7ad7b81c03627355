// A port on which no process listens at this moment, for a process that cannot be asked which one it took. Not one of
// those a system hands out itself (49152 and up by RFC 6335, 32768 and up on Linux): a connection of any other
// test could get it in the time between.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const FROM = 20_000;
const BELOW = 32_768;

export async function freePort(): Promise<number> {
  const port = randomInt(FROM, BELOW);
  return (await isFree(port)) ? port : await freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
