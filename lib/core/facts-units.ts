/** Units of measure and of counts, in the languages of the texts, and the figures before them. */

/** Units that stand directly behind their figure or after one space. Longest first is not needed: a boundary follows. */
const UNITS = `
  [kKMGT]?bits?/s [KMGT]?B/s [KMGT]iB/s [kKMGT]bit [kKMGT]bits FPS DPI dB dBm hPa bar Nm Mpx MP lux lm kcal cal psi ppm ppb bpm req/s ops/s qps QPS RPS TPS IOPS
  [kKMGTP]i?B [kKMGTP]i?b [kKMGTP]bps bytes? Bytes? bits? Bits? octets? [KMGT]o ko Mio Kio Gio
  ns µs μs us ms s sec secs seconds? mins? minutes? hours? hrs? days? weeks? months? years?
  Sekunden? Sek\\. Millisekunden? Minuten? Stunden? Std\\. Tagen? Tage? Wochen? Monaten? Monate? Jahren? Jahre?
  secondes? millisecondes? heures? jours? semaines? mois ans?
  segundos? milisegundos? minutos? horas? días? días meses mes años? semanas?
  minutos? horas? dias? dia mês secondi secondo minuti minuto ore ora giorni giorno settimane settimana mesi anni
  linhas? requisições requisição pedidos? caracteres righe riga richieste richiesta connessioni
  мс мкс нс с сек секунд[аыу]? миллисекунд[аы]? мин минут[аыу]? ч час(?:а|ов)? дн(?:я|ей) день недел[ьяию] месяц(?:а|ев)? лет
  байта? байтов [КМГТ]и?Б [КМГТ]бит(?:/с)? строк[аи]? запрос(?:а|ов)? токен(?:а|ов)? руб\\. рублей
  insertions? deletions? examples? failures? assertions? baud it/s [mk]?Ah saniye dakika saat gün hafta yıl satır istek bağlantı kullanıcı kayıt dosya
  users? clients? customers? visitors? subscribers? accounts? people goroutines processes workers? instances? nodes? pods? containers? replicas? shards? partitions? tables columns jobs? commits? branches orders? invoices? documents? objects? queries queues? samples? frames? bytes/s words? pages? products? articles? emails? mails? calls? sessions? tokens? Tokens? Tok rows? line(?!\\x20(?:height|number|length|break|item|spacing)) lines packages? files? records? events? messages? entries items? requests? reqs? connections? threads? characters? chars? pixels? px rem em pt dpi fps rpm
  Datensätzen? Datensatz Dateien Datei Nutzern? Benutzern? Kunden Einträgen? Eintrag Nachrichten Seiten Aufrufen? Bestellungen Elementen? Objekten? Tabellen Spalten Threads Prozessen? Wörtern? Zeilen/s
  usuarios? clientes? registros? archivos? ficheros? mensajes? mensagens entradas páginas? pedidos tablas tareas conexões arquivos? usuários? utilizadores elementos tokens/s palabras palavras consultas caracteres
  utilisateurs? clients? enregistrements? fichiers? messages? entrées? éléments? commandes? tâches mots octets/s utenti clienti record file messaggi pagine elementi voci parole caratteri
  gebruikers klanten records regels bestanden berichten verzoeken tekens seconden? minuten dagen? weken maanden jaar euro procent
  dni dniach dzień godzin(?:y|a|ach)? minut(?:y|a|ach)? sekund(?:y|a|ach)? tygodni(?:e|ach)? miesięcy miesiące lat lata rekord(?:ów|y) wierszy wiersze linii żądań użytkowników plików pliki zł złotych PLN groszy tokenów
  CZK SEK NOK DKK HUF RON TRY BRL INR CNY KRW CAD AUD MXN UAH ₴ грн zl Kč kr
  пользовател(?:ь|я|ей) запис(?:ь|и|ей) файл(?:а|ов)? сообщени(?:е|я|й) клиент(?:а|ов)? соединени(?:е|я|й) символ(?:а|ов)? страниц[аы]? объект(?:а|ов)? заказ(?:а|ов)? задач[аи]? кадр(?:а|ов)? [кмг]б
  Zeilen? Anfragen? Verbindungen Zeichen Pixel lignes? requêtes? connexions? caractères?
  filas? líneas? peticiones conexiones caracteres solicitudes
  [kKMG]?Hz [kM]?W Wh kWh mV V mA km m cm mm kg mg g °C °F K cores? vCPUs? CPUs?
  EUR USD GBP CHF JPY euros? dollars? Euro cents? Cent
  percent Prozent pp`

/** Units that only count when nothing stands between, such as \`318M\`. */
const CLOSE_UNITS = `[kKMGT]i? [kKMG]b mb gb kb tb B h(?!\\x20?\\d{2}(?!\\d)) d w m g x`

/** What may stand between a figure and its unit. */
const SCALES =
  'million millions billion tys\\. mln mlrd milhão milhões millón millones milioni Millionen Mio\\. thousand mil mila тыс\\. млн'

/** Units of scripts without spaces: no boundary follows them. */
const EAST_UNITS = `
  万?行 万?条(?:记录|数据|消息|请求)? 万件 万?个(?:文件|用户|请求|记录|连接|节点|测试|字符)? アイテム 個 ファイル 行/秒 字 页 张 케이스 건 행 초 분 시간 원 毫秒 微秒 秒钟? 分钟 小时 天 周 个月 字节 兆字节 行 次请求 个请求 元 美元
  ミリ秒 マイクロ秒 秒 分間? 時間 日間 週間 か月 ヶ月 バイト 件 円 文字 リクエスト トークン 像素 字符 令牌 个令牌`

const alternatives = (words: string): string => words.split(/\s+/).filter(Boolean).join('|')

const FIGURE =
  "(?:\\d{1,3}(?:[.,\\u00a0\\u202f\\u2009 ']\\d{3}){1,5}(?:[.,]\\d{1,6})?|\\d{1,15}(?:[.,]\\d{1,9})?)"
/** A noun behind a figure in groups of thousands: nobody writes these but of what is counted. */
const COUNTED =
  '(?!was|has|this|plus|dans|sans|vers|sous|tras|antes|times|versus|always)\\p{Ll}{3,20}s|\\p{Lu}\\p{Ll}{2,20}(?:en|er|n|e|s)|[а-яё]{3,20}(?:ов|ев|ей|ек|ок|ний|ий)|\\p{Ll}{3,16}ów'
const SPACE = '[ \\u00a0\\u202f\\u2009]?'
const AFTER = '(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\d_])'

/** A figure or a range of two with its unit. Every part is bounded, so a search is linear. */
export const NUMBER = new RegExp(
  `(?!(?:19|20)\\d0s)(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\d_.#]|\\d[-–:/,']|(?<![\\p{L}\\d])\\d{1,4} (?:of|von|sur|из|van) )(?:` +
    `(?:R\\$|[$€£¥₽])${SPACE}${FIGURE}(?:[kKMB]${AFTER}|${SPACE}(?:million|billion|milhões|milhão|millones|mila|mil|Mio\\.?|Mrd\\.?)${AFTER})?(?!\\d)` +
    `|\\d{2,5}[x×]\\d{2,5}${AFTER}|\\d{1,3}(?:[.,\\u00a0\\u202f ]\\d{3}){1,4} (?:${COUNTED})${AFTER}` +
    `|(?:\\d{1,4}(?:ms|h|m|s|d|min) ?){1,3}\\d{1,4}(?:ms|h|m|s|d|min)${AFTER}` +
    `|${FIGURE}(?:[-–]${FIGURE})?(?:` +
    `${SPACE}(?:[%％‰]|×(?!\\s?\\d)|[€£¥₽₴₹₩])` +
    `|(?:[kKM]|${SPACE}(?:${alternatives(SCALES)})(?: de)?)?${SPACE}(?:${alternatives(UNITS)})(?:/(?:s|sec|min|h|day|с|Sek|mois|jour)${AFTER})?${AFTER}` +
    `|(?:${alternatives(CLOSE_UNITS)})${AFTER}(?! [a-z]{0,3}tok)` +
    `|${SPACE}(?:h(?! ?\\d{2}(?!\\d))|d)${AFTER}` +
    `|${SPACE}(?:${alternatives(EAST_UNITS)})))`,
  'gu',
)
