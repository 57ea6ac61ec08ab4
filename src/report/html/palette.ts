/** The colours and typefaces of all pages: quiet ink on paper, and one colour for loops. Light and dark follow the reader's system. */
export const PALETTE = `
:root {
  color-scheme: light dark;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --paper: light-dark(#fcfbf8, #16181b);
  --sheet: light-dark(#f2f0ea, #20242a);
  --rule: light-dark(#dfdbd1, #343a42);
  --ink: light-dark(#1c1f24, #e9e7e2);
  --quiet: light-dark(#5b6068, #a5abb3);
  --loop: light-dark(#b3360a, #ff9d66);
  --tint: light-dark(#fde3d5, #4a2a18);
  --new: light-dark(#5a88a5, #6d9dbb);
  --nothing: light-dark(#77808a, #8b949e);
  --failed: light-dark(#8f1d5b, #ef8fc0);
  --wait: light-dark(#6f7580, #9aa3ad);
  --message: light-dark(#6f7580, #9aa3ad);
}
`;
