/** The script of an HTML export. Constant: the page's content policy holds its hash. */

/** Moves the playhead, and saves the log the page carries. It never makes markup of anything. */
export const PAGE_SCRIPT = `
(() => {
  const by = (id) => document.getElementById(id)
  const range = by('at'), label = by('moment'), cursor = by('cursor'), curve = by('curve'), strata = by('strata')
  const last = Number(range.max), row = Number(strata.dataset.row)
  const numbers = (text) => (text || '').split(' ').filter(Boolean).map(Number)
  const totals = numbers(curve.dataset.totals), marks = numbers(curve.dataset.marks)
  const spans = (text) => (text || '').split(' ').filter(Boolean).map((span) => {
    const [by, until] = span.split('-')
    return { by: Number(by), until: until ? Number(until) : Infinity }
  })
  const nodes = [...document.querySelectorAll('[data-seq]')].map((element) => ({
    element,
    seq: Number(element.dataset.seq),
    gone: spans(element.dataset.gone),
    lifted: element.dataset.lifted ? Number(element.dataset.lifted) : Infinity,
    isBox: element.localName === 'rect',
    look: -1,
    y: NaN,
  }))
  const goneOf = new Map(nodes.map(({ seq, gone }) => [seq, gone]))
  const overAt = (seq, at) => (goneOf.get(seq) || []).find(({ by, until }) => by <= at && at < until)
  const depthAt = (seq, at) => {
    let depth = 0
    for (let over = overAt(seq, at); over; over = overAt(over.by, at)) depth += 1
    return depth
  }
  const show = () => {
    const at = Number(range.value)
    for (const node of nodes) {
      const { element, seq, lifted, isBox } = node
      const over = node.gone.length > 0 && overAt(seq, at) !== undefined
      const look = (seq > at ? 1 : 0) + (lifted <= at ? 2 : 0) + (over ? 4 : 0)
      if (look !== node.look) {
        node.look = look
        element.classList.toggle('later', seq > at)
        element.classList.toggle('lifted', lifted <= at)
        element.classList.toggle('gone', over)
      }
      if (!isBox) continue
      const y = over ? depthAt(seq, at) * row : 0
      if (y !== node.y) element.setAttribute('y', (node.y = y))
    }
    const x = ((at + 1) / (last + 1)) * 1200
    cursor.setAttribute('x1', x)
    cursor.setAttribute('x2', x)
    const tokens = totals[Math.min(totals.length - 1, Math.floor((at / (last + 1)) * totals.length))]
    const words = 'event ' + at + ' of ' + last + ', ' + (tokens || 0).toLocaleString('en-US') + ' tokens'
    label.textContent = words
    range.setAttribute('aria-valuetext', words)
    by('before').disabled = !marks.some((mark) => mark < at)
    by('after').disabled = !marks.some((mark) => mark > at)
  }
  const go = (at) => {
    if (at === undefined) return
    range.value = at
    show()
  }
  let waiting = false
  range.addEventListener('input', () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => { waiting = false; show() })
  })
  by('before').addEventListener('click', () => go(marks.filter((mark) => mark < Number(range.value)).pop()))
  by('after').addEventListener('click', () => go(marks.find((mark) => mark > Number(range.value))))
  by('read').addEventListener('click', () => {
    const at = Number(range.value)
    const seen = nodes.filter(({ seq, isBox }) => !isBox && seq <= at).pop()
    if (seen) seen.element.scrollIntoView({ block: 'start' })
  })
  strata.addEventListener('click', ({ target }) => {
    const { seq } = target.dataset
    if (seq) location.hash = 'e' + Number(seq)
  })
  by('save').addEventListener('click', async () => {
    const text = by('palimpsest-log').textContent
    const parts = []
    for (let from = 0; from < text.length; from += 1048576)
      parts.push(Uint8Array.from(atob(text.slice(from, from + 1048576)), (one) => one.charCodeAt(0)))
    const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream('gzip'))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await new Response(stream).blob())
    link.download = 'session.jsonl'
    link.click()
  })
  for (const hidden of document.querySelectorAll('[hidden]')) hidden.hidden = false
  show()
})()
`
