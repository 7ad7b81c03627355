// Times and waits as people read them; `time.ts` has those of files and headers.

/** `2026-11-21 07:40:12`, in UTC. */
export function formatTime(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** `850 ms`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(durationMs: number): string {
  if (Math.round(durationMs) < 1000) return `${Math.round(durationMs)} ms`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
  const hours = Math.floor(minutes / 60);
  return `${hours} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}
