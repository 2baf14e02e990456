/** Contrast is 4.5 and better in both schemes; colour never says anything alone. */
export const htmlStyle = `
:root { color-scheme: light dark; --ink: #1d2129; --muted: #565e6c; --paper: #fff; --card: #f5f6f8; --line: #c9ced6; --link: #1a56b0;
  --fail: #a3162a; --fail-soft: #fde7ea; --warn: #7a4a00; --warn-soft: #fff0d1; --pass: #12613a; --pass-soft: #dff5e7; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --muted: #a5adba; --paper: #14171c; --card: #1d2128; --line: #3a414c; --link: #8ab8ff;
    --fail: #ffb3bc; --fail-soft: #4a1720; --warn: #ffd58a; --warn-soft: #45310a; --pass: #9be3b8; --pass-soft: #113a24; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 20px; margin: 32px 0 8px; overflow-wrap: anywhere; }
h3 { font-size: 15px; margin: 0; } p { margin: 4px 0; overflow-wrap: anywhere; }
a { color: var(--link); } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
pre { background: var(--card); padding: 8px; white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0; }
.muted, caption { color: var(--muted); } .note { border-left: 4px solid var(--line); padding-left: 12px; }
.scroll { overflow-x: auto; margin-top: 16px; } table { border-collapse: collapse; width: 100%; }
caption { text-align: left; } th, td { text-align: left; padding: 8px; border-bottom: 1px solid var(--line); vertical-align: top; }
th[scope=row] { overflow-wrap: anywhere; min-width: 8em; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.checks { list-style: none; margin: 0; padding: 0; }
.check { padding: 12px 16px; margin: 8px 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.badge { display: inline-block; padding: 0 8px; border-radius: 4px; font-size: 12px; font-weight: 600; border: 1px solid currentColor; }
.fail { color: var(--fail); background: var(--fail-soft); } .warn { color: var(--warn); background: var(--warn-soft); }
.pass { color: var(--pass); background: var(--pass-soft); } .not_applicable { color: var(--muted); }
summary { cursor: pointer; padding: 4px 0; } details li { overflow-wrap: anywhere; }
@media print { details > * { display: block; } .check { break-inside: avoid; } }
`;
