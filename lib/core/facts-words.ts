/** Vocabulary of the facts: units, endings of files and hosts, names that only look like code. */

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean))

/** Endings that make `name.ext` a file without any slash. */
export const FILE_ENDINGS = set(`
  ts tsx mts cts js jsx mjs cjs json jsonl json5 jsonc md mdx txt rst adoc csv tsv xml xsd html htm css scss sass less
  svg png jpg jpeg gif webp avif ico bmp pdf yml yaml toml ini cfg conf config properties env lock log sql db sqlite
  py pyi pyc ipynb rb erb go rs java kt kts scala swift c h cc cpp cxx hpp hh m mm cs fs vb php pl pm lua r jl ex exs erl hs
  ml clj dart vue svelte astro sh bash zsh fish bat cmd ps1 psm1 gradle cmake mk tf tfvars tfplan hcl proto graphql gql prisma
  zip tar gz tgz bz2 xz zst 7z jar war whl deb rpm dmg exe dll so dylib a o wasm map snap patch diff bak tmp pem crt key
  cer pub sock pid ttf otf woff woff2 mp3 mp4 wav webm mov parquet avro bin dat img iso tpl tmpl hbs ejs pug
  doc docx xls xlsx ppt pptx odt ods eml gitignore lcov info mod sum nix sig asc out ld gd tscn csproj sln vcxproj pbxproj plist xcconfig entitlements storyboard rdc wal pgn gpg age
  sv vhd asm s srt vtt epub tex bib sty po pot mo arb har pcap prof heapsnapshot tgz rar cab msi appimage flatpakref
  tsbuildinfo jsonnet libsonnet cue dhall rego bicep cshtml razor xaml resx swiftinterface m3u8 ogg flac psd ai sketch dwg dxf stl gpx kml geojson ics vcf mbox htaccess htpasswd npmrc
  cf godot dump props targets nupkg nuspec fsproj vbproj slnx xcworkspace unity prefab uproject blend fbx glb gltf ino uf2 p12 pfx jks ovpn vbs vhdx
  vmdk qcow2 ova ipa aab npz npy pkl pth ckpt safetensors onnx gguf h5 feather groovy zig nim elm coffee f90 avsc thrift xsl xslt wsdl dtd
  jinja j2 twig mustache liquid haml mkv avi m4a opus tif tiff heic eps xcf lz4 gemspec podspec cabal bzl rmd qmd groovy`)

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

/** Endings of hosts that are also words of code: `config.app` is a member, `shop-1.app` a host. */
export const MEMBER_LIKE = set(
  'app local internal cloud at es de ai io dev net it be no in is me us so to my by id info host home page shop store site test',
)
/** Of these, the ones that a chain of three names may end with as well. */
export const WORD_LIKE = set(
  'at it be no in is me us so to my by id info host home page store site test app local',
)

/** Last labels that make dotted names a host. */
export const HOST_ENDINGS = `
  com org net io dev edu gov mil int info biz example test invalid localhost local internal lan corp home intra intranet
  intern interno host cloud app ai xyz online site store shop page tech
  de fr es ru cn jp at ch uk eu mx cl br it nl be se no fi dk pl cz sk hu ro pt gr tr ua by kz lt lv ee ie in kr tw hk sg
  au nz ca us co pe za il is me id my us so to`
  .split(/\s+/)
  .filter(Boolean)
  .join('|')

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
  LibreOffice OneDrive SharePoint TeamCity CircleCI IndexedDB localStorage PhD
  CMake OpenCV OpenMP OpenACC OpenVPN OpenWrt OpenLDAP OpenJDK OpenTofu OpenOCD OpenSUSE openSUSE OpenZFS OpenRC OpenPGP
  OpenEXR OpenBLAS OpenVINO OpenStreetMap OpenLayers OpenFaaS OpenTracing OpenMetrics OpenResty OpenCart OpenOffice OpenSAML
  RenderDoc pgBackRest PgBouncer pgBouncer pgAdmin TimescaleDB VictoriaMetrics BigTable CloudRun GitBook SourceTree JFrog
  TeamViewer AnyDesk LastPass KeePass KeePassXC BitWarden ProtonMail MailChimp MailHog SparkPost HubSpot SalesForce ServiceNow
  ZenDesk FreshDesk DocuSign DropBox OneNote PowerBI WinRAR WinSCP WinForms WinUI WinDbg FileZilla vSphere vCenter ESXi FreeNAS
  TrueNAS pfSense MikroTik UniFi AdGuard HomeKit HomeAssistant ZigBee LoRa LoRaWAN PulseAudio PipeWire AppImage AppKit SwiftPM
  SwiftLint SwiftData CoreData CoreML ARKit RealityKit SpriteKit SceneKit HealthKit CloudKit MapKit WebView WebView2 iMessage
  FaceTime AirDrop AirPlay AirTag MacBook iMac visionOS LaunchDarkly LaunchPad PostHog MixPanel AppDynamics DynaTrace SolarWinds
  LogRocket LogStash FluentBit FluentD GrayLog NetData PromQL LogQL PySpark PyPy PyInstaller PyQt PySide PyGame SymPy CuPy TensorRT
  TensorBoard LightGBM XGBoost CatBoost LangGraph LlamaIndex DeepSpeed DeepMind DeepL AutoML RoBERTa spaCy CamelCase camelCase
  PascalCase ActionScript PostScript AppleScript VBScript ECMAScript LibreSSL GnuPG BoringSSL WolfSSL MbedTLS mbedTLS WireShark
  StrongSwan FreeIPA FreeRADIUS FreeCAD FreeType HarfBuzz GraphicsMagick FFmpeg GStreamer MediaWiki DokuWiki MkDocs AsciiDoc
  AsciiDoctor TypeDoc MikroORM CommonJS jQuery TurboRepo ESLint TSLint JSHint JSLint CodeQL CodePen CodeSandbox StackBlitz
  RubyMine GoLand CLion RustRover ReSharper NeoVim TextMate BBEdit GitPod TestCafe TestRail TestContainers WebdriverIO WebDriver
  ChromeDriver PhantomJS AssertJ PowerMock WireMock NUnit xUnit MSTest MSBuild NuGet SignalR MonoGame GameMaker CryEngine BitBake
  BuildKit BuildKite BuildRoot AppVeyor GoCD FluxCD KubeVirt KubeFlow MicroK8s MiniKube MetalLB CoreDNS HAProxy LiteSpeed PowerDNS
  NextDNS AdSense AdWords AdMob TikTok WhatsApp WeChat SnapChat AliPay AliExpress WooCommerce BigCommerce PrestaShop TypeForm
  SurveyMonkey GoDaddy NameCheap OVHcloud BackBlaze CloudTrail ElastiCache EventBridge SageMaker CodeBuild CodePipeline CodeDeploy
  CodeCommit LightSail OpsGenie StatusPage BlueSky McAfee CrowdStrike MetaMask DevSecOps MLOps AIOps SecOps PoC SoC IoT DoH DoT
  MSc BSc ZeroMQ JetStream GeForce ThinkPad DisplayPort BlueTooth WebAuthn NodeMCU LoC SaaS PaaS IaaS QoS VoIP RoHS WebdriverIO
  FastCGI mod_php AArch64 ReactOS ChromeOS CarPlay EcoSystem eCommerce eBook eBooks eMail iTunes iBooks YubiKey LuaJIT
  TypeScript-ESLint NestJS DuckDuckGo FireFox HyperText JavaBeans NetBeans WebSphere WebLogic GlassFish JBoss WildFly LibGDX
  MasterCard BahnCard AirBnB EasyJet SoundCloud TripAdvisor BlaBlaCar MediaMarkt AutoScout24 DoorDash GoPro QuickBooks SumUp
  NetSuite PeopleSoft AirTable ClickUp YouTrack InDesign CorelDRAW SketchUp SolidWorks FileMaker FlightAware MapBox TomTom
  DataBricks SnowFlake PowerShell PowerToys OpenCode ChromaDB LanceDB ElevenLabs MidJourney GitHub GitLab CodeBerg NextAuth
  WebRTC WebDAV CalDAV CardDAV NetBSD DragonFly TrueType OpenType WebP JavaCard SmartOS NuttX VxWorks ThreadX FreeBSD RouterOS
  GitOps BusyBox SuperTuxKart ThreadSanitizer AddressSanitizer UndefinedBehaviorSanitizer UBSan ASan TSan MSan LeakSanitizer
  GraalVM OpenJ9 ZooKeeper CouchBase SingleStore MotherDuck QuickSight TablePlus DBeaver FlyWay LiquiBase HikariCP MyBatis QueryDSL`)

/** Endings of names that only code has: in a sentence "OrderService" is a class, "RenderDoc" a product. */
export const CODE_NOUN = new RegExp(
  `(?:${[
    ...set(`
  Action Adapter Api Bean Buffer Builder Bus Button Cache Callback Chunk Client Collection Command Component Config Configuration
  Connection Container Context Controller Converter Count Dao Data Decoder Depth Dialog Dto Encoder Engine Entity Entry Enum Event
  Executor Factory Field File Filter Form Frame Function Group Guard Handler Helper Hook Id Impl Index Info Input Instance
  Interceptor Interface Item Iterator Job Key Layer Layout Lexer Link List Listener Loader Lock Logger Loop Mailer Manager Map
  Mapper Message Middleware Migration Mixin Mode Model Module Mutex Name Node Object Observer Operation Option Options Output Page
  Panel Parser Path Plugin Policy Pool Presenter Process Processor Producer Properties Props Provider Proxy Query Queue Rate Reader
  Record Reducer Ref Registry Renderer Repo Repository Request Resolver Resource Response Result Root Router Row Rule Runner Scanner
  Scheduler Schema Screen Serializer Service Session Set Settings Size Spec Start State Status Storage Store Strategy Stream String
  System Table Task Template Test Thread Time Timer Token Transaction Transformer Tree Type Unit Url User Util Utils Validator Value
  Variable Vector View Visitor Widget Worker Wrapper Writer`),
  ].join('|')})s?\\d?$`,
)

/** Beginnings of \`ABC-12\` that are standards, not tickets. */
export const STANDARDS = set(`
  UTF SHA SHA1 SHA2 SHA3 ISO RFC GPT COVID MD AES RSA CP HTTP HTTPS IPV IPv DIN EN IEC IEEE TLS SSL USB CVE BASE PEP ECMA
  ISBN ISSN DDR PCI WPA RTX GTX RX RJ CAT EPSG EAN GTIN SARS AVX SSE ARM AK WD DE CH AT FR US UK IT ES NL PL
  MS PS DC AC LTE EU BGB ASA SOC NIST OWASP ITU EAL SIL IP IK LZ FP BF INT UINT I18N DES SM BLAKE2 BLAKE3 ED X86 I386 CO PM NO
  UCS KOI8 WINDOWS LATIN H MP X Y ANSI ASCII CRC`)

/** Words before \`4.2\` that make it a place in a document, a score or an amount. */
export const PLACES = set(`
  section sections chapter figure fig table step part page appendix note item line score rule equation example paragraph
  clause article art question exercise level grade rating cvss kapitel abschnitt abbildung abb tabelle tab teil seite punkt
  schritt anhang ziffer ziff absatz abs nummer nr frage aufgabe stufe chapitre tableau partie étape paragraphe chap kap annexe vol band
  sección capítulo cap figura tabla parte paso apartado seção tabela passo item capitolo sezione tabella passaggio paragrafo
  hoofdstuk paragraaf figuur tabel stap bijlage deel rozdział sekcja tabela rysunek krok punkt раздел глава главы главу главе
  таблица таблице рисунок рис пункт пункта пункте шаг часть стр`)

/** Words that begin a sentence before an amount: "From 4.2 to 5.1". */
export const SMALL_WORDS = set(`
  the a an at by in on from to about over under only around took was is round day week am um ab bis von mit der die das
  le la les el los las un une una total median mean average max min cost and or`)

/** Products that are named with one whole figure, which is their version. */
export const WHOLE_VERSIONS =
  /(?<![\w.-])(?:Debian|Ubuntu|Fedora|RHEL|CentOS|Rocky Linux|AlmaLinux|Alpine|macOS|iOS|iPadOS|Android|Windows(?: Server)?|Node(?:\.js)?|\.NET|Python|Java|JDK|OpenJDK|PHP|Ruby|Rails|Angular|React|Vue|Next(?:\.js)?|Nuxt|Svelte|Vite|Webpack|webpack|ESLint|Jest|Vitest|TypeScript|Django|Laravel|Symfony|Spring Boot|PostgreSQL|Postgres|MySQL|MariaDB|Redis|MongoDB|Elasticsearch|Terraform|GCC|Clang|LLVM|CUDA|Chrome|Firefox|Safari|Xcode|Swift|Kotlin|Gradle|Qt|GTK|GNOME|Plasma|systemd|Unity|Bootstrap|Tailwind|Drupal|TYPO3|Keycloak|Tomcat|Oracle|Nextcloud|Proxmox|Solaris) (?<figure>\d{1,4})(?![\w%]|[.,:/–-]\d| ?[%×x])(?! (?:files?|times|projects?|services?|of|more|threads?|workers?)\b)/g

/** Tools whose names stand before a version in small letters. */
export const TOOLS = set(`
  node npm pnpm yarn bun deno python python3 pip ruby rails go rust rustc cargo java kotlin scala php perl gcc clang cmake
  docker podman kubernetes helm terraform ansible nginx apache redis postgres postgresql mysql mariadb sqlite mongodb react
  vue angular svelte next nuxt vite webpack rollup esbuild typescript tsc eslint prettier jest vitest mocha pytest django
  flask fastapi rails spring gradle maven git curl openssl ubuntu debian alpine version versions versión versione release
  v ver`)
