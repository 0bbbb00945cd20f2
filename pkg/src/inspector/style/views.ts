// Styles of the views: bars, charts, lists, the timeline, the graph, the editor.

const tones = Array.from(
  { length: 9 },
  (_, n) => `.tone-${n}{background:var(--i-tone-${n});fill:var(--i-tone-${n})}`,
).join("");

export const views = `
${tones}
.figures{display:flex;flex-wrap:wrap;gap:4px 28px;margin-bottom:10px;color:var(--i-dim)}
.big{font-size:20px;font-weight:650;color:var(--i-text);letter-spacing:-.01em}
.bar{display:flex;height:12px;border-radius:4px;overflow:hidden;background:var(--i-sunk);box-shadow:inset 0 0 0 1px var(--i-line);min-width:40px}
.bar span{display:block;min-width:2px;border-right:1px solid var(--i-panel)}
.legend{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;margin-top:8px;color:var(--i-dim)}
.legend b{color:var(--i-text);margin-left:5px;font-weight:600}
.dot{display:inline-block;width:9px;height:9px;border-radius:3px;margin-right:5px;flex:none}
.bar+p,.card>p+button,.actions+.facts,.confirm+.facts,.content+.confirm,p>button{margin-top:10px}
.line+.task+table,.line+.task:empty+table{margin-top:8px}
.share{display:flex;gap:8px;align-items:center;min-width:90px}
.share .bar{flex:1;height:8px}
.items li{display:flex;gap:8px;align-items:flex-start;padding:5px 0;border-top:1px solid var(--i-line);font-size:13px}
.items li:first-child{border-top:0}
.items .kind{flex:none;width:84px;color:var(--i-dim);font-size:12px;line-height:1.6}
.items .dot{margin:5px 0 0}
.tall{max-height:max(60vh,420px);overflow:auto}
.tall .prompt{max-height:none}
.grow{flex:1;min-width:0}
.prompt,.data,.diff{background:var(--i-sunk);border-radius:6px;padding:10px;white-space:pre-wrap;overflow:auto;max-height:420px}
.data{margin-top:6px;max-height:240px}
.said{border-top:1px solid var(--i-line);padding:8px 0}
.said header{display:flex;gap:8px;align-items:baseline;font-size:12px;flex-wrap:wrap}
.said .data{padding:4px 8px;font-size:12px}
.originals{max-height:420px;overflow:auto}
.hits{counter-reset:hit;display:grid;gap:12px;margin-top:10px}
.hits li{border-top:1px solid var(--i-line);padding-top:10px}
.hits .bar{margin-top:5px;height:10px}
.missing li{flex-wrap:wrap}
.missing .grow,.missing .verdict{flex:1 1 22ch}
.whynot{display:grid;gap:8px}
.whynot label{max-width:420px}
.pairs{display:grid;gap:4px;margin-top:8px;font-size:13px}
.pairs>div{display:grid;grid-template-columns:minmax(84px,30%) minmax(0,1fr);gap:8px}
.pairs dt{color:var(--i-dim)}
.choices{display:grid;gap:2px;max-height:420px;overflow:auto;margin:0 -6px}
.choices button,.row,.leaf{border:0;background:none;width:100%;text-align:left;display:block;border-radius:6px;padding:6px;min-height:0}
.choices button:hover:enabled,.row:hover:enabled,.leaf:hover:enabled{background:var(--i-sunk);color:inherit}
button[aria-current=true],button[aria-current=true]:hover:enabled{background:var(--i-wash)}
.choices .name,.row .name{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.choices .name{font-weight:550}
.choices .dim{font-size:12px}
.scroll{max-height:360px;overflow-y:auto;margin:10px -6px 0}
@container inspector (min-width:760px){.scroll{max-height:max(62vh,420px)}}
.scroll>[role=list]{position:relative}
.slot{position:absolute;inset:0 0 auto 0;overflow:hidden;padding:0 2px}
.row{height:100%;padding:4px 6px}
.row .facts{flex-wrap:nowrap;overflow:hidden;white-space:nowrap;margin-top:1px}
.row .facts>*{flex:none}
.markdown>*+*{margin-top:4px}
.heading{font-weight:650}
.heading:not(:first-child){margin-top:10px}
.item{display:flex;gap:6px;padding-left:6px}
.quoted{border-left:3px solid var(--i-line);padding-left:8px}
.content{max-height:420px;overflow:auto;font-size:14px}
.quote button{margin:6px 0}
.quote{border-left:3px solid var(--i-line);padding-left:10px;margin:8px 0;max-height:280px;overflow:auto}
.table{overflow-x:auto}
.tools th,.tools td{min-width:0;padding-right:8px}
.tools .figure.right{white-space:nowrap}
.tools .share{min-width:70px}
@container inspector (max-width:480px){.tools .bar{display:none}.tools .share{min-width:0}.tools thead th{white-space:normal;overflow-wrap:normal;word-break:keep-all}}
table{border-collapse:collapse;width:100%;font-size:13px}
caption{text-align:left;font-weight:650;padding-bottom:6px}
th,td{text-align:left;padding:6px 10px 6px 0;border-top:1px solid var(--i-line);vertical-align:top;font-weight:400;min-width:72px;overflow-wrap:break-word;max-width:48ch}
thead th{border-top:0;color:var(--i-dim);font-size:12px;white-space:nowrap}
tbody th{font-weight:550}
th.right,td.right{text-align:right}
td.right:last-child,th.right:last-child{padding-right:2px}
.steps{list-style:decimal;padding-left:22px;margin:6px 0;font-size:13px}
.cards h3{margin:0}
.cards p{font-size:13px;margin-top:4px}
.cards p.facts,.cards p.dim{font-size:12px}
.timeline{display:grid;grid-template-columns:auto minmax(0,1fr);gap:12px;margin-top:10px}
.lanes div{display:flex;gap:8px;justify-content:space-between;height:20px;font-size:12px;align-items:center}
.lanes dt{font-weight:550}
.track-scroll{overflow-x:auto;padding-bottom:4px}
.track-scroll svg{display:block}
.track-scroll rect{cursor:pointer}
.ends{display:flex;justify-content:space-between;gap:12px;font-size:11.5px;margin-top:4px}
.lane-hot{fill:var(--i-tone-2)}.lane-warm{fill:var(--i-tone-5)}.lane-cold{fill:var(--i-tone-0)}.lane-frozen{fill:var(--i-tone-8)}
rect.on{stroke:var(--i-text);stroke-width:2}
.bracket-line{fill:none;stroke:var(--i-edge);stroke-width:1.2}
.bracket,.step{border-top:1px solid var(--i-line);padding:3px 0}
.bracket[open]{padding-bottom:10px}
.opened{border:1px solid var(--i-accent);border-radius:8px;padding:0 10px 8px;margin-top:10px}
.opened .said{border-top:0}
.axis{stroke:var(--i-line)}
.chain{display:flex;flex-wrap:wrap;gap:6px}
.chain li{display:flex;gap:6px;align-items:baseline;border:1px solid var(--i-line);border-radius:6px;padding:3px 8px;font-size:12px}
.chain li:not(:last-child)::after{content:"→"/"";color:var(--i-dim)}
.graph{width:100%;min-width:300px;height:auto;display:block}
.drawing{overflow-x:auto}
.graph text{font-size:12px;fill:var(--i-text);text-anchor:middle;paint-order:stroke;stroke:var(--i-panel);stroke-width:3px}
.graph .relation text{fill:var(--i-dim);font-size:11px}
.relation line,.head{fill:none;stroke:var(--i-edge);stroke-width:1}
.relation.on line,.head.on{stroke:var(--i-accent);stroke-width:2}
.node{cursor:pointer}
.node.on circle{stroke:var(--i-text);stroke-width:2.5}
.entities{max-height:420px;overflow:auto;font-size:13px}
.entities ul{list-style:disc;padding:0 0 6px 20px}
.entities>li{border-top:1px solid var(--i-line)}
.chart{margin:4px 0 12px}
.chart figcaption{font-size:12px;font-weight:600;margin-bottom:6px;display:flex;justify-content:space-between;gap:8px}
.chart figcaption .dim{font-weight:400}
.chart svg{width:100%;height:64px;display:block}
rect.good{fill:var(--i-tone-0)}rect.bad{fill:var(--i-bad)}
.rows>div{display:grid;grid-template-columns:minmax(60px,30%) minmax(0,1fr);gap:8px;font-size:12px;padding:3px 0}
.rows dt{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-family:var(--i-mono)}
.rows dd{display:flex;gap:8px;align-items:center}
.track{flex:1;height:8px;border-radius:4px;background:var(--i-sunk);overflow:hidden}
.track span{display:block;height:100%;border-radius:4px}
.tree{font-size:13px}
.tree .tree{padding-left:14px;border-left:1px solid var(--i-line);margin-left:4px}
.leaf{display:flex;justify-content:space-between;gap:8px;padding:4px 6px}
.leaf .figure{font-size:12px;flex:none}
.new-file{display:flex;gap:8px;align-items:end;margin-top:12px}
.new-file label{flex:1}
.editor .line>:first-child{flex-basis:26ch}
.editor textarea{width:100%;min-height:260px;height:40vh;resize:vertical;line-height:1.5;margin-top:8px;display:block}
.diff{padding:8px 0;max-height:360px}
.diff span{display:block;padding:0 10px;min-height:1.4em}
.plus{background:var(--i-good-wash);color:var(--i-good)}
.minus{background:var(--i-bad-wash);color:var(--i-bad)}
.running{display:flex;gap:10px;align-items:center;flex-wrap:wrap;margin-top:8px;font-size:13px}
progress{flex:1;min-width:90px;height:8px;accent-color:var(--i-accent)}
.result{margin-top:8px;color:var(--i-good)}
.confirm{display:grid;gap:10px}
fieldset{border:1px solid var(--i-line);border-radius:6px;padding:8px 12px}
legend{font-size:12px;color:var(--i-dim);padding:0 4px}
label.check{display:flex;align-items:center;gap:2px 6px;flex-wrap:wrap;font-size:13px;color:var(--i-text);font-weight:400;padding:3px 0}
label.check input{margin:0}
`;
