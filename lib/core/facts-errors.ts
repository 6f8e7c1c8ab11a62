/** Error codes and messages. A message runs to the end of its line, or of the quotation it stands in. */

import {
  CLASS,
  CODE,
  ERROR_KEY,
  FAILURE,
  OPENING,
  PHRASE,
  PHRASE_ABROAD,
  SAID,
  TOLD,
} from './facts-failures'
import { lineStart, type Span } from './facts-literals'
import { lineEnd, messageEnd, phraseStart, quoteBefore, span } from './facts-messages'

/** A dotted name of a class alone at the start of a line, with a message: `worker.errors.GaveUp: …`. */
const DOTTED = /^(?:[a-z_]\w{0,40}(?:\.|::)){1,8}[A-Z]\w{2,60}: (?=\S)/gm

/**
 * A program that speaks of itself (`ld: symbol(s) not found`, `curl: (22) …`, `./run.sh: line 3: …`), in no
 * text's own words such as `Note: …` or `fix: …`.
 */
const PROGRAM =
  /^(?!(?:kernel|warning|warn|info|note|hint|help|description|title|summary|message|name|reason|comment|text|label|todo|fix|feat|chore|docs|test|tests|refactor|perf|style|build|ci|revert|if|when|on): )(?:(?:E|[a-z][\w.+-]{1,30}|\/usr\/[\w./+-]{2,80}|\.\/[\w./+-]{2,80}(?=: line \d))(?:\[\d{1,7}\])?): (?=\S)/gm

/** Words that open a message when a colon follows, with what may stand before and after them. */
const WORDS =
  '[Ee]rror|ERROR|ERR!|[Ff]atal|FATAL|[Pp]anic|PANIC|[Ff]ailed|FAILED|Failure|FAILURE|[Uu]ncaught|Unhandled (?:exception|rejection)|' +
  'FEHLER|[Ff]ehler|[Ee]rreur|ERREUR|[Ee]rro|ERRO|[Ee]rrore|ERRORE|BŁĄD|[Bb]łąd|[Ff]out|FOUT|Caused by|[Oo]ut of memory|Module not found|' +
  'upload failed|Segmentation fault|[Aa]ssertion failed|std::[a-z_]{3,40}'
const BEFORE =
  '(?:PHP|npm|rsync|verify|fatal|runtime|syntax|parse|compile|compilation|build|link|linker|internal|compiler|unexpected|unhandled|uncaught|database|network|Fatal|Parse|Syntax|Runtime|Internal|Compilation|Unexpected|Uncaught|Python|LaTeX|SQL|API|SSL|TLS|I/O) '
const AFTER =
  ' (?:response from daemon|from server|during|while|in|on line|at line|reading|loading|parsing|opening|creating|writing|connecting|executing|running)(?: [^\\s:]{1,40}){0,5}'
const LEAD = new RegExp(
  `(?<![\\w.$/-])(?:${BEFORE}){0,2}(?:${WORDS}|psql:[^\\s:]{1,200}:\\d{1,6}: [A-ZА-Я]{4,10}|[Aa]n (?:\\w{2,20} )?(?:error|exception) (?:has )?occurred(?: [^\\s:]{1,40}){0,8})` +
    `(?:\\[[\\w-]{1,20}\\]| [A-Z]{1,6}\\d{1,6}|${AFTER})?(?: \\([\\w ]{1,40}\\))?\\s?: {0,3}(?=\\S)` +
    '(?!(?:unknown|string|Error|any|null|undefined|boolean|true|false|number|void|never)\\b[^ ]|[{(]|\\[\\]|\\w{1,40}[,;)])' +
    '|(?:[Оо]шибка|ОШИБКА|[Пп]омилка|错误|錯誤|エラー|异常|失败|失敗|오류) ?[:：] {0,3}(?=\\S)',
  'g',
)

/** What a compiler says of a place without a lead: `main.go:14:2: undefined: strconv`. */
const POSITIONED =
  /^[^\s:]{1,200}:\d{1,6}(?::\d{1,6})?: (?=\S)(?!warning|note|info|hint|error|fatal)/gm

/** Log levels and the leads of tools, after which a message needs no colon. */
const LEVEL =
  /(?<![\w.$/-])(?:\[(?:ERROR|FATAL)\]|ERROR|FATAL|CRITICAL|SEVERE|npm (?:error|ERR!)|✖|\*\* \([A-Z][\w.]{1,80}\)|FAILED(?= \S+::)|(?<=\d {1,8})error(?= {2}))(?= +\S)|(?<![\w.])(?:thread '[^'\n]{1,60}' panicked at|make(?:\[\d\])?: \*\*\*(?= )|Msg \d{1,6}, Level(?= \d)|(?:Error|Failed at step) (?=\d{1,3}\b|[A-Z]+ ))/g

/** Where a quotation may open; typographic marks open anywhere. */
const OPENER = /(?:(?<=^|[\s(=:[{,])["`'‘]|(?<=\s)»(?=\p{L})|[“„«「『])\s?(?=\S)/gmu

/** Openings of messages that no sentence has: panics, numbers of the system, replies of mail servers and Redis. */
const PLAIN =
  /(?<=[`"«“「]\s?)(?:thread '[^'\n]{1,60}' panicked|panic:)|\[(?:Errno|WinError) \d{1,5}\] (?=\S)|(?<![\w.])[45]\d\d[ -][45]\.\d{1,2}\.\d{1,3} (?=\S)|(?<![\w.])(?:WRONGTYPE|NOAUTH|WRONGPASS|MISCONF|READONLY|CLUSTERDOWN|NOSCRIPT|BUSYGROUP) (?=[A-Z]\w)|CONFLICT \([\w/ ]{2,30}\): |! \[(?:remote )?rejected\](?= )|FATAL EXCEPTION: |signal (?<=\[signal )SIG[A-Z]{2,6}: |^[A-Z][a-z]{2,12}-[A-Z]\w{1,40} : (?=\S)|^(?:\* )?Execution failed for task(?= ')|(?:x509|tls|dial tcp|rpc error): (?<=\| [^|]{3,9}: )(?=\S)|^\[SC\] (?=[^\n]{1,80}(?:FAILED|ошибка|Fehler|[Ee]rror|échec))|^(?:(?:Killed|Aborted|Terminated|Trace\/BPT trap)(?:: \d{1,2})?|! (?:LaTeX|Package|Undefined|Missing|Emergency|Extra|Misplaced|Paragraph|Argument|Dimension|Illegal|I can['’]t|TeX) [^\n]{3,80}\.)$/gm

/** The fields between a level and its message: `ERROR [pool-2] io.acme.Feed - `. */
const LOGGER =
  /^(?:ERROR|FATAL|CRITICAL|SEVERE)\s{1,4}(?:\d{1,7} --- )?(?:\[[^\]\n]{0,40}\]\s{0,4})?[\w.$/]{2,80}\s{0,20}[-:] (?=\S)/

/** Levels that are no part of the message they open, with the fields of their log. */
const LEVEL_BEFORE =
  /##\[error\]|^\s{0,8}E \(\d{1,9}\) [\w-]{1,30}: (?=\S)|\braised unexpected: (?=\w)|^E {3,7}(?=assert )|\(error\) (?=[A-Z])|(?:[Ff]ehlermeldung|[Ee]rror message|[Mm]essage d['’]erreur|[Mm]ensaje de error|[Mm]ensagem de erro|[Mm]essaggio di errore|[Ff]outmelding|[Сс]ообщение об ошибке|エラーメッセージ|错误信息|报错) ?[:：] (?=[^\s"“„«「'`])|\[(?:error|crit|alert|emerg)\] (?:\d{1,9}#\d{1,9}: )?(?:\*\d{1,9} )?(?=\S)|level=(?:error|fatal|panic) (?:[^\n]{0,80} )?msg="/gm

/**
 * Errors of a text. In prose (what users and assistants write) a message that is not quoted ends with
 * its sentence, and only quoted or led messages count; what is fenced or indented in prose is output all the same.
 */
export function* errors(text: string, prose: boolean): Generator<Span> {
  const isProse = prose ? outsidePastes(text) : () => false
  const codes = [...text.matchAll(CODE)]
  yield* outermost([
    ...named(text, isProse),
    ...spoken(codes, text, isProse),
    ...led(text, isProse),
    ...quoted(text, prose),
  ])
  yield* phrased(text, isProse)
  for (const { index, 0: literal } of codes) yield { from: index, to: index + literal.length }
}

type IsProse = (at: number) => boolean

/** A line that was pasted without a fence: indented and no item of a list, or with a time or a prompt. */
const PASTED =
  /^(?: {2,}|\t)(?![-*•\d])|^\[?(?:\d{4}([-/])\d\d\1\d\d[T ]|[A-Z][a-z]{2} [ \d]\d \d\d:|\d\d:\d\d:\d\d)|^\$ /

/** False between the marks of fenced code and in pasted lines; a search in the places of the marks. */
function outsidePastes(text: string): IsProse {
  const marks = [...text.matchAll(/^[ \t]{0,3}```/gm)].map(({ index }) => index)
  return (at) => {
    let [low, high] = [0, marks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((marks[middle] as number) <= at) low = middle + 1
      else high = middle
    }
    const start = lineStart(text, at)
    if (low % 2 === 1 || PASTED.test(text.slice(start, start + 12))) return false
    // A line by itself behind "it says:" was pasted too, unless it is a sentence or an item.
    const line = text.slice(start, lineEnd(text, start))
    return (
      !/[:：]\s*\n\s*$/.test(text.slice(Math.max(0, start - 8), start)) ||
      /^\s*[-*•\d]|[.!?:。]\s*$|[.!?] \p{Lu}/u.test(line)
    )
  }
}

/** In order of place, the longest first: one message may open with several leads. */
const outermost = (spans: Span[]): Span[] => spans.sort((a, b) => a.from - b.from || b.to - a.to)

/** Classes of errors, with their message where one follows. */
function* named(text: string, isProse: IsProse): Generator<Span> {
  for (const match of text.matchAll(CLASS)) {
    const from = match.index
    const rest = text.slice(from + match[0].length, from + match[0].length + 60)
    if (match[0] === 'Error' && text[from - 1] === '/') continue
    const opened =
      /^(?: \[\w{2,40}\])?(?:\s\d{1,4})?: {0,3}(?=\S)/.test(rest) ||
      (/^ \(\p{L}/u.test(rest) && from === lineStart(text, from) && !isProse(from))
    if (opened) yield span(text, from, messageEnd(text, from, isProse(from)))
    else if (!/^(?:Error|Exception|Panic)$/.test(match[0]))
      yield { from, to: from + match[0].length }
  }
}

/** Codes with the message behind them: `ORA-00942: table or view does not exist`. */
function* spoken(codes: RegExpExecArray[], text: string, isProse: IsProse): Generator<Span> {
  for (const { index, 0: code } of codes)
    if (
      !code.startsWith('SIG') &&
      /^(?:: | {2})(?=\p{L})/u.test(text.slice(index + code.length, index + code.length + 4))
    )
      yield span(text, index, messageEnd(text, index, isProse(index)))
}

/** Messages behind a lead: a word, a level, a program's or a class's name. */
function* led(text: string, isProse: IsProse): Generator<Span> {
  for (const { index, 0: lead } of text.matchAll(LEAD)) {
    if (HTTP_BEFORE.test(text.slice(Math.max(0, index - 40), index))) continue
    const prose = isProse(index)
    // Of "the last error: HTTP 504 on …" in a sentence the code is the error.
    const isCode = prose && STARTS_WITH_CODE.test(text.slice(index + lead.length).slice(0, 80))
    if (isCode && !quoteBefore(text, index)) continue
    const from = prose
      ? index
      : index -
        (SUBJECT.exec(text.slice(Math.max(lineStart(text, index), index - 60), index))?.[1]
          ?.length ?? 0)
    yield span(text, from, messageEnd(text, from, prose, index + lead.length - from))
  }
  for (const { index } of text.matchAll(PLAIN))
    yield span(text, index, messageEnd(text, index, isProse(index)))
  for (const { index, 0: before } of text.matchAll(LEVEL_BEFORE))
    yield span(text, index + before.length, messageEnd(text, index + before.length, isProse(index)))
  for (const { index, 0: place } of text.matchAll(POSITIONED)) {
    const from = index + place.length
    if (isFailing(text, from)) yield span(text, from, messageEnd(text, from, isProse(from)))
  }
  for (const pattern of [LEVEL, DOTTED, PROGRAM])
    for (const { index, 0: lead } of text.matchAll(pattern)) {
      if (isProse(index) && !(pattern === LEVEL && index === lineStart(text, index))) continue
      if (BUILD_STEP.test(text.slice(index, index + 180))) continue
      if (pattern === PROGRAM && !isFailing(text, index + lead.length)) continue
      const from = index + (LOGGER.exec(text.slice(index, index + 200))?.[0].length ?? 0)
      yield span(text, from, messageEnd(text, from, false))
    }
}

/** What failed, before the word that says so: `Readiness probe failed: …`, `CMake Error: …`. */
const SUBJECT = /(?:^|\s{2}|[\])>:-] )([A-Z][\w-]{1,20} (?:[a-z]{2,20} ){0,3})$/

/** "500 Internal Server Error in 41 ms" opens no message. */
const HTTP_BEFORE = /(?<!\d)[45]\d\d (?:[A-Z][a-z]{2,12} ){1,3}$/
const STARTS_WITH_CODE = new RegExp(`^(?:${CODE.source})(?!:)`, 'u')
/** A step of a build or a task of Celery that failed is named so before its message: `ERROR [deps 3/3] RUN …`. */
const BUILD_STEP =
  /^ERROR \[[^\]\n]{0,40}\d\/\d{1,3}\]|^ERROR Task [\w.]{1,80}\[[\w-]{1,40}\] raised unexpected/

function isFailing(text: string, from: number): boolean {
  const said = text.slice(from, Math.min(lineEnd(text, from), from + 160)).trim()
  return (said.includes(' ') || EAST.test(said)) && FAILURE.test(said)
}

const EAST = /[\u3040-\u9fff]{3}/
/** A case of a test is named by what it tries: `it("fails without a name")`. */
const CASE = /\b(?:it|test|describe|context|should|scenario)(?:\.\w+)?\($/

/** Who says something that is no message: `the docs say "…"`. */
const SAID_BY =
  /\b(?:docs?|documentation|we|he|she|they|you|title|headline|text|page|section|manual|book|people|customers?|users?) (?:\w+ )?(?:say|says|said|reads?|reports?)\b/i

/** People quote what systems say; a technical quotation behind "the log says" is a message. */
const isSaid = (before: string, body: string): boolean =>
  /[:()\d_=]/.test(body) && SAID.test(before) && !SAID_BY.test(before)

/** Quotations that say what failed, or that the words or the key before them call an error. */
function* quoted(text: string, prose: boolean): Generator<Span> {
  let past = 0
  for (const { index, 0: opener } of text.matchAll(OPENER)) {
    const from = index + opener.length
    if (from < past) continue
    const end = messageEnd(text, from, false)
    if (quoteBefore(text, from) !== text[end]) continue
    past = end + 1
    const body = text.slice(from, end)
    if (
      end - from < (EAST.test(body) ? 4 : 6) ||
      end - from > 240 ||
      !/[\s：]|[\u3040-\u9fff]{3}/.test(body)
    )
      continue
    const before = text.slice(Math.max(lineStart(text, from), index - 60), index)
    if (/'|‘/.test(opener) && !prose) continue
    if (CASE.test(before)) continue
    const isTold =
      ERROR_KEY.test(before) ||
      (!/[`']/.test(opener) && (TOLD.test(before) || (prose && isSaid(before, body))))
    if (isTold || (FAILURE.test(body) && !/^`.*(?:--|\(\)| = )/.test(opener + body)))
      yield span(text, from, end)
  }
}

/**
 * Lines that people wrote or that tell of success, whatever they mention: tests that passed, commits, switches with
 * their help, comments, headings, items of lists and rows of tables.
 */
const isWritten = (text: string, at: number): boolean =>
  /^\s*(?:✓|✔|√|ok\b|PASS|[*|\\/ ]*[0-9a-f]{7,40} |--?[a-zA-Z]|#|\/\/|\/\*|\*(?! [A-Z][^\n:]{1,40}: )|<|[-+•] |\d+[.)] |\|)/.test(
    text.slice(lineStart(text, at), at + 1),
  )

/** Messages known by what they say; one message may say it several times. */
function* phrased(text: string, isProse: IsProse): Generator<Span> {
  let past = 0
  for (const { index } of text.matchAll(OPENING)) {
    if (isProse(index) || isWritten(text, index)) continue
    if (lineEnd(text, index) - index > 200 || !isFailing(text, index)) continue
    const line = text.slice(lineStart(text, index), lineEnd(text, index))
    if (/\bWARN|[.!] \p{Lu}.*\.$/u.test(line)) continue
    yield span(text, index, messageEnd(text, index, false))
  }
  const abroad = /[\u0400-\u9fff]/.test(text) ? [...text.matchAll(PHRASE_ABROAD)] : []
  for (const { index } of [...text.matchAll(PHRASE), ...abroad].sort((a, b) => a.index - b.index)) {
    if (index < past || isProse(index) || isWritten(text, index)) continue
    const from = phraseStart(text, index)
    const message = span(text, from, messageEnd(text, from, false))
    past = message.to
    yield message
  }
}
