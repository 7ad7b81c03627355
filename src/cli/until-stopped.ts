// Waits for Ctrl+C, SIGTERM or a terminal that is closed: how a command ends that has no end of its own.

export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    process.once('SIGHUP', resolve);
  });
}
