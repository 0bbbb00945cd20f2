// Colours, controls and the frame. An app can override the colours.

export const base = `
:host{
color-scheme:light dark;display:block;min-inline-size:min(100%,320px);container:inspector/inline-size;
--i-bg:var(--keepsake-background,light-dark(#f6f7f9,#14161a));
--i-panel:var(--keepsake-panel,light-dark(#ffffff,#1b1e24));
--i-sunk:light-dark(#f0f2f5,#12141a);
--i-text:var(--keepsake-text,light-dark(#1a1e25,#e6e9ee));
--i-dim:var(--keepsake-dim,light-dark(#565e6b,#a3abb8));
--i-line:var(--keepsake-line,light-dark(#dfe3e8,#2c313a));
--i-edge:light-dark(#868e9b,#6d7583);
--i-accent:var(--keepsake-accent,light-dark(#2456c4,#8fb4ff));
--i-on-accent:var(--keepsake-on-accent,light-dark(#ffffff,#0d1526));
--i-wash:light-dark(#e8effc,#222c42);
--i-bad:light-dark(#b3261e,#ff9d94);
--i-bad-wash:light-dark(#fdecea,#3a1f1e);
--i-good:light-dark(#1c6b3a,#83d6a1);
--i-good-wash:light-dark(#e6f4ea,#17301f);
--i-tone-0:light-dark(#3a6fd8,#7ea6ff);
--i-tone-1:light-dark(#0f8a83,#4cc7bd);
--i-tone-2:light-dark(#b0660a,#e5a54b);
--i-tone-3:light-dark(#7d55c7,#b799f5);
--i-tone-4:light-dark(#3d8a2f,#86cf74);
--i-tone-5:light-dark(#c2407f,#f08cbb);
--i-tone-6:light-dark(#2f7fa8,#6dbfe6);
--i-tone-7:light-dark(#7d7400,#d3cb4e);
--i-tone-8:light-dark(#7a8290,#8b93a1);
--i-mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;
font:14px/1.45 var(--keepsake-font,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif);
color:var(--i-text);background:var(--i-bg);
}
:host([hidden]){display:none}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
*,::before,::after{box-sizing:border-box}
h2,h3,h4,p,ul,ol,dl,dd,figure,pre,fieldset{margin:0;padding:0}
ul,ol{list-style:none}
h2{font-size:13px;font-weight:650;line-height:1.4}
h3{font-size:13px;font-weight:600;margin-top:12px}
h4{font-size:12px;font-weight:600;color:var(--i-dim);margin-top:8px}
code,pre,textarea{font-family:var(--i-mono);font-size:12.5px}
:focus-visible{outline:2px solid var(--i-accent);outline-offset:1px;border-radius:4px}
.app{min-height:100%;overflow-wrap:anywhere}
.view{padding:12px;display:grid;gap:12px;grid-template-columns:minmax(0,1fr);outline-offset:-3px}
.top{position:sticky;top:0;z-index:2;background:var(--i-panel);border-bottom:1px solid var(--i-line)}
.tabs{position:relative;display:flex;gap:2px;overflow-x:auto;padding:0 8px;scrollbar-width:none}
.tabs button{flex:none;border:0;border-radius:0;background:none;padding:10px;font-weight:600;color:var(--i-dim);border-bottom:2px solid transparent}
.tabs button:hover:enabled:not([aria-selected=true]){color:var(--i-text);border-color:transparent}
.tabs button[aria-selected=true]{color:var(--i-accent);border-bottom-color:var(--i-accent)}
.tabs button:focus-visible{outline-offset:-3px}
.view .tabs{padding:0;border-bottom:1px solid var(--i-line)}
.view>[role=tabpanel]{outline-offset:3px}
.card{background:var(--i-panel);border:1px solid var(--i-line);border-radius:8px;padding:12px;min-width:0;display:flow-root}
.card.on,.step.on{border-color:var(--i-accent);box-shadow:0 0 0 1px var(--i-accent)}
.card>h2{margin-bottom:8px}
.dim{color:var(--i-dim)}
.small{font-size:12px;font-weight:400}
.figure{font-variant-numeric:tabular-nums}
.right{text-align:right}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;margin:0}
.empty{color:var(--i-dim);padding:16px 4px;max-width:60ch}
.hint{display:block;margin-top:6px;font-size:12px}
.failed{color:var(--i-bad);background:var(--i-bad-wash);border-radius:6px;padding:8px 10px;margin:6px 0}
.text{white-space:pre-wrap}
.line{display:flex;gap:8px;align-items:baseline;justify-content:space-between;flex-wrap:wrap}
.line>:first-child{flex:1 1 12ch;min-width:0}
.facts{display:flex;flex-wrap:wrap;gap:2px 10px;align-items:baseline;font-size:12px;margin-top:4px}
.tag{display:inline-block;font-size:12px;line-height:1.5;padding:0 6px;border-radius:4px;background:var(--i-wash);color:var(--i-text);max-width:32ch;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom}
.tag.bad{background:var(--i-bad-wash);color:var(--i-bad)}
button,.button,input,select,textarea{font:inherit;color:inherit}
button,.button{border:1px solid var(--i-edge);background:var(--i-panel);border-radius:6px;padding:5px 10px;cursor:pointer;line-height:1.4;min-height:30px}
button:hover:enabled,.button:hover{border-color:var(--i-accent);color:var(--i-accent)}
button:disabled,.button[aria-disabled=true]{color:var(--i-dim);border-color:var(--i-line);background:var(--i-sunk);cursor:default}
.button:focus-within{outline:2px solid var(--i-accent);outline-offset:1px}
button.main:enabled{background:var(--i-accent);border-color:var(--i-accent);color:var(--i-on-accent);font-weight:600}
button.main:hover:enabled{color:var(--i-on-accent);filter:brightness(1.06)}
button.danger:enabled{border-color:var(--i-bad);color:var(--i-bad)}
button.ref{border:0;background:none;padding:0;min-height:0;color:var(--i-accent);text-align:left;border-radius:2px}
button.ref:hover:enabled{text-decoration:underline}
button.out::after{content:" ↗"/"";font-size:.85em}
input:not([type=range],[type=checkbox],[type=file]),select,textarea{width:100%;background:var(--i-panel);border:1px solid var(--i-edge);border-radius:6px;padding:5px 8px;min-height:32px}
textarea{font-family:var(--i-mono);font-size:12.5px}
input::placeholder{color:var(--i-dim);opacity:1}
input[type=range]{width:100%;accent-color:var(--i-accent);margin:6px 0}
input[type=checkbox]{accent-color:var(--i-accent);margin:0 6px 0 0}
label{display:block;font-size:12px;color:var(--i-dim);font-weight:550}
label>input,label>select,label>textarea{font-size:14px;font-weight:400;color:var(--i-text);margin-top:3px}
.button{display:inline-block;color:var(--i-text);font-size:14px;font-weight:400;position:relative}
.controls{display:grid;gap:10px;grid-template-columns:minmax(0,1fr);align-items:end}
.actions{display:flex;gap:8px;flex-wrap:wrap;align-items:center;margin-top:8px}
.columns,.sides{display:grid;gap:12px;grid-template-columns:minmax(0,1fr);align-items:start}
.stack{display:grid;gap:12px;grid-template-columns:minmax(0,1fr)}
.cards{display:grid;gap:10px;grid-template-columns:repeat(auto-fill,minmax(min(100%,260px),1fr))}
details>summary{cursor:pointer;padding:4px 0}
summary:hover{color:var(--i-accent)}
@container inspector (min-width:760px){
.view{padding:16px;gap:14px}
.controls{grid-template-columns:repeat(auto-fit,minmax(180px,1fr))}
.columns{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
.sides{grid-template-columns:minmax(220px,280px) minmax(0,1fr)}
.sides.even{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
}
@media (prefers-reduced-motion:no-preference){button,.button{transition:border-color .12s,color .12s}}
@media (forced-colors:active){.bar span,.dot,.track span{forced-color-adjust:none}}
`;
