// Texts that would be more than text on a page that put them there as they are: each would set `window.isOwned`. And a
// run that has them everywhere.
import { startServer } from './counting-server.js';
import { openWorkdir, type Workdir } from './workdir.js';

export const HOSTILE_MARKUP = [
  '<script>isOwned=1</script>',
  '<img src=x onerror=isOwned=1>',
  '"><svg onload=isOwned=1>',
  `' onmouseover='isOwned=1' autofocus onfocus='isOwned=1`,
  '" style="animation-name:x" onanimationstart="isOwned=1',
  '</title><script>isOwned=1</script>',
  '</textarea></style></noscript><script>isOwned=1</script>',
  '--><script>isOwned=1</script><!--',
  ']]><script>isOwned=1</script>',
  '<a href="javascript:isOwned=1">javascript:isOwned=1</a>',
  '<iframe srcdoc="&lt;script&gt;parent.isOwned=1&lt;/script&gt;"></iframe>',
  '&lt;script&gt;isOwned=1&lt;/script&gt;',
  '${isOwned=1}{{isOwned=1}}`',
  '\u2028isOwned=1//',
  '<math><mtext><table><mglyph><style><img src=x onerror=isOwned=1>',
] as const;

/** The folder of run 1, which has them in names, columns, the name of its file and what the platform says. */
export async function openHostileRun(): Promise<Workdir> {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const platform = await startServer((_request, response) => {
    response.statusCode = 422;
    response.end(JSON.stringify({ error: HOSTILE_MARKUP.join(' ') }));
  });
  const hostile = openWorkdir(platform.url);
  const name = `"><svg onload=isOwned=1>'.csv`;
  const header = ['first_name', 'last_name', 'domain', ...HOSTILE_MARKUP].map(cell).join(',');
  const lines = HOSTILE_MARKUP.map((text, n) =>
    [text, 'Byron', `firm${n}.com`, ...HOSTILE_MARKUP].map(cell).join(','),
  );
  hostile.write(name, `${header}\n${lines.join('\n')}\n`);
  const how = ['--out', 'out.csv', '--ask', 'find_email', '--set', 'rate=off'];
  await hostile.sluice(['enrich', name, ...how]);
  return hostile;
}
