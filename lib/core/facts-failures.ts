/** What errors are called and what failing programs say, in the words of systems, tools and languages. */

const either = (words: string): string => words.split(/\s+/).filter(Boolean).join('|')
const phrases = (lines: string): string =>
  lines
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter(Boolean)
    .join('|')

/** Codes of `errno.h` and of name resolution, and of package managers. */
const ERRNO = `
  E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBUSY ECANCELED ECHILD ECONNABORTED
  ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EILSEQ
  EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR ELOOP EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH
  ENFILE ENOBUFS ENODEV ENOENT ENOEXEC ENOLCK ENOMEM ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND
  ENOTSOCK ENOTSUP ENXIO EOPNOTSUPP EOVERFLOW EPERM EPIPE EPROTO EPROTONOSUPPORT ERANGE EROFS ESHUTDOWN ESPIPE ESRCH
  ESTALE ETIME ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV EAI_AGAIN EAI_NONAME ERESOLVE EINTEGRITY EBADENGINE EUSAGE ELIFECYCLE
  E404 E401 E403 ETARGET NXDOMAIN SERVFAIL`

const REASONS = phrases(`
  Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request Time-?out
  Proxy Authentication Required|Conflict|Gone|Length Required|Precondition Failed|Precondition Required|Locked
  Payload Too Large|Content Too Large|Request Entity Too Large|URI Too Long|Request-URI Too (?:Long|Large)
  (?:Requested )?Range Not Satisfiable|Expectation Failed|Unsupported Media Type|Unprocessable (?:Entity|Content)
  Misdirected Request|Failed Dependency|Upgrade Required|Request Header Fields Too Large|Unavailable For Legal Reasons
  Client Closed Request|Too Early|Too Many Requests|Internal (?:Server )?Error|Not Implemented|Bad Gateway
  Service (?:Temporarily )?Unavailable|Gateway Time-?out|HTTP Version Not Supported|Insufficient Storage|Loop Detected
  Network Authentication Required`)

/** What precedes the code a process ended with, by language. */
const EXIT = phrases(`
  [Ee]xit(?:ed|s)?(?: with)?[ -](?:[Cc]ode|[Ss]tatus|[Vv]alue)|[Ee]xit-?[Cc]ode|[Rr]eturn code|[Rr]ückgabewert|[Ff]ehlercode
  [Cc]ode (?:de (?:sortie|retour)|d['’]erreur)|[Ss]tatut de sortie|[Cc]ódigo de (?:salida|retorno|saída|error|erro)
  [Ee]stado de salida|[Cc]odice (?:di uscita|d['’]uscita|di errore)|[Ss]tato di uscita|[Aa]fsluitcode|[Ff]outcode
  [Kk]od(?:em|u)? (?:wyjścia|błędu|zakończenia)|[Кк]од(?:ом|а|у|е)? (?:выхода|возврата|завершения|ошибки)
  [Кк]од(?:ом)? (?:виходу|помилки|завершення)|[Çç]ıkış kodu`)

const STATUS = phrases(`
  [Ss]tatus(?: ?code)?|[Ss]tatuscode|HTTP-Status|[Cc]ode HTTP|[Cc]ódigo(?: de estado)?|[Cc]odice(?: di stato)?
  [Ss]tatut|[Кк]од(?:ом)? (?:ответа|состояния)|[Сс]татус(?:ом)?|HTTP(?:/\\d(?:\\.\\d)?)?(?: (?:code|status|error))?`)

/** Endings and beginnings that make a constant a code of an error: `VK_ERROR_DEVICE_LOST`, `PERMISSION_DENIED`. */
const CONSTANT_END = either(
  'NOT_FOUND ERROR FAILED FAILURE DENIED TIMEOUT EXCEEDED INVALID VIOLATION EXHAUSTED UNAVAILABLE REFUSED MISMATCH EXPIRED UNREACHABLE REJECTED DECLINED ABORTED LOST OUT_OF_MEMORY OUT_OF_RANGE ALREADY_EXISTS FORBIDDEN UNAUTHORIZED CORRUPT CORRUPTED OVERFLOW UNDERFLOW UNSUPPORTED NXDOMAIN NOT_ALLOWED NOT_PERMITTED',
)
const CONSTANT_START = either(
  'ERR ER E ERROR VK_ERROR CUDA_ERROR NS_ERROR SSL_ERROR GL_INVALID INVALID UNABLE_TO CERT_HAS DEPTH_ZERO SELF_SIGNED FAILED INSUFFICIENT TOO_MANY NO_SUCH EXC INSTALL_FAILED STATUS_ACCESS DNS_PROBE',
)

/** Codes in small letters, as databases and services spell them. */
const SMALL_CODES = phrases(`
  [a-z]{2,20}(?:_[a-z]{2,20}){0,4}_(?:violation|exceeded|denied|unavailable|exhausted|mismatch|declined)
  context (?:deadline exceeded|canceled)|insufficient_[a-z_]{3,30}|invalid_(?:grant|client|request|token|scope|argument|api_key|credentials|signature|state)(?:_error)?
  (?:authentication|rate_limit|overloaded|api|invalid_request)_error
  [a-z]{2,20}(?:[A-Z][a-z]{1,20}){0,4}(?:Exceeded|Denied|Violation|Exhausted)`)

/** A code of HTTP by itself, where the words or the log around it tell what it is. */
const HTTP_CODE = '(?:4(?:0\\d|1[0-8]|2[1-9]|31|51|99)|5(?:0[0-8]|1[01]|2[0-6]))'
const ANSWERS = phrases(`
  returns?|returned|got|gets?|answer(?:s|ed)?|respond(?:s|ed)?|fail(?:s|ed)?|gave|gives|threw|throws?|an?|liefert|gibt|antwortet|wirft|renvoie|retourne|répond
  devuelve|contesta|responde|retorna|devolve|restituisce|risponde|отвечает|возвращает|отдаёт|выдаёт|получаю|geeft|zwraca|HTTP-Fehler|[Ff]ehler|[Ee]rror|[Ee]rreur|[Ee]rro|[Ee]rrore|ошибк[ауи]|błąd|fout`)
const WITH = '(?: (?:with|mit|avec|par|con|com|un|une|einen?|einem|an?|HTTP)){0,2}'
const AFTER_CODE = phrases(`
  errors?|responses?|on|for|in|when|after|and|or|at|from|while|if|to|then|auf|bei|für|und|oder|beim|wenn|pour|sur|quand|et|ou|en|para|por|cuando|y|o|na|no|em|quando|e|su|per|при|на|и|для|после|через|op|bij|voor|na|après|nach|depois|después|dopo|durante|pendant|während|within|instead`)
const BARE_HTTP =
  `(?=[45]\\d\\d)(?:(?<=HTTP/\\d(?:\\.\\d)?" )${HTTP_CODE}(?= \\d)|(?<=["']?(?:[sS]tatus|statusCode|status_code|http_status|http_code)["']?(?:: ?|=))${HTTP_CODE}(?![\\w.])` +
  `|(?<=(?<!\\p{L})(?:${ANSWERS})${WITH} )${HTTP_CODE}(?=s?[.,;:)!?"'\`](?!\\d)|s?\\s*$|s? (?:${AFTER_CODE})(?!\\p{L})|er(?!\\p{L}))|(?<=返回了? ?|返す ?)${HTTP_CODE}(?!\\d))`

/** What a cell of a sheet shows in place of its value, as Excel, LibreOffice and Google name it in their languages. */
const SHEET =
  '#(?<![\\w#&]#)(?:(?:DIV/0|REF|VALUE|NUM|NULL|SPILL|CALC|ERROR|BEZUG|WERT|ZAHL|BEZIG|VALEUR|NOMBRE|NUL|¡?VALOR|¡?REF|¡?NUM|VALORE|NÚM|RIF|WAARDE|VERW|GETAL|DEEL/0|ARG|LICZBA|ADR|ССЫЛКА|ЗНАЧ|ЧИСЛО|ДЕЛ/0|ПУСТО|ÜBERLAUF)!|(?:NAME|NOM|NOME|¿?NOMBRE|NAAM|NAZWA|ИМЯ)\\?|N/?[AVDBT](?![\\w/])|Н/Д)'

/** Codes that stand for themselves. */
export const CODE = new RegExp(
  `(?<![\\w.])(?:(?:[A-Z]{2,12}_){0,2}(?:${either(ERRNO)})|(?:${CONSTANT_START})_(?!(?:[A-Z0-9]{1,20}_){0,4}(?:LOG|LOGS|LIMIT|FILE|PATH|DIR|URL|COUNT|RATE|HANDLER|PAGE|CODE|CODES|LEVEL|EMAIL|KEY|NAME|MESSAGE|TEMPLATE|REPORTING)(?!\\w))[A-Z][A-Z0-9_]{2,50}` +
    `|[A-Z]{2,20}(?:_[A-Z]{1,20}){0,4}_(?:${CONSTANT_END})(?!\\s?[:=]\\s?["']?\\d)` +
    '|SIG(?:SEGV|KILL|TERM|INT|ABRT|BUS|FPE|ILL|PIPE|HUP|QUIT|TRAP|SYS|XCPU|XFSZ|ALRM|STOP)' +
    '|(?:TS|CS|E|ORA-|PLS-|LNK|MSB|NU|PGRST|AADSTS|KB|NETSDK|BC|FS|CA|JDK-|DEP|P)\\d{4,6}|E\\d{3,4}' +
    '|0x(?:8[0-9A-Fa-f]{2}|C00)[0-9A-Fa-f]{5}|[Ss]ignal:? (?:\\d{1,2}(?! ?\\(SIG)|killed|aborted|terminated)|errno[ =:]{1,2}-?\\d{1,3}|error -\\d{1,5}|[Ee]xit(?:ed(?: with)?|s with) [1-9]\\d{0,2}(?!\\.\\d)|rc=[1-9]\\d{0,2}|(?:OOMKilled|CrashLoopBackOff|ImagePullBackOff|ErrImagePull|(?:Failed|Network)(?:Scheduling|Mount|AttachVolume|CreatePodSandBox|NotReady)|NodeNotReady|NotTriggerScaleUp)|SQLSTATE(?:\\[[0-9A-Z]{5}\\]|[ :=]{1,2}[0-9A-Z]{5})' +
    `|(?:HTTP(?:/\\d(?:\\.\\d)?)? )?[45]\\d\\d (?:${REASONS})|(?:${STATUS})(?: |: )[45]\\d\\d|${SMALL_CODES}` +
    `|Exited \\([1-9]\\d{0,2}\\)|(?:${EXIT})(?: of|:|=| von)? ?-?[1-9]\\d{0,4})(?![\\w])` +
    '|(?:状态码|ステータス(?:コード)?|退出码|退出代码|返回码|退出状态码?|错误码|错误代码|終了コード|終了ステータス|エラーコード|종료 코드)[ ：:]{0,2}[1-9]\\d{0,4}(?!\\d)' +
    `|${SHEET}|${BARE_HTTP}`,
  'gmu',
)

/** Names of errors that do not end like one. */
const CLASS_NAMES = phrases(`
  std::(?:bad_\\w{2,20}|\\w{2,20}_error|out_of_range|invalid_argument)|KeyboardInterrupt|StopIteration|SystemExit
  (?:Object)?DoesNotExist|MultipleObjectsReturned|NoReverseMatch
  NoSuchBucket|NoSuchKey|ExpiredToken|SignatureDoesNotMatch|ThrottledRequest|(?:\\w{1,40}::){1,4}\\w{2,40}(?:Bad|Invalid|NotUnique|Refused|Reset)`)

/** Class names of errors, with their package; Go's `ErrX` too. */
export const CLASS = new RegExp(
  `(?<![\\w$.:])(?:${CLASS_NAMES}|(?:[A-Za-z_]\\w{0,60}(?:\\.|::)){0,8}(?:[A-Z]\\w{0,60}(?:Error|Exception|Failure|Timeout|Fault` +
    '|Violation|Denied|Exceeded|NotFound|Expired|Unavailable|Mismatch)(?:\\.[a-z]{1,20}[A-Z]\\w{1,30})?|Err[A-Z]\\w{2,40}|Errno::E[A-Z]{2,20}|Error|Exception|Panic))(?![\\w(]|::)',
  'g',
)

/** Words by which a message says that something failed; enough inside of quotation marks or behind a program's name. */
const FAILING = phrases(`
  error|unable to|cannot|can['’]t|could not|couldn['’]t|won['’]t start|not found|fail(?:s|ed|ure)?|denied|refused|forbidden|unauthorized
  (?:in|not a )valid|illegal|malformed|undefined|undeclared|unresolved|unexpected|unrecogni[sz]ed|unsupported|unknown|unreachable|no such
  no (?:route|matching|space|module|default|longer)|missing|problem|rejected|expired|exceed(?:s|ed)|exhausted|insufficient|not enough|not provided|timed out|timeout
  not (?:allowed|permitted|supported|attached|available|assignable|implemented|installed|defined|recogni[sz]ed|writable|a function)
  do(?:es)?(?: not|n['’]t) (?:exist|match|have|support)|has gone away|is (?:down|required|locked|read-only|not ready)|aborted|cancel(?:l)?ed by|mismatch|corrupt(?:ed)?
  conflict|duplicate|already (?:exists|in use|allocated|running|locked)|too (?:many|large|long|big|small|short|old|deep)|broken pipe|bad (?:file|interpreter|substitution|address|request|magic|gateway|credentials)
  out of (?:memory|range|bounds|disk|sync)|overflow|division by zero|null pointer|segmentation fault|stall(?:ed)?|deadlock|prematurely|reset by peer|closed by|panic(?:ked)?|crash(?:ed)?|killed|stuck|lost connection|(?:connection|socket|session|stream|channel|link) (?:was |is )?(?:closed|lost|dropped|terminated|interrupted)|interrupted|violat(?:es|ed|ion)|must (?:be|not be) (?:a|an|of|at|one|positive|unique)|limit reached|check failed
  fehlgeschlagen|nicht gefunden|verweigert|konnten? nicht|kann nicht|ungültig\\p{L}*|unbekannt\\p{L}*|abgelaufen|überschritten|abgebrochen|zeitüberschreitung|nicht (?:erlaubt|vorhanden|möglich|erreichbar|zulässig)|existiert nicht|beschädigt|verloren|fehlt|gesperrt|abgelehnt
  impossible d\\p{L}*|introuvables?|refusée?s?|échec|échoué|invalides?|inconnue?s?|expirée?s?|dépassée?s?|interdite?s?|n['’]existe pas|n['’]a pas pu|non (?:trouvée?|autorisée?|valide)|interrompue?|corrompue?|indisponible|perdue?s?
  no (?:se )?(?:pudo|puede|encontr\\p{L}+|existe|disponible|válid[oa])|no es (?:posible|válid[oa])|denegad[oa]|rechazad[oa]|inválid[oa]|desconocid[oa]|caducad[oa]|expirad[oa]|excedid[oa]|agotad[oa]|fall[óo]|tiempo de espera|demasiad[oa]s?|sin espacio|perdid[oa]|cerrad[oa] por|interrumpid[oa]
  não (?:encontrad[oa]|foi possível|existe|permitid[oa]|autorizad[oa]|pode|disponível)|falha|falhou|negad[oa]|recusad[oa]|tempo (?:esgotado|limite)|perdid[oa]|interrompid[oa]
  impossibile|non (?:trovat[oa]|valid[oa]|esiste|riuscit[oa]|consentit[oa]|disponibile)|fallit[oa]|negat[oa]|rifiutat[oa]|scadut[oa]|superat[oa]|interrott[oa]
  mislukt|niet (?:gevonden|toegestaan|mogelijk)|geweigerd|ongeldige?|verlopen|kan niet|kon niet|bestaat niet|nie (?:znaleziono|można|udało|istnieje)|odmow\\p{L}+|nieprawidłow\\p{L}+|przekroczon\\p{L}+|błąd|wygas\\p{L}+
  не (?:удалось|найден\\p{L}*|существует|может|удаётся|удается|поддерживается|задан\\p{L}*)|отказано|запрещ\\p{L}+|превыш\\p{L}+|невозможно|недопустим\\p{L}+|неверн\\p{L}+|недостаточно|ист[её]к\\p{L}*|сбой|прерван\\p{L}*|разорван\\p{L}*|сброшен\\p{L}*|потерян\\p{L}*|закрыт\\p{L}* удал\\p{L}+|ошибка`)
const FAILING_EAST =
  '失败|失敗|找不到|拒绝|拒否|超时|無効|无效|无法|不存在|不正|错误|异常|未找到|超出|不支持|已过期|中断|ません(?:でした)?|タイムアウト|エラー|できない|超過|실패|오류|찾을 수 없'

export const FAILURE = new RegExp(
  `(?<![\\p{L}\\d_])(?:${FAILING})(?![\\p{L}\\d_])|${FAILING_EAST}`,
  'iu',
)

/** What failing systems say without a lead; enough for any line that a program printed. */
export const PHRASE = new RegExp(
  `\\b(?:${phrases(`
  [Cc]onnection (?:refused|reset|timed out|closed)|[Pp]ermission denied|[Nn]o such file or directory|command not found|[Aa]ccess [Dd]enied
  timed out|[Uu]nable to|[Uu]nresolved (?:reference|import|external)|[Uu]ndefined (?:reference|symbol|variable|method)|symbol\\(s\\) not found
  [Ee]xecution failed|[Bb]uild failed|violates|(?:is|was) not (?:defined|recognized|a function|declared)|[Cc]annot read propert|reset by peer
  already exists|(?:is|was) killed|deadlock detected|out of bounds|[Oo]ut of memory|(?:quota|limits?) exceeded|checksum mismatch|DID NOT RAISE
  [Cc]ould not (?:resolve|connect|find|open|read|load|parse)|[Cc]annot (?:find|open|read|allocate|connect|resolve|load|import|create|write)|does not exist
  [Tt]oo many open files|[Aa]ddress already in use|port is already allocated|[Nn]o space left on device|authentication failed|certificate (?:has expired|verify failed)
  unknown command|core dumped|segmentation fault|prematurely closed|context (?:deadline exceeded|canceled)|DATA RACE|race detected|[Nn]o route to host|[Bb]roken pipe
  [Nn]o module named|[Uu]nexpected (?:token|EOF|end of)|[Dd]ivision by zero|stack overflow|bad (?:file descriptor|interpreter|substitution)|[Ii]llegal instruction|[Bb]us error
  [Uu]nrecognized (?:option|argument|command)|[Ii]nvalid (?:option|argument|syntax|credentials|token|reference)|[Nn]ame or service not known|[Tt]emporary failure in name resolution
  [Aa]uthentication required|[Hh]ost key verification failed|error in your SQL syntax|terminate called|double free|stack smashing|[Nn]ot in sync|[Nn]onexistent function|[Aa]ssertion failed|[Ii]nsufficient (?:memory|cpu|space|funds|permissions?)|(?:[Ii]nitiali[sz]ation|[Ll]ogin|[Pp]robe|[Uu]pload|[Dd]ownload|[Rr]equest|[Vv]alidation|[Vv]erification|[Aa]llocation|[Ii]mport|[Bb]ackup|[Ll]ookup|[Mm]ount|[Pp]arsing|[Ss]ync|[Dd]eployment|[Mm]igration|[Rr]estore) failed|[Mm]erge conflict in|merge failed|segfault at|handshake fail|self-signed certificate|no live upstreams|blocked by CORS|[Ff]ailed (?:to \\w|with (?:result|a|an|exit|code|status))|did not complete|cannot (?:access|connect|be (?:found|opened|read|loaded|resolved))|could not be (?:found|opened|loaded|resolved|read)|has been (?:denied|rejected|blocked)|is not (?:authorized|recognized|a valid|available|running|installed)|must be reachable|address not available|[Dd]uplicate (?:entry|key)|[Mm]ain process exited|[Cc]onnect(?:ion)? to [^\\n]{1,80} failed|signed by unknown authority|I/O error|[Kk]ernel panic|[Uu]nhandled (?:exception|rejection)|[Uu]nreachable host|[Nn]o (?:healthy|available) upstream|[Ll]ock wait timeout|[Nn]o matches (?:found|for kind)|[Ww]rong fs type|[Uu]ndefined (?:control sequence|local variable)|(?:command|operation) not allowed|[Pp]ort already in use|failed because|(?:was|were|been) refused|[Ii]nsufficient privileges|being used by another process|requirements could not be|[Qq]uota [^\\n]{1,40} exceeded|wurde verweigert|nicht gefunden werden|no puede encontrar|não é possível|est introuvable|could not obtain lock|[Ee]xpected (?=[^\\n]{1,120}(?: but (?:it |was |got |found |received |instead )|, (?:got|found|received) ))|[Uu]nknown column|[Oo]peration not permitted|[Rr]ead-only file system|device or resource busy`)})`,
  'g',
)

/** The same in scripts that have no word boundary of ASCII. */
export const PHRASE_ABROAD =
  /не уда(?:ётся|ется|лось) |не может найти|не найден|отказано в |找不到指定|连接超时|连接被|権限がありません|見つかりません|接続できません/giu

/** Words of prose after which a quotation is what went wrong: `it dies with "…"`. */
export const TOLD = new RegExp(
  `(?<!\\p{L})(?:${phrases(`
  fail(?:s|ed|ing|ure)?|die[sd]|crash(?:es|ed|ing)?|abort(?:s|ed)?|throws?|threw|complain(?:s|ed|ing)?|errors?|exceptions?|panic(?:s|ked)?|quits|rejects?
  stirbt|scheitert|bricht|Fehler|Fehlermeldung|Meldung|stürzt|wirft|échoue|erreurs?|plante|affiche|falla|errores|fallo|lanza|falha|erro|errore|fallisce
  fout|foutmelding|faalt|błąd|błędem|падает|ошибк\\p{L}{1,3}|ошибка|сообщение|выдаёт`)})(?!\\p{L})[^"“„«「『\\n.]{0,40}$|(?:报错|错误|异常|エラー|例外|失敗)[^"“„«「『\\n。]{0,20}$`,
  'iu',
)

/** Words that only say that something was said; a technical quotation behind them is a message. */
export const SAID = new RegExp(
  `(?<!\\p{L})(?:${phrases(`
  say(?:s|ing)?|said|reads?|prints?|printed|logs?|logged|shows?|showed|reports?|reported|message|messages|got|gets?|gives|receive[ds]?|see|saw|ends?|ended|exits?|exited|answer(?:s|ed)?|responds?|returns?|returned|with
  meldet|sagt|zeigt|ausgibt|kommt|kam|liefert|steht|endet|antwortet|mit|dit|indique|renvoie|obtiens|reçois|voit|lit|avec|muestra|dice|sale|aparece|devuelve|lee|con|mostra|diz|retorna|com|stampa|compare|zegt|geeft|toont|met|mówi|pokazuje|zwraca|z
  пишет|говорит|показывает|вижу|получаю|получили|с|в логе|в консоли`)})(?!\\p{L})[^"“„«「『\\n.]{0,30}$|(?:提示|显示|报|表示|ログに|と)[^"“„«「『\\n。]{0,16}$`,
  'iu',
)

/** Openings of lines by which programs say what went wrong, in output alone. */
export const OPENING = new RegExp(
  `(?<=^[ \\t]{0,8}(?:[>•│] ?)?|\\] |(?:ERROR|FATAL|CRITICAL)[ \\t]{1,4})(?:${phrases(`
  Cannot|Can['’]t|Could not|Couldn['’]t|Unable to|Failed to|Refus(?:ed|ing) to|Impossible d|No se (?:pudo|puede)|Não foi possível|Impossibile|Kan niet|Kon niet|Nie (?:można|udało)|Не удалось|Невозможно`)}|无法|找不到)` +
    `|(?<=^[ \\t]{0,8}|(?:ERROR|FATAL|CRITICAL)[ \\t]{1,4})(?:${phrases(`
  Invalid|Unexpected|Unsupported|Malformed|Illegal|No such|Timed out|Too many|Aborting|Lost connection|Connection|Permission denied|Access denied|Unrecognized|Échec|Accès refusé|Connexion|Acceso denegado|Conexión|Falha (?:ao|na|no|de)|Acesso negado|Accesso negato|Нет доступа|Отказано|Соединение|Zugriff verweigert|Verbindung|Konnte|Kann nicht|Zeitüberschreitung`)}|连接|拒绝|接続)`,
  'gmu',
)

/** Keys of logs and JSON whose value is an error's message. */
export const ERROR_KEY =
  /(?:["']?(?:error|err|exception|error_?[mM]essage|error_description|last_?[eE]rror)["']?\s?[:=]\s?)$/
