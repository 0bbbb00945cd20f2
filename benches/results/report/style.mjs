// The style of the page. Everything is in the page itself: it loads nothing.

export const STYLE = `
:root {
  --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --rule: #dfe3e8; --shade: #f5f7f9;
  --own: #eaf1fd; --first: #146c2e; --behind: #b3261e; --even: #7a5c00; --link: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e6e9ec; --soft: #a0a8b1; --rule: #2d3339; --shade: #1b1f23;
    --own: #1b2a40; --first: #74c98a; --behind: #f2998f; --even: #dcbd5a; --link: #7cacf8;
  }
}
:root { color-scheme: light dark }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
main { max-width: 960px; margin: 0 auto; padding: 40px 24px 96px }
h1 { font-size: 32px; line-height: 1.2; margin: 0 0 12px; letter-spacing: -0.01em }
h2 { font-size: 22px; margin: 56px 0 8px; letter-spacing: -0.005em }
h3 { font-size: 16px; margin: 28px 0 6px }
p { margin: 8px 0; max-width: 70ch }
.lede { font-size: 18px; color: var(--soft) }
nav { margin: 20px 0 0; font-size: 14px; display: flex; flex-wrap: wrap; gap: 4px 16px }
a { color: var(--link); text-decoration: none }
a:hover { text-decoration: underline }
.warning { border-left: 4px solid var(--behind); background: var(--shade); padding: 10px 14px; max-width: none }
code { font: 0.88em ui-monospace, monospace; background: var(--shade); padding: 1px 4px; border-radius: 4px; overflow-wrap: anywhere }
.scroll { overflow-x: auto; margin: 12px 0 }
table { border-collapse: collapse; width: 100%; font-size: 14px; line-height: 1.4 }
th, td { text-align: left; padding: 7px 10px; border-bottom: 1px solid var(--rule); vertical-align: top }
th { font-weight: 600; color: var(--soft); white-space: nowrap; vertical-align: bottom }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
td small { display: block; color: var(--soft); font-size: 12px; font-weight: 400 }
td.text small { white-space: normal }
tr.own td { background: var(--own) }
td.best { font-weight: 700 }
.dense { font-size: 12.5px } .dense th, .dense td { padding: 5px 6px }
.duels td { width: 28% } .duels td:first-child { width: 16%; font-weight: 600 }
.verdict { font-weight: 600; white-space: nowrap }
.first { color: var(--first) } .behind { color: var(--behind) } .even { color: var(--even) }
.tally { display: flex; flex-wrap: wrap; gap: 12px; margin: 16px 0; padding: 0; list-style: none }
.tally li { flex: 1 1 180px; border: 1px solid var(--rule); border-radius: 10px; padding: 12px 16px }
.tally b { display: block; font-size: 30px; line-height: 1.2 }
figure { margin: 16px 0; border: 1px solid var(--rule); border-radius: 10px; overflow: hidden }
figure svg { display: block; width: 100%; height: auto }
`;
