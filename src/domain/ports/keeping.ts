// Keeping the store itself in order: copies of it. A part of the store's contract.

export interface Upkeep {
  /**
   * Writes everything that is committed at this moment to a file of its own, checked and synced, which
   * appears whole or not at all; nobody is held up. Returns its size in bytes.
   * @throws SluiceError `usage` where something stands at `path`, `output` where it cannot be written
   */
  backup(path: string): Promise<number>;
}
