// Texts that would be more than text on a page that put them there as they are: each would set `window.isOwned`.
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
