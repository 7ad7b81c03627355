// Waits for Ctrl+C or SIGTERM: how a command ends that has no end of its own.

export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
