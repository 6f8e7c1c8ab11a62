/** Vocabulary of the facts: units, endings of files and hosts, names that only look like code. */

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean))

/** Endings that make `name.ext` a file without any slash. */
export const FILE_ENDINGS = set(`
  ts tsx mts cts js jsx mjs cjs json jsonl json5 jsonc md mdx txt rst adoc csv tsv xml xsd html htm css scss sass less
  svg png jpg jpeg gif webp avif ico bmp pdf yml yaml toml ini cfg conf config properties env lock log sql db sqlite
  py pyi pyc ipynb rb erb go rs java kt kts scala swift c h cc cpp cxx hpp hh m mm cs fs vb php pl pm lua r jl ex exs erl hs
  ml clj dart vue svelte astro sh bash zsh fish bat cmd ps1 psm1 gradle cmake mk tf tfvars tfplan hcl proto graphql gql prisma
  zip tar gz tgz bz2 xz zst 7z jar war whl deb rpm dmg exe dll so dylib a o wasm map snap patch diff bak tmp pem crt key
  cer pub sock pid service.d ttf otf woff woff2 mp3 mp4 wav webm mov parquet avro bin dat img iso tpl tmpl hbs ejs pug
  doc docx xls xlsx ppt pptx odt ods eml gitignore lcov info mod sum nix`)

/** Files that have no ending. */
export const BARE_FILES = set(`
  Makefile Dockerfile Containerfile Jenkinsfile Procfile Vagrantfile Gemfile Rakefile Brewfile Justfile CODEOWNERS`)

/** First folders that make a relative path of plain words a path. */
export const FOLDERS = set(`
  src lib libs app apps test tests spec specs docs doc scripts script bin dist build out public static assets packages
  components pages routes server client api internal pkg cmd core node_modules vendor config conf etc usr var opt tmp home
  srv include examples example tools utils e2e fixtures migrations models views controllers services modules crates
  target coverage charts deploy infra data logs styles templates resources Users`)

/** First segments that make a name of a branch or ref. */
export const BRANCHES = set(
  'feature feat fix hotfix bugfix release chore origin upstream refs refactor dependabot renovate',
)

/** Types of media, which have a slash and are no file. */
export const MEDIA_TYPES = set(
  'application text image audio video font multipart message model chemical',
)

/** Last labels that make dotted names a host. */
export const HOST_ENDINGS =
  'com|org|net|io|dev|edu|gov|de|fr|es|ru|cn|jp|at|ch|uk|eu|mx|cl|br|ai|app|cloud|local|internal'

/** Product names with humps, and what else is spelled like a name of code. */
export const PRODUCTS = set(`
  JavaScript TypeScript CoffeeScript GitHub GitLab BitBucket YouTube LinkedIn WordPress PostgreSQL MySQL NoSQL SQLite
  MariaDB MongoDB DynamoDB CouchDB InfluxDB GraphQL OAuth OAuth2 OpenID macOS iOS iPadOS tvOS watchOS iPhone iPad iCloud
  OpenAI ChatGPT DeepSeek DevOps FinOps GitOps DevTools PowerShell PowerPoint VSCode WebSocket WebSockets WebAssembly WebKit
  WebGL WebRTC JetBrains IntelliJ PyCharm WebStorm LaTeX BibTeX JUnit NumPy SciPy PyTorch TensorFlow RabbitMQ ActiveMQ
  PayPal eBay FedEx McDonald JSDoc NodeJS NextJS VueJS ReactJS OpenSSL OpenSSH OpenAPI FreeBSD OpenBSD NetBSD DockerHub
  CloudFront CloudFlare CloudWatch BigQuery ClickHouse ElasticSearch OpenSearch SendGrid StackOverflow HuggingFace VMware
  Node.js Next.js Vue.js Nuxt.js React.js Express.js Three.js D3.js Chart.js Alpine.js Ember.js ASP.NET
  SQLAlchemy FastAPI RxJava RxJS RxSwift NestJS SvelteKit SolidJS AngularJS OpenTelemetry LangChain MinIO PyPI CocoaPods
  TestFlight SwiftUI UIKit CentOS AlmaLinux VirtualBox BusyBox AppArmor SELinux DigitalOcean DataDog PagerDuty HashiCorp NewRelic
  PhpStorm DataGrip GitKraken YouTrack WireGuard GnuTLS OpenGL OpenCL DirectX PostGIS GeoJSON TypeORM WebP WiFi
  ETag IPv4 IPv6 JavaFX JavaDoc PlatformIO FreeRTOS AutoCAD QuickTime ImageMagick GraphiQL OpenStack OpenShift CloudFormation
  HomeBrew XCode TestNG JMeter SonarQube ArgoCD LetsEncrypt BitLocker AirPods CarPlay PlayStation AirFlow MLflow
  LibreOffice OneDrive SharePoint TeamCity CircleCI IndexedDB localStorage PhD`)

/** Beginnings of \`ABC-12\` that are standards, not tickets. */
export const STANDARDS = set(`
  UTF SHA SHA1 SHA2 SHA3 ISO RFC GPT COVID MD AES RSA CP HTTP HTTPS IPV IPv DIN EN IEC IEEE TLS SSL USB CVE BASE PEP ECMA
  UCS KOI8 WINDOWS LATIN H MP X Y ANSI ASCII CRC`)

/** Words before \`4.2\` that make it a place in a document or a score. */
export const NOT_PRODUCTS = set(`
  Section Sections Chapter Figure Fig Table Step Part Page Appendix Note Item Line Score Rule Equation Example Kapitel
  Abschnitt Abbildung Tabelle Teil Seite Punkt Schritt Anhang Chapitre Figure Tableau Partie Section Étape Sección
  Capítulo Figura Tabla Parte Paso The A An At By In On From To About Over Under Only Around Took Was Is Round Day Week
  Am Um Ab Bis Von Mit Der Die Das Le La Les El Los Las Un Une Una Total Median Mean Average Max Min Cost And Or`)

/** Tools whose names stand before a version in small letters. */
export const TOOLS = set(`
  node npm pnpm yarn bun deno python python3 pip ruby rails go rust rustc cargo java kotlin scala php perl gcc clang cmake
  docker podman kubernetes helm terraform ansible nginx apache redis postgres postgresql mysql mariadb sqlite mongodb react
  vue angular svelte next nuxt vite webpack rollup esbuild typescript tsc eslint prettier jest vitest mocha pytest django
  flask fastapi rails spring gradle maven git curl openssl ubuntu debian alpine version versions versión versione release
  v ver`)

/** Units that stand directly behind their figure or after one space. Longest first is not needed: a boundary follows. */
const UNITS = `
  [kKMGTP]i?B [kKMGTP]i?b [kKMGTP]bps bytes? Bytes? bits? Bits? octets? [KMGT]o ko Mio Kio Gio
  ns µs μs us ms s sec secs seconds? mins? minutes? hours? hrs? days? weeks? months? years?
  Sekunden? Sek\\. Millisekunden? Minuten? Stunden? Std\\. Tagen? Tage? Wochen? Monaten? Monate? Jahren? Jahre?
  secondes? millisecondes? heures? jours? semaines? mois ans?
  segundos? milisegundos? minutos? horas? días? días meses mes años? semanas?
  minutos? horas? dias? dia mês secondi secondo minuti minuto ore ora giorni giorno settimane settimana mesi anni
  linhas? requisições requisição pedidos? caracteres righe riga richieste richiesta connessioni
  мс мкс нс с сек секунд[аыу]? миллисекунд[аы]? мин минут[аыу]? ч час(?:а|ов)? дн(?:я|ей) день недел[ьяию] месяц(?:а|ев)? лет
  байта? байтов [КМГТ]и?Б [КМГТ]бит(?:/с)? строк[аи]? запрос(?:а|ов)? токен(?:а|ов)? руб\\. рублей
  tokens? Tokens? Tok rows? lines? packages? files? records? events? messages? entries items? requests? reqs? connections? threads? characters? chars? pixels? px rem em pt dpi fps rpm
  Zeilen? Anfragen? Verbindungen Zeichen Pixel lignes? requêtes? connexions? caractères?
  filas? líneas? peticiones conexiones caracteres solicitudes
  [kKMG]?Hz [kM]?W Wh kWh mV V mA km m cm mm kg mg g °C °F K cores? vCPUs? CPUs?
  EUR USD GBP CHF JPY euros? dollars? Euro cents? Cent
  percent Prozent pp`

/** Units that only count when nothing stands between, such as \`318M\`. */
const CLOSE_UNITS = `[kKMGT]i? [kKMG]b mb gb kb tb B b h d w m g x`

/** What may stand between a figure and its unit. */
const SCALES =
  'million millions milhão milhões millón millones milioni Millionen Mio\\. thousand mil mila тыс\\. млн'

/** Units of scripts without spaces: no boundary follows them. */
const EAST_UNITS = `
  万?行 万?条 万件 毫秒 微秒 秒钟? 分钟 小时 天 周 个月 字节 兆字节 行 次请求 个请求 元 美元
  ミリ秒 マイクロ秒 秒 分間? 時間 日間 週間 か月 ヶ月 バイト 件 円 文字 リクエスト トークン 像素 字符 令牌 个令牌`

const alternatives = (words: string): string => words.split(/\s+/).filter(Boolean).join('|')

const FIGURE =
  "(?:\\d{1,3}(?:[.,\\u00a0\\u202f\\u2009 ']\\d{3}){1,5}(?:[.,]\\d{1,6})?|\\d{1,15}(?:[.,]\\d{1,9})?)"
const SPACE = '[ \\u00a0\\u202f\\u2009]?'
const AFTER = '(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\d_])'

/** A figure or a range of two with its unit. Every part is bounded, so a search is linear. */
export const NUMBER = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\d_.#]|\\d[-–:/,'])(?:` +
    `[$€£¥₽]${SPACE}${FIGURE}(?:[kKMB]${AFTER}|${SPACE}(?:million|billion|Mio\\.?|Mrd\\.?)${AFTER})?(?!\\d)` +
    `|\\d{2,5}[x×]\\d{2,5}${AFTER}` +
    `|(?:\\d{1,4}(?:ms|h|m|s|d|min) ?){1,3}\\d{1,4}(?:ms|h|m|s|d|min)${AFTER}` +
    `|${FIGURE}(?:[-–]${FIGURE})?(?:` +
    `${SPACE}(?:%|×|[€£¥₽])` +
    `|(?:${alternatives(CLOSE_UNITS)})${AFTER}(?! [a-z]{0,3}tok)` +
    `|(?:[kKM]|${SPACE}(?:${alternatives(SCALES)})(?: de)?)?${SPACE}(?:${alternatives(UNITS)})(?:/(?:s|sec|min|h|day|с|Sek|mois|jour)${AFTER})?${AFTER}` +
    `|${SPACE}[hd]${AFTER}` +
    `|${SPACE}(?:${alternatives(EAST_UNITS)})))`,
  'gu',
)
