/** Does the work, and then closes what it needed, however it ended. */
export async function whileOpen<T extends { close(): void | Promise<void> }, R>(
  opened: T,
  work: (opened: T) => Promise<R>,
): Promise<R> {
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
