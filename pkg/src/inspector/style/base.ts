// Colours, controls and the frame. An app sets the colours that it wants to be its own.

export const base = `
:host{
color-scheme:light dark;display:block;min-inline-size:min(100%,320px);container:inspector/inline-size;
--bg:var(--keepsake-background,light-dark(#f6f7f9,#14161a));
--panel:var(--keepsake-panel,light-dark(#ffffff,#1b1e24));
--sunk:light-dark(#f0f2f5,#12141a);
--text:var(--keepsake-text,light-dark(#1a1e25,#e6e9ee));
--dim:var(--keepsake-dim,light-dark(#565e6b,#a3abb8));
--line:var(--keepsake-line,light-dark(#dfe3e8,#2c313a));
--edge:light-dark(#868e9b,#6d7583);
--accent:var(--keepsake-accent,light-dark(#2456c4,#8fb4ff));
--on-accent:var(--keepsake-on-accent,light-dark(#ffffff,#0d1526));
--wash:light-dark(#e8effc,#222c42);
--bad:light-dark(#b3261e,#ff9d94);
--bad-wash:light-dark(#fdecea,#3a1f1e);
--good:light-dark(#1c6b3a,#83d6a1);
--good-wash:light-dark(#e6f4ea,#17301f);
--tone-0:light-dark(#3a6fd8,#7ea6ff);
--tone-1:light-dark(#0f8a83,#4cc7bd);
--tone-2:light-dark(#b0660a,#e5a54b);
--tone-3:light-dark(#7d55c7,#b799f5);
--tone-4:light-dark(#3d8a2f,#86cf74);
--tone-5:light-dark(#c2407f,#f08cbb);
--tone-6:light-dark(#2f7fa8,#6dbfe6);
--tone-7:light-dark(#7a8290,#8b93a1);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;
font:14px/1.45 var(--keepsake-font,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif);
color:var(--text);background:var(--bg);
}
:host([hidden]){display:none}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark}
*,::before,::after{box-sizing:border-box}
h2,h3,h4,p,ul,ol,dl,dd,figure,pre,fieldset{margin:0;padding:0}
ul,ol{list-style:none}
h2{font-size:13px;font-weight:650;line-height:1.4}
h3{font-size:13px;font-weight:600;margin-top:12px}
h4{font-size:12px;font-weight:600;color:var(--dim);margin-top:8px}
code,pre,textarea{font-family:var(--mono);font-size:12.5px}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px;border-radius:4px}
.app{min-height:100%;overflow-wrap:anywhere}
.view{padding:12px;display:grid;gap:12px;grid-template-columns:minmax(0,1fr);outline-offset:-3px}
.top{position:sticky;top:0;z-index:2;background:var(--panel);border-bottom:1px solid var(--line)}
.tabs{position:relative;display:flex;gap:2px;overflow-x:auto;padding:0 8px;scrollbar-width:thin}
.tabs button{flex:none;border:0;border-radius:0;background:none;padding:10px;font-weight:550;color:var(--dim);border-bottom:2px solid transparent}
.tabs button:hover{color:var(--text)}
.tabs button[aria-selected=true]{color:var(--accent);border-bottom-color:var(--accent)}
.tabs button:focus-visible{outline-offset:-3px}
.view .tabs{padding:0;border-bottom:1px solid var(--line)}
.view>[role=tabpanel]{outline-offset:3px}
.card{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:12px;min-width:0;display:flow-root}
.card.on,.step.on{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.card>h2{margin-bottom:8px}
.dim{color:var(--dim)}
.small{font-size:12px;font-weight:400}
.figure{font-variant-numeric:tabular-nums}
.right{text-align:right}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;margin:0}
.empty{color:var(--dim);padding:16px 4px;max-width:60ch}
.failed{color:var(--bad);background:var(--bad-wash);border-radius:6px;padding:8px 10px;margin:6px 0}
.text{white-space:pre-wrap}
.line{display:flex;gap:8px;align-items:baseline;justify-content:space-between;flex-wrap:wrap}
.line>:first-child{flex:1 1 12ch;min-width:0}
.facts{display:flex;flex-wrap:wrap;gap:2px 10px;align-items:baseline;font-size:12px;margin-top:4px}
.tag{display:inline-block;font-size:11.5px;line-height:1.5;padding:0 6px;border-radius:4px;background:var(--wash);color:var(--text);max-width:32ch;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom}
.tag.bad{background:var(--bad-wash);color:var(--bad)}
button,.button,input,select,textarea{font:inherit;color:inherit}
button,.button{border:1px solid var(--edge);background:var(--panel);border-radius:6px;padding:5px 10px;cursor:pointer;line-height:1.4;min-height:30px}
button:hover:enabled,.button:hover{border-color:var(--accent);color:var(--accent)}
button:disabled,.button[aria-disabled=true]{color:var(--dim);border-color:var(--line);background:var(--sunk);cursor:default}
.button:focus-within{outline:2px solid var(--accent);outline-offset:1px}
button.main:enabled{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}
button.main:hover:enabled{color:var(--on-accent);filter:brightness(1.06)}
button.danger:enabled{border-color:var(--bad);color:var(--bad)}
button.ref{border:0;background:none;padding:0;min-height:0;color:var(--accent);text-align:left;border-radius:2px;overflow-wrap:anywhere}
button.ref:hover:enabled{text-decoration:underline}
button.out::after{content:" ↗"/"";font-size:.85em}
input:not([type=range],[type=checkbox],[type=file]),select,textarea{width:100%;background:var(--panel);border:1px solid var(--edge);border-radius:6px;padding:5px 8px;min-height:32px}
textarea{font-family:var(--mono);font-size:12.5px}
input::placeholder{color:var(--dim);opacity:1}
input[type=range]{width:100%;accent-color:var(--accent);margin:6px 0}
input[type=checkbox]{accent-color:var(--accent);margin:0 6px 0 0}
label{display:block;font-size:12px;color:var(--dim);font-weight:550}
label>input,label>select{font-size:14px;font-weight:400;color:var(--text);margin-top:3px}
.button{display:inline-block;color:var(--text);font-size:14px;font-weight:400;position:relative}
.controls{display:grid;gap:10px;grid-template-columns:minmax(0,1fr);align-items:end}
.actions{display:flex;gap:8px;flex-wrap:wrap;align-items:center;margin-top:8px}
.columns,.sides{display:grid;gap:12px;grid-template-columns:minmax(0,1fr);align-items:start}
.stack{display:grid;gap:12px;grid-template-columns:minmax(0,1fr)}
.cards{display:grid;gap:10px;grid-template-columns:repeat(auto-fill,minmax(min(100%,260px),1fr))}
details>summary{cursor:pointer;padding:4px 0}
summary:hover{color:var(--accent)}
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
