/** What a figure with a unit is worth, so that one amount in two spellings is recognised. */

type Unit = { base: string; factor: number }

const KIBI = 1024
const POWERS = 'kmgtp'

/** Seconds of a unit of time, by its spellings in seven languages. */
const TIMES: readonly (readonly [number, RegExp])[] = [
  [1e-9, /^(?:ns|нс)$/],
  [1e-6, /^(?:µs|μs|us|мкс|微秒|マイクロ秒)$/],
  [1e-3, /^(?:ms|мс|millisekunden?|millisecondes?|milisegundos?|миллисекунд[аы]?|毫秒|ミリ秒)$/],
  [
    1,
    /^(?:s|secs?|seconds?|sek\.?|sekunden?|secondes?|segundos?|secondi|secondo|с|сек|секунд[аыу]?|秒钟?|秒)$/,
  ],
  [60, /^(?:m|min|mins|minut(?:e|es|en|os?)|мин|минут[аыу]?|minut[io]|minutos?|分钟|分間?)$/],
  [3600, /^(?:h|hrs?|hours?|std\.?|stunden?|heures?|horas?|or[ae]|ч|час(?:а|ов)?|小时|時間)$/],
  [86_400, /^(?:d|days?|tagen?|tage?|jours?|d[ií]as?|giorn[io]|дн(?:я|ей)|день|天|日間)$/],
  [604_800, /^(?:weeks?|wochen?|semaines?|semanas?|settiman[ae]|недел[ьяию]|周|週間)$/],
]

const MONEY: readonly (readonly [string, RegExp])[] = [
  ['EUR', /^(?:€|eur|euros?)$/],
  ['USD', /^(?:\$|usd|dollars?|美元)$/],
  ['GBP', /^(?:£|gbp)$/],
  ['JPY', /^(?:¥|jpy|円)$/],
  ['RUB', /^(?:₽|руб\.?|рублей)$/],
]

const COUNTS: readonly (readonly [string, RegExp])[] = [
  ['percent', /^(?:%|percent|prozent)$/],
  ['times', /^[x×]$/],
  ['token', /^(?:tok|tokens?|токен(?:а|ов)?|トークン|令牌|个令牌)$/],
  ['row', /^(?:rows?|filas?|righe|riga)$/],
  ['line', /^(?:lines?|zeilen?|lignes?|líneas?|linhas?|строк[аи]?|行)$/],
  [
    'request',
    /^(?:req|reqs|requests?|anfragen?|requêtes?|peticiones|solicitudes|requisições|pedidos?|richiest[ae]|запрос(?:а|ов)?|次请求|个请求|リクエスト)$/,
  ],
  ['connection', /^(?:connections?|verbindungen|connexions?|conexiones)$/],
]

/** A unit may be read in two ways: KB is 1000 bytes to some and 1024 to others. */
function unitsOf(spelled: string): Unit[] {
  const unit = spelled.toLowerCase()
  const bytes = /^([kmgtpкмгт]?)(i|и)?(?:b|o|б)$|^([kmgt])(i)?$|^(m|k)(i)o$/.exec(unit)
  if (bytes && !/^[kmgt]?b$/.test(spelled)) {
    const letter = (bytes[1] ?? bytes[3] ?? bytes[5] ?? '').replace(
      /[кмгт]/,
      (c) => 'kmgt'['кмгт'.indexOf(c)] as string,
    )
    const power = letter === '' ? 0 : POWERS.indexOf(letter) + 1
    const binary = { base: 'byte', factor: KIBI ** power }
    if (bytes[2] ?? bytes[4] ?? bytes[6]) return [binary]
    return power === 0 ? [binary] : [{ base: 'byte', factor: 1000 ** power }, binary]
  }
  if (/^(?:[kmgt]b)$/.test(unit)) return unitsOf(unit.toUpperCase())
  if (/^(?:b|bytes?|octets?|байта?|байтов|字节|バイト)$/.test(unit))
    return [{ base: 'byte', factor: 1 }]
  // `5m` is minutes, `5 M` was read above.
  const time = TIMES.find(([, pattern]) => pattern.test(unit))
  if (time) return [{ base: 'second', factor: time[0] }]
  const named = [...MONEY, ...COUNTS].find(([, pattern]) => pattern.test(unit))
  return [{ base: named?.[0] ?? unit.replace(/s$/, ''), factor: 1 }]
}

/** The readings of a figure: `1.024` is a thousand in one country and one in another. */
function figuresOf(spelled: string): number[] {
  const bare = spelled.replace(/[\s\u00a0\u202f\u2009']/g, '')
  const marks = bare.replace(/\d/g, '')
  if (marks === '') return [Number(bare)]
  const last = bare.lastIndexOf(marks[marks.length - 1] as string)
  const decimal = Number(`${bare.slice(0, last).replace(/[.,]/g, '')}.${bare.slice(last + 1)}`)
  const grouped = Number(bare.replace(/[.,]/g, ''))
  if (marks.length > 1 && marks[0] === marks[marks.length - 1]) return [grouped]
  if (marks.length > 1) return [decimal]
  return bare.length - last === 4 ? [grouped, decimal] : [decimal]
}

const FIGURE_FIRST =
  /^([\d.,\s\u00a0\u202f\u2009']*\d)(?:([kKM])(?=[\s\u00a0\u202f\u2009]))?[\s\u00a0\u202f\u2009]?([^\d\s/].{0,20})$/
const MONEY_FIRST = /^([$€£¥₽])\s?([\d.,\s\u00a0\u202f']*\d)([kKMB])?$/
const SCALE: Record<string, number> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 }
const PER = /\/(?:s|sec|min|h|day|с|Sek|mois|jour)$/

/** Every reading of a literal with a unit as `amount unit`; none for ranges and sizes such as 1920×1080. */
export function amountsOf(literal: string): string[] {
  const rate = PER.exec(literal)?.[0] ?? ''
  const plain = rate === '' ? literal : literal.slice(0, -rate.length)
  const money = MONEY_FIRST.exec(plain)
  const [, figure, scale, unit] = money
    ? [null, money[2] as string, money[3], money[1] as string]
    : (FIGURE_FIRST.exec(plain) ?? [])
  if (!figure || !unit || /^[x×]\d/.test(unit)) return []
  const readings = new Set<string>()
  for (const { base, factor } of unitsOf(unit))
    for (const amount of figuresOf(figure)) {
      // `10k requests` has a scale, the k of `64 kB` belongs to its unit.
      const value = amount * factor * (SCALE[scale ?? ''] ?? 1)
      readings.add(`${Number(value.toPrecision(9))} ${base}${rate}`)
    }
  return [...readings]
}
