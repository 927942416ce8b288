//! How does the page look? In the reader's own colours, light or dark.

/// The style sheet.
pub(super) const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c2126; --soft: #5b6670; --paper: #fcfcfa; --line: #d9dcd8;
  --accent: #1f5f8b; --win: 34, 120, 70; --loss: 178, 60, 40; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8e4; --soft: #a3adb5; --paper: #15191c;
  --line: #353c42; --accent: #7fbbe6; --win: 90, 190, 130; --loss: 235, 120, 95; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 0.5rem; border-bottom: 1px solid var(--line); }
p, li { max-width: 44rem; }
.lead { color: var(--soft); margin-top: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 0.5rem 0; }
caption { text-align: left; color: var(--soft); font-size: 0.9rem; padding: 0.3rem 0; }
th, td { padding: 0.3rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th[scope=row], th:first-child { text-align: left; }
th { font-weight: 600; }
td.met { border: 1px solid var(--paper); }
svg { display: block; width: 100%; max-width: 50rem; height: auto; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .soft { fill: var(--soft); }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .bar { stroke: var(--accent); stroke-width: 3; stroke-linecap: round; }
svg .dot { fill: var(--accent); }
svg .way { fill: none; stroke: var(--accent); stroke-width: 2; }
pre { overflow-x: auto; padding: 0.8rem; border: 1px solid var(--line); font-size: 0.85rem; }
code { overflow-wrap: anywhere; }
@media print { body { background: none; } }
";
