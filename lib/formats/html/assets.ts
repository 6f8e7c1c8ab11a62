/** The style and the script of an HTML export. Constant: the page's content policy holds their hashes. */

const COLORS = [
  ...['#3b4048', '#b3261e', '#2e7d32', '#8a6100', '#1f5fbf', '#8e3a9d', '#0b7285', '#6b7280'],
  ...['#57606a', '#d1382d', '#3c9a41', '#a87600', '#3b82f6', '#b455c4', '#1098ad', '#9aa3ad'],
]
const ansi = COLORS.map(
  (color, index) => `.f${index}{color:${color}}.g${index}{background:${color};color:#fff}`,
).join('')

export const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#fbfaf8;--ink:#1d1b18;--faint:#6d6862;--line:#dedad4;--raised:#fff;--accent:#a5561d}
@media (prefers-color-scheme:dark){:root{--ground:#171614;--ink:#eae6e0;--faint:#a09a92;--line:#37332e;--raised:#1f1d1b;--accent:#e09a5f}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1240px;padding:24px 20px 80px;background:var(--ground);color:var(--ink);font:14px/1.5 system-ui,sans-serif}
h1{font-size:22px;margin:0 0 4px;overflow-wrap:anywhere}
.about{color:var(--faint);margin:0 0 16px;overflow-wrap:anywhere}
a{color:var(--accent)}
svg{display:block;width:100%;background:var(--raised);border:1px solid var(--line);border-radius:6px}
svg.strata{height:170px;margin-bottom:8px}
svg.curve{height:110px}
.curve path{fill:var(--accent);fill-opacity:.25;stroke:var(--accent);stroke-width:1;vector-effect:non-scaling-stroke}
.curve line{stroke:var(--faint);vector-effect:non-scaling-stroke}
.curve .limit{stroke-dasharray:4 4}
.curve .mark{stroke:#7c3aed;stroke-width:2}
.curve .failed{stroke-dasharray:2 3}
.curve .cursor{stroke:var(--ink)}
rect{fill:#8d99a6}
.k-user{fill:#3b82c4}.k-notice{fill:#8d99a6}.k-assistant{fill:#4f9d69}.k-call{fill:#7fb58f}.k-result{fill:#c9a24a}.k-summary{fill:#7c3aed}.k-pruned{fill:#b58ae8}
rect.gone{fill-opacity:.35}rect.lifted,rect.later{fill-opacity:.1}
.legend{color:var(--faint);font-size:12px;margin:6px 0 18px}
.time{position:sticky;top:0;z-index:1;display:flex;gap:12px;align-items:center;padding:8px 0;background:var(--ground);border-bottom:1px solid var(--line)}
.time[hidden]{display:none}.time input{flex:1;accent-color:var(--accent)}.time output{font-variant-numeric:tabular-nums;min-width:17em}
article{margin:14px 0;padding:10px 14px;background:var(--raised);border:1px solid var(--line);border-left:4px solid #8d99a6;border-radius:6px;content-visibility:auto;contain-intrinsic-size:auto 120px;scroll-margin-top:56px}
article.user{border-left-color:#3b82c4}article.assistant{border-left-color:#4f9d69}article.result{border-left-color:#c9a24a}
article.checkpoint,article.compaction{border-left-color:#7c3aed}
article.note{padding:4px 14px;background:none}
article.gone{border-style:dashed;border-left-style:solid;border-left-color:#b9b4ad}
article.gone>*{opacity:.72}article.later,article.lifted{opacity:.35}
h2{font-size:13px;margin:0 0 6px;font-weight:600;overflow-wrap:anywhere}
article.note h2{margin:0;font-weight:400;color:var(--faint)}
h3{font-size:12px;margin:8px 0 2px;color:var(--faint);font-weight:600;overflow-wrap:anywhere}
time,.fact,.seq{color:var(--faint);font-weight:400;margin-left:6px}
.fate{color:#7c3aed;font-weight:400;margin-left:6px}
pre{margin:0 0 6px;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;font:12.5px/1.5 ui-monospace,monospace}
pre.words{font:14px/1.55 system-ui,sans-serif}
pre.output,.data pre,.thinking pre{max-height:26em;overflow:auto;padding:8px;background:var(--ground);border-radius:4px}
blockquote{margin:6px 0;padding-left:12px;border-left:2px solid #7c3aed}
figure{margin:6px 0}img{max-width:100%;max-height:480px}figcaption{color:var(--faint);font-size:12px;overflow-wrap:anywhere}
.bold{font-weight:700}.dim{opacity:.7}.slant{font-style:italic}.line{text-decoration:underline}.struck{text-decoration:line-through}.swap{filter:invert(1)}
${ansi}
@media print{body{max-width:none;padding:0;background:#fff;color:#000}.time,button{display:none}
article{content-visibility:visible;border-color:#bbb;background:none}article.later,article.lifted,article.gone>*{opacity:1}
pre.output,.data pre,.thinking pre{max-height:none;overflow:visible}h2{break-after:avoid}}
`

/** Moves the playhead, and saves the log the page carries. It never makes markup of anything. */
export const PAGE_SCRIPT = `
(() => {
  const by = (id) => document.getElementById(id)
  const range = by('at'), label = by('moment'), cursor = by('cursor'), curve = by('curve')
  const last = Number(range.max)
  const totals = (curve.dataset.totals || '').split(' ').map(Number)
  const spans = (text) => (text || '').split(' ').filter(Boolean).map((span) => {
    const [from, until] = span.split('-')
    return [Number(from), until ? Number(until) : Infinity]
  })
  const nodes = [...document.querySelectorAll('[data-seq]')].map((element) => ({
    element,
    seq: Number(element.dataset.seq),
    gone: spans(element.dataset.gone),
    lifted: element.dataset.lifted ? Number(element.dataset.lifted) : Infinity,
  }))
  const show = () => {
    const at = Number(range.value)
    for (const { element, seq, gone, lifted } of nodes) {
      element.classList.toggle('later', seq > at)
      element.classList.toggle('lifted', lifted <= at)
      element.classList.toggle('gone', gone.some(([from, until]) => from <= at && at < until))
    }
    const x = ((at + 1) / (last + 1)) * 1200
    cursor.setAttribute('x1', x)
    cursor.setAttribute('x2', x)
    const tokens = totals[Math.min(totals.length - 1, Math.floor((at / (last + 1)) * totals.length))]
    label.textContent = 'event ' + at + ' of ' + last + ', ' + (tokens || 0).toLocaleString('en-US') + ' tokens'
  }
  let waiting = false
  range.addEventListener('input', () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => { waiting = false; show() })
  })
  by('save').addEventListener('click', async () => {
    const binary = atob(by('palimpsest-log').textContent)
    const packed = new Blob([Uint8Array.from(binary, (one) => one.charCodeAt(0))])
    const stream = packed.stream().pipeThrough(new DecompressionStream('gzip'))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await new Response(stream).blob())
    link.download = 'session.jsonl'
    link.click()
  })
  by('time').hidden = false
  show()
})()
`
