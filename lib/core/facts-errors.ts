/** Error codes and messages. A message runs to the end of its line, or of the quotation it stands in. */

import type { Span } from './facts-literals'

/** Messages longer than this are cut here. */
const LONGEST = 400

/** Codes of `errno.h` and of name resolution, and of package managers. */
const ERRNO = `
  E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBUSY ECANCELED ECHILD ECONNABORTED
  ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EILSEQ
  EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR ELOOP EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH
  ENFILE ENOBUFS ENODEV ENOENT ENOEXEC ENOLCK ENOMEM ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND
  ENOTSOCK ENOTSUP ENXIO EOPNOTSUPP EOVERFLOW EPERM EPIPE EPROTO EPROTONOSUPPORT ERANGE EROFS ESHUTDOWN ESPIPE ESRCH
  ESTALE ETIME ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV EAI_AGAIN EAI_NONAME ERESOLVE EINTEGRITY EBADENGINE EUSAGE ELIFECYCLE
  E404 E401 E403 ETARGET`

const either = (words: string): string => words.split(/\s+/).filter(Boolean).join('|')

const REASONS =
  'Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request Timeout|Conflict|Gone|' +
  'Length Required|Precondition Failed|Payload Too Large|Content Too Large|URI Too Long|Unsupported Media Type|Unprocessable (?:Entity|Content)|' +
  'Too Early|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Time-?out|' +
  'Insufficient Storage|Loop Detected'

/** Codes that stand for themselves. */
const CODE = new RegExp(
  `(?<![\\w.])(?:${either(ERRNO)}|ERR_[A-Z][A-Z0-9_]{2,50}|ER_[A-Z][A-Z0-9_]{2,50}|E_[A-Z][A-Z0-9_]{2,50}` +
    '|[A-Z]{3,20}(?:_[A-Z]{1,20}){0,4}_(?:NOT_FOUND|ERROR|FAILED|DENIED|TIMEOUT|EXCEEDED|INVALID)' +
    '|SIG(?:SEGV|KILL|TERM|INT|ABRT|BUS|FPE|ILL|PIPE|HUP|QUIT|TRAP|SYS)' +
    '|(?:TS|CS|E|ORA-|LNK|MSB|NU|PGRST|AADSTS|KB|NETSDK|BC|FS|CA|JDK-|DEP|P)\\d{4,6}|E\\d{3,4}|CVE-\\d{4}-\\d{4,7}' +
    '|0x8[0-9A-Fa-f]{7}|SQLSTATE[\\[ ]?[0-9A-Z]{5}\\]?' +
    `|(?:HTTP(?:/\\d(?:\\.\\d)?)? )?[45]\\d\\d (?:${REASONS})|HTTP(?:/\\d(?:\\.\\d)?)? [45]\\d\\d` +
    '|(?:[Ss]tatus(?: ?code)?|[Ss]tatuscode|HTTP-Status|[Cc]ode HTTP|[Cc]ódigo(?: de estado)?|[Kk]од (?:ответа|состояния)) [45]\\d\\d' +
    '|(?:[Ee]xit(?:ed|s)?(?: with)?[ -](?:[Cc]ode|[Ss]tatus|[Vv]alue)|[Ee]xit-?[Cc]ode|[Cc]ódigo de saída|[Cc]odice di uscita|[Cc]ode de sortie|[Cc]ódigo de salida|[Кк]од (?:выхода|возврата))(?: of|:)? ?-?[1-9]\\d{0,2}' +
    '|ERESOLVE)(?![\\w])|(?:状态码|ステータス(?:コード)?|退出码|退出代码|終了コード)[ ：:]?[1-9]\\d{0,2}(?!\\d)',
  'g',
)

/** Class names of errors, with their package; Go's `ErrX` too. */
const CLASS =
  /(?<![\w$.])(?:[A-Za-z_]\w{0,60}(?:\.|::)){0,8}(?:[A-Z]\w{0,60}(?:Error|Exception|Failure|Timeout|Fault)|Err[A-Z]\w{2,40}|Error|Exception|Panic)(?![\w(])/g

/** A dotted name of a class alone at the start of a line, with a message: `worker.errors.GaveUp: …`. */
const DOTTED = /^(?:[a-z_]\w{0,40}(?:\.|::)){1,8}[A-Z]\w{2,60}: (?=\S)/gm

/** A program that says of itself what it could not do: `ld: symbol(s) not found`. */
const PROGRAM =
  /^(?:[\w.+-]{2,30}(?:\[\d{1,7}\])?): (?=[^\n]{0,160}?(?:\b(?:unable|cannot|can't|could not|couldn't|not found|failed|failure|denied|refused|invalid|undefined|no such|unresolved|unexpected|unrecognized|unsupported|rejected|expired|exceeded|timed out|not (?:allowed|permitted|supported)|does not exist|doesn't exist|aborted|mismatch|corrupt|too (?:many|large|long)|broken pipe)\b))/gim

/** Words that open a message when a colon follows. */
const LEAD =
  /(?<![\w.$/-])(?:(?:npm|rsync|verify|fatal|runtime|syntax|parse|compile|build|link) )?(?:[Ee]rror|ERROR|ERR!|[Ff]atal|FATAL|[Pp]anic|PANIC|[Ff]ailed|FAILED|Failure|FAILURE|[Uu]ncaught|Unhandled (?:exception|rejection)|FEHLER|[Ff]ehler|[Ee]rreur|ERREUR|[Ee]rro|ERRO|[Ee]rrore|ERRORE|Caused by|[Oo]ut of memory|Module not found|upload failed|curl|Segmentation fault|std::[a-z_]{3,40})(?:\[[\w-]{1,20}\]| [A-Z]{1,6}\d{1,6}| \(\w{1,20}\))?\s?: ?(?=\S)(?!(?:unknown|string|Error|any|null|undefined|boolean|true|false|number|void|never)\b[^ ]|[{(]|\[\]|\w{1,40}[,;)])|(?:[Оо]шибка|ОШИБКА|错误|錯誤|エラー|异常|失败|失敗) ?[:：] ?(?=\S)/g

/** Log levels and the leads of tools, after which a message needs no colon. */
const LEVEL =
  /(?<![\w.$/-])(?:\[(?:ERROR|FATAL)\]|ERROR|FATAL|CRITICAL|SEVERE|npm (?:error|ERR!)|✖|\*\* \([A-Z][\w.]{1,80}\)|FAILED(?= \S+::)|(?<=\d {1,8})error(?= {2}))(?= +\S)|(?<![\w.])(?:thread '[^'\n]{1,60}' panicked at|make(?:\[\d\])?: \*\*\*(?= \[)|(?:Error|Failed at step) (?=\d{1,3}\b|[A-Z]+ ))/g

/** A quotation that says what could not be done, in any text. */
const QUOTED =
  /(?<=(?:^|[\s(=:])"|[“„«「『]\s?)(?=\S[^"”“»」』\n]{0,160}?(?:\b(?:unable to|cannot|can't|could not|couldn't|not found|failed|failure|denied|refused|invalid|undefined|no such|unresolved|unexpected|unrecognized|unsupported|rejected|has expired|exceeded|timed out|timeout|not (?:allowed|permitted|supported|attached)|does(?: not|n't) exist|has gone away|aborted|mismatch|corrupt|too (?:many|large|long)|impossible de|introuvable|refusée?|fehlgeschlagen|nicht gefunden|verweigert|no se pudo|no se encontró|denegado|rechazad[oa]|não encontrad[oa]|impossibile|non trovat[oa])\b|не удалось|не найден|отказано|превышен|失败|找不到|拒绝|超时|できません|見つかりません|失敗))[^"”“»」』\n]{8,200}(?=\s?["”“»」』])/gi

/** A quoted panic in prose. */
const PANIC = /(?<=[`"«“「]\s?)(?:thread '[^'\n]{1,60}' panicked|panic:)/g

/** The fields between a level and its message: `ERROR [pool-2] io.acme.Feed - `. */
const LOGGER =
  /^(?:ERROR|FATAL|CRITICAL|SEVERE)\s{1,4}(?:\d{1,7} --- )?(?:\[[^\]\n]{0,40}\]\s{0,4})?[\w.$/]{2,80}\s{0,20}[-:] (?=\S)/

/** What failing systems say without a lead. */
const PHRASE =
  /\b(?:[Cc]onnection (?:refused|reset|timed out|closed)|[Pp]ermission denied|[Nn]o such file or directory|command not found|[Aa]ccess [Dd]enied|timed out|[Uu]nable to|[Uu]nresolved (?:reference|import|external)|[Uu]ndefined (?:reference|symbol)|symbol\(s\) not found|[Ee]xecution failed|[Bb]uild failed|violates|(?:is|was) not (?:defined|recognized|a function)|[Cc]annot read propert|reset by peer|already exists|(?:is|was) killed|deadlock detected|out of bounds|[Oo]ut of memory|(?:quota|limit) exceeded|checksum mismatch|DID NOT RAISE|[Cc]ould not (?:resolve|connect|find|open|read)|[Cc]annot (?:find|open|read|allocate|connect)|does not exist|[Tt]oo many open files|[Aa]ddress already in use|[Nn]o space left on device|authentication failed|certificate (?:has expired|verify failed)|unknown command|core dumped|segmentation fault)/g

const CLOSER: Record<string, string> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '«': '»',
  '»': '«',
  '‘': '’',
  '「': '」',
  '『': '』',
}

const lineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from)
  return Math.min(at < 0 ? text.length : at, from + LONGEST)
}

/** The quotation opened right before `from`, or a space before it; `undefined` when there is none. */
function quoteBefore(text: string, from: number): string | undefined {
  const at =
    /\s/.test(text[from - 1] ?? '') && /[«»]/.test(text[from - 2] ?? '') ? from - 2 : from - 1
  return CLOSER[text[at] ?? '']
}

/** End of a message: the closing quote (quotes may nest in it), the cell of a table, the sentence, the line. */
function messageEnd(text: string, from: number, prose: boolean): number {
  const end = lineEnd(text, from)
  const closer = quoteBefore(text, from)
  if (closer !== undefined) {
    let depth = 0
    for (let i = from; i < end; i++) {
      if (text[i] !== closer) continue
      if (/[\s([{=<]/.test(text[i - 1] ?? '') && /[\w/.@-]/.test(text[i + 1] ?? '')) depth++
      else if (depth > 0) depth--
      else return i
    }
    return end
  }
  const line = text.slice(from, end)
  const stop = prose
    ? /[.!?](?=\s+["“«]?\p{Lu})|[。！？；]|\s\||\s(?:when|while|wenn|quand|cuando|beim)\s/u.exec(
        line,
      )
    : / \| /.exec(line)
  return stop === null ? end : from + stop.index
}

const rightTrimmed = (text: string, from: number, to: number): number => {
  let end = to
  while (end > from && /[\s,;|'"`)】」]/.test(text[end - 1] as string)) {
    // A bracket that the message itself opened stays.
    if (text[end - 1] === ')' && text.slice(from, end - 1).includes('(')) break
    if (
      /['"`]/.test(text[end - 1] as string) &&
      text.slice(from, end - 1).includes(text[end - 1] as string)
    )
      break
    end--
  }
  return end
}

/** Where the message that holds a telling phrase begins: after the log's own fields, the quote, or the line's start. */
function phraseStart(text: string, at: number): number {
  const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - LONGEST)
  const before = text.slice(start, at)
  const quote = /.*(?:msg=|[\s=(])["“«`]\s?/.exec(before)
  if (quote !== null) return start + quote[0].length
  const fields =
    /^(?:[\d\-:TZ.,\s[\]+]{6,40})?(?:\s*(?:\[[^\]\n]{0,40}\]|INFO|WARN|ERROR|DEBUG))*\s*(?:(?:\w{1,8}: )?\S{1,200}?:\d{1,6}(?::\d{1,6})?:? |\* [^\n:]{1,40}: )?/.exec(
      before,
    )
  return start + (fields?.[0].length ?? 0)
}

/**
 * Errors of a text. In prose (what users and assistants write) a message that is not quoted ends with
 * its sentence, and only quoted or led messages count; what is fenced in prose is output all the same.
 */
export function* errors(text: string, prose: boolean): Generator<Span> {
  const isProse = prose ? outsideFences(text) : () => false
  yield* outermost([...named(text, isProse), ...led(text, isProse)])
  yield* phrased(text, isProse)
  for (const { index, 0: literal } of text.matchAll(CODE))
    yield { from: index, to: index + literal.length }
}

type IsProse = (at: number) => boolean

/** False between the marks of fenced code; a search in the places of the marks. */
function outsideFences(text: string): IsProse {
  const marks = [...text.matchAll(/^[ \t]{0,3}```/gm)].map(({ index }) => index)
  return (at) => {
    let [low, high] = [0, marks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((marks[middle] as number) <= at) low = middle + 1
      else high = middle
    }
    return low % 2 === 0
  }
}

/** In order of place, the longest first: one message may open with several leads. */
const outermost = (spans: Span[]): Span[] => spans.sort((a, b) => a.from - b.from || b.to - a.to)

/** Classes of errors, with their message where one follows. */
function* named(text: string, isProse: IsProse): Generator<Span> {
  for (const match of text.matchAll(CLASS)) {
    const from = match.index
    const rest = text.slice(from + match[0].length, from + match[0].length + 60)
    const opened = /^(?: \[\w{2,40}\])?(?:\s\d{1,4})?: ?(?=\S)/.test(rest)
    if (opened) yield span(text, from, messageEnd(text, from, isProse(from)))
    else if (!/^(?:Error|Exception|Panic)$/.test(match[0]))
      yield { from, to: from + match[0].length }
  }
}

/** Messages behind a lead: a word, a level, a program's or a class's name. */
function* led(text: string, isProse: IsProse): Generator<Span> {
  for (const { index } of text.matchAll(LEAD))
    yield span(text, index, messageEnd(text, index, isProse(index)))
  for (const { index } of text.matchAll(PANIC))
    yield span(text, index, messageEnd(text, index, isProse(index)))
  for (const { index, 0: literal } of text.matchAll(QUOTED))
    yield span(text, index, index + literal.length)
  for (const pattern of [LEVEL, DOTTED, PROGRAM])
    for (const { index } of text.matchAll(pattern)) {
      if (isProse(index)) continue
      const from = index + (LOGGER.exec(text.slice(index, index + 200))?.[0].length ?? 0)
      yield span(text, from, messageEnd(text, from, false))
    }
}

/** Messages known by what they say; one message may say it several times. */
function* phrased(text: string, isProse: IsProse): Generator<Span> {
  let past = 0
  for (const { index } of text.matchAll(PHRASE)) {
    if (index < past || isProse(index)) continue
    const from = phraseStart(text, index)
    const message = span(text, from, messageEnd(text, from, false))
    past = message.to
    yield message
  }
}

const span = (text: string, from: number, end: number): Span => ({
  from,
  to: Math.max(from + 1, rightTrimmed(text, from, end)),
})
