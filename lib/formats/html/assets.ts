/** The style of an HTML export. Constant: the page's content policy holds its hash. */

/** The sixteen colours of terminals, readable on paper and on ink. */
const COLORS: readonly [light: string, dark: string][] = [
  ...([
    ['#3b4048', '#8b919b'],
    ['#b3261e', '#ff8a78'],
    ['#1f7a33', '#6cc67a'],
    ['#8a6100', '#e0b04c'],
    ['#1f5fbf', '#8db4ff'],
    ['#8e3a9d', '#dd8bea'],
    ['#0b7285', '#5cc9dc'],
    ['#5c6370', '#c3c8d0'],
    ['#57606a', '#a5acb6'],
    ['#c92a2a', '#ffa094'],
    ['#2b8a3e', '#8ada96'],
    ['#946800', '#f0c566'],
    ['#2b6fd6', '#a9c6ff'],
    ['#a044b0', '#e9a6f3'],
    ['#0c8599', '#7fdcec'],
    ['#3b4048', '#e6e9ee'],
  ] as [string, string][]),
]
const ansi = COLORS.map(
  (_, index) =>
    `.f${index}{color:var(--c${index})}.g${index}{background:var(--c${index});color:var(--paper)}`,
).join('')
const colors = (at: 0 | 1): string =>
  COLORS.map((pair, index) => `--c${index}:${pair[at]}`).join(';')

const LIGHT =
  '--paper:#faf8f4;--panel:#fffdf9;--line:#e6e0d5;--line2:#cdc5b6;--hover:#f2ede3;--ink:#1e1b16;--ink2:#5c5549;--ink3:#6f675a;' +
  '--accent:#973785;--soft:#f8eef4;--user:#4f6bd8;--user-ink:#4058c0;--assistant:#1a8272;--assistant-ink:#146f61;--call:#c98a1b;' +
  '--call-ink:#875708;--result:#d9a94a;--result-ink:#785b16;--summary:#a13d8f;--pruned:#7d7568;--notice:#b3aa9a;--err:#b23323'
const DARK =
  '--paper:#14130f;--panel:#1b1915;--line:#2e2b25;--line2:#474239;--hover:#292620;--ink:#ece7dc;--ink2:#aba393;--ink3:#9a9383;' +
  '--accent:#e08bce;--soft:#2b1e28;--user:#8ea2ff;--user-ink:#9bacff;--assistant:#4cc4ae;--assistant-ink:#58cdb7;--call:#e7b04c;' +
  '--call-ink:#e7b04c;--result:#b98f3f;--result-ink:#cda552;--summary:#dd7cc9;--pruned:#8f8779;--notice:#5f594e;--err:#ff8a78'

const SANS = 'Geist,"Noto Sans",system-ui,-apple-system,"Segoe UI",sans-serif'
const MONO = '"Geist Mono","Noto Sans Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'

export const PAGE_STYLE = `
:root{color-scheme:light;${LIGHT};${colors(0)}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${DARK};${colors(1)}}}
*{box-sizing:border-box}
html{scroll-padding:16px 0 148px}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.6 ${SANS};-webkit-text-size-adjust:100%}
a{color:inherit;text-decoration-color:var(--line2);text-underline-offset:2px}
a:hover{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
header,.strata-box,main{max-width:840px;margin:0 auto;padding:0 20px}
header{padding-top:40px}
.logo{margin:0 0 20px;font-size:13px;font-weight:600;letter-spacing:-.01em}.logo span{color:var(--accent)}
h1{margin:0;font-size:28px;line-height:1.2;letter-spacing:-.02em;font-weight:640;overflow-wrap:anywhere;text-wrap:balance}
.about{margin:8px 0 0;color:var(--ink2);font-size:13px;overflow-wrap:anywhere}
button{font:inherit;font-size:12px;color:var(--ink);background:var(--panel);border:1px solid var(--line2);border-radius:7px;padding:2px 10px;height:26px;cursor:default}
button:hover{background:var(--hover)}
button:disabled{opacity:.45}
.strata-box{margin-top:28px}
.strata-box p{margin:0 0 8px;color:var(--ink2);font-size:13px}.what{font-weight:600;color:var(--ink)}
svg{display:block;width:100%}
.strata{border-radius:4px}
rect{fill:var(--notice)}
.k-user{fill:var(--user)}.k-assistant{fill:var(--assistant)}.k-call{fill:var(--call)}.k-result{fill:var(--result)}.k-summary{fill:var(--summary)}.k-pruned{fill:var(--pruned)}
rect.gone{fill-opacity:.32}rect.lifted,rect.later{fill-opacity:0;pointer-events:none}
.strata rect{cursor:pointer}.strata rect:hover{fill-opacity:1}
.legend{display:flex;flex-wrap:wrap;gap:2px 16px;margin:10px 0 0;color:var(--ink2);font-size:12px}
.legend span{display:flex;align-items:center;gap:6px}.legend svg{width:10px;height:10px;border-radius:2px}
main{padding-top:12px;padding-bottom:190px}
article{padding:14px 0;border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 160px}
article:target{background:linear-gradient(90deg,var(--soft),transparent);box-shadow:-12px 0 0 var(--soft)}
h2{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 10px;margin:0 0 6px;font-size:13px;line-height:1.5;font-weight:600;overflow-wrap:anywhere}
h2 time,h2 .seq{font:12px/1.5 ${MONO};color:var(--ink3);font-weight:400}
h2 .seq{margin-left:auto;text-decoration:none}
.user h2 .who{color:var(--user-ink)}.assistant h2 .who{color:var(--assistant-ink)}.result h2 .who{color:var(--result-ink)}
.checkpoint h2 .who,.compaction h2 .who{color:var(--accent)}
.fact,.fate{color:var(--ink2);font-weight:400}.fate{flex-basis:100%;color:var(--accent)}.fact.error{color:var(--err)}
h3{margin:12px 0 4px;font-size:12px;line-height:1.5;color:var(--ink2);font-weight:500;overflow-wrap:anywhere}
code{font:.92em/1.5 ${MONO}}h3 code:first-of-type,h2 code:first-of-type{color:var(--call-ink);font-weight:600}h2 code,h3 code{color:var(--ink3);font-weight:400}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;font:12.5px/1.55 ${MONO};tab-size:4}
.words{unicode-bidi:isolate;overflow-wrap:anywhere}
.words>*{margin:0 0 .7em}.words>:last-child{margin-bottom:0}
.words p{white-space:pre-wrap}.words .head{font-weight:640}.words code{background:var(--hover);border-radius:4px;padding:1px 4px}
.words pre{padding:10px 12px;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.output,.data pre{max-height:21em;overflow:auto;padding:10px 12px;background:var(--panel);border:1px solid var(--line);border-radius:8px}
.info{color:var(--ink3)}
.thinking{padding-left:12px;border-left:2px solid var(--line2);color:var(--ink2);margin:0 0 10px}.thinking h3{margin-top:0}.thinking pre{font:14px/1.6 ${SANS}}
.compaction{margin:18px 0;padding:14px 16px;border:1px solid var(--summary);border-radius:12px;background:var(--soft)}
.compaction+article{border-top:0}
.compaction h2{font-size:15px}
.compaction blockquote{margin:10px 0 0;padding:0 0 0 12px;border-left:2px solid var(--summary)}
.change{font:12.5px/1.5 ${MONO};color:var(--ink2);font-weight:400}
.checkpoint{padding-left:12px;box-shadow:inset 2px 0 0 var(--summary)}
.note{padding:7px 0}.note h2{margin:0;font-weight:400;color:var(--ink2)}
.gone .words,.gone pre,.gone code{color:var(--ink2)}
article.later,article.lifted{opacity:.4}
h1,h2>*,h3,code,figcaption{unicode-bidi:isolate}
figure{margin:8px 0}figure img{display:block;max-width:100%;max-height:480px;border-radius:8px;border:1px solid var(--line)}
figcaption{margin-top:4px;color:var(--ink2);font-size:12px;overflow-wrap:anywhere}
.bold{font-weight:700}.dim{opacity:.7}.slant{font-style:italic}.line{text-decoration:underline}.struck{text-decoration:line-through}.swap{background:currentColor}.swap>*{filter:invert(1)}
${ansi}
.time{position:fixed;inset:auto 0 0;z-index:2;background:var(--panel);border-top:1px solid var(--line)}
.time>div{max-width:1240px;margin:0 auto;padding:8px 20px 12px}
.bar{display:flex;align-items:center;gap:6px;min-height:26px}
.bar output{flex:1;min-width:0;padding-left:6px;font:12px/1.5 ${MONO};color:var(--ink2);font-variant-numeric:tabular-nums;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.plot{position:relative;margin-top:6px}
.plot input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:ew-resize}
.plot:has(:focus-visible){outline:2px solid var(--accent);outline-offset:3px;border-radius:4px}
.curve{height:72px;overflow:visible}
.curve *{vector-effect:non-scaling-stroke}
.curve path{fill:var(--hover);stroke:var(--ink2);stroke-width:1}
.curve .limit{stroke:var(--err);stroke-opacity:.6;stroke-dasharray:4 4}
.mark,.dot{stroke:var(--summary);stroke-width:1.5}.dot{stroke-width:7;stroke-linecap:round}
.m-micro,.m-prune{stroke:var(--pruned)}.m-restore{stroke:var(--assistant)}
.mark.failed{stroke-dasharray:2 3}.dot.failed{stroke-opacity:.55}
.cursor{stroke:var(--ink);stroke-width:2}
@media(max-width:600px){header{padding-top:24px}h1{font-size:23px}.curve{height:52px}header,.strata-box,main{padding-left:16px;padding-right:16px}.time>div{padding:6px 16px 10px}h2 .seq{margin-left:0}#moment{font-size:11px;line-height:1.3;white-space:normal}}
@media(max-height:520px){.time{position:static}main{padding-bottom:40px}}
@media print{@page{margin:16mm 14mm}body{background:#fff;font-size:10.5pt}header,.strata-box,main,.time>div{max-width:none;padding:0}header{padding-top:0}
.time{position:static;border:0;background:none;margin-top:14px}.time .bar,.cursor,button{display:none}.plot input{display:none}main{padding-bottom:0}
article{content-visibility:visible}article.later,article.lifted{opacity:1}h2,h3{break-after:avoid}.output,.data pre{max-height:none;overflow:visible}
figure img{max-height:200mm}svg,rect,path,line{print-color-adjust:exact;-webkit-print-color-adjust:exact}.compaction{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`
