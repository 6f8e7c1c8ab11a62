/** Sentences that carry a fact: instructions of the user, decisions, finished side effects. */

import type { Span } from './facts-literals'

const BOUNDARY =
  /\n+|[.!?…]+["'”»)`*_]{0,3}(?=\s|$)|[。！？]+[」』）]?|:\s+(?!\w{2,8}:\/\/)(?=[\p{L}`*])|;\s+/gu
const ABBREVIATIONS =
  /(?:^|[\s(])(?:e\.g|i\.e|cf|etc|vs|z\.\s?B|d\.\s?h|u\.\s?a|bzw|ggf|usw|ca|Nr|Std|p\.\s?ej|c\.-à-d|т\.\s?е|т\.\s?д|No|approx)$/i
/** A line that no person writes: a prompt, a frame of a stack, a diff, a log. */
const PASTED = /^\s*(?:[$>#|+]\s|at \S+ ?\(|File "|@@ |diff --git|\d{4}-\d\d-\d\d[T ]|\[\d)/
const SHORTEST = 6
const LONGEST = 600

/** Sentences outside fenced code, trimmed; clauses after a colon or semicolon count as sentences. */
function* sentences(text: string): Generator<Span> {
  let from = 0
  let fenced = false
  const ends = [...text.matchAll(BOUNDARY), null]
  for (const end of ends) {
    const to = end?.index ?? text.length
    const piece = text.slice(from, to)
    if (end?.[0].startsWith('.') && ABBREVIATIONS.test(piece.slice(-12))) continue
    const mark = end !== null && /^[!?！？]/.test(end[0])
    if (/^\s*```/.test(piece)) fenced = !fenced
    else if (
      !fenced &&
      to - from >= SHORTEST &&
      to - from <= LONGEST &&
      !(mark && /^[?？]/.test(end[0])) &&
      !PASTED.test(piece)
    )
      yield trimmedSpan(text, from, to)
    from = to + (end?.[0].length ?? 0)
  }
}

function trimmedSpan(text: string, from: number, to: number): Span {
  const head = /^[\s>*_"“„«»-]*(?:\d{1,2}[.)]\s+)?/.exec(text.slice(from, to))?.[0].length ?? 0
  const tail = /[\s*_»”]*$/.exec(text.slice(Math.max(from + head, to - 8), to))?.[0].length ?? 0
  return { from: from + head, to: Math.max(from + head, to - tail) }
}

const START =
  '^(?:please|and|but|so|then|also|oh|ok|okay|bitte|und|aber|por favor|y|surtout|et|пожалуйста|и|а|请|請|另外|然后|whatever you do|above all|important(?:ly)?)?,?\\s?(?:please |bitte )?'

/** Words that forbid, oblige or limit, by language. */
const INSTRUCTION: readonly RegExp[] = [
  /\b(?:don['’]t|do not|never|must(?:n['’]t)?|mustn['’]t|should(?:n['’]t| not)|may not|can(?:not|['’]t) (?:be|use|touch|change)|nothing may|no one may|has to|have to|needs? to (?:be|stay|remain|keep)|under no circumstances|at all times|we always|always (?:use|run|keep|write|ask)|not exceed|instead of|is (?:off[- ]limits|forbidden)|not allowed|(?:all|every|each) .{1,40} needs? |may only|mandatory|(?:is|are|stays?) always|(?:is|are) (?:limited|restricted|confined) to|at (?:most|least)\b|no (?:more|less|fewer|later) than|before (?:you|every|each|any)\b|without (?:a|an|any|my|our|asking)\b)/i,
  new RegExp(
    `${START}(?:no (?!idea|problem|worries|rush|need|hurry|luck|wonder|doubt|matter|one|,)|only |just (?:use|touch|change) |use only |always |avoid |keep |leave |make sure|ensure |be sure |prefer |stick (?:to|with) |stay (?:away|within|under|below|with)|limit |refrain|preserve |restrict |treat )`,
    'iu',
  ),
  /(?<!\p{L})(?:auf keinen Fall|keinesfalls|niemals|nie(?!\p{L})|darf|dürfen|muss|müssen|nicht (?:an|ändern|anfassen|löschen|verwenden|benutzen)|verzichte|vermeide|achte (?:darauf|bitte)|stelle? sicher|(?:verwende|benutze?|nimm|nutze) (?:bitte )?(?:nur|immer|ausschließlich|stets)|immer nur|nur noch|(?:bitte|fasse?|lösche?|ändere?) (?:kein|nichts|nicht)|lass .{1,60} (?:wie|unverändert|in Ruhe)|bitte (?:kein|nichts|nie)|höchstens|mindestens|maximal|verboten|untersagt|verpflichtend|ausschließlich|niemand darf|nichts (?:in|an|auf|aus)|lösche .{0,10}nichts|soll(?:en)? (?:nicht|immer))/iu,
  /(?<!\p{L})(?:n(?:['’]|e\s)\p{L}{1,20}(?: .{1,20})? (?:pas|jamais|rien|plus|que)(?!\p{L})|il (?:ne )?faut|(?:doi(?:t|s|vent)|devez)(?!\p{L})|surtout|(?:utilise|garde|conserve|évite|veille|respecte|assure-toi|limite|préfère)z?(?!\p{L})|pas d(?:e |['’])|interdit|obligatoire|seulement|au (?:maximum|plus|moins)|jamais(?!\p{L})|toujours(?!\p{L})|uniquement)/iu,
  /(?<!\p{L})(?:no (?:toques|cambies|uses|modifiques|borres|elimines|añadas|hagas|escribas|debe[ns]?|puede[ns]?|se (?:debe|puede)|guardes|superes|llames)|nunca|jamás|hay que|tiene[ns]? que|debe[ns]?(?!\p{L})|solo (?:puedes|usa|se)|usa (?:siempre|solo)|mantén|conserva|evita|asegúrate|siempre(?!\p{L})|prohibido|únicamente|exclusivamente|como (?:máximo|mínimo)|obligatori[oa]|s[oó]lo (?:en|con|el|la|los|las|lo)(?!\p{L}))/iu,
  /(?<!\p{L})(?:не (?:меня|трога|удаля|использ|добавля|дела|пиш|измен|лезь|забыва|должн|больше|превыша|запуска|отключа)\p{L}*|никогда|нельзя|всегда|обязательно|долж(?:ен|на|но|ны)|только(?! что)|следи|избегай|оставь|сохрани|запрещ(?:ено|ён|ена|ены)|пиши|используй(?:те)?|исключительно|не более|не менее|максимум|минимум)(?!\p{L})/iu,
  /(?<!\p{L})(?:n[ãa]o (?:mexa|altere|use|toque|remova|apague|crie|adicione|modifique|mude|envie|publique|rode|execute|pode(?:m)?|deve(?:m)?|faça|escreva|renomeie|guarde)|nunca|jamais|(?:use|usar|utilize) (?:apenas|somente|só|sempre)|apenas (?:o|a|os|as|com|em)|somente|devem?|precisam? (?:de |ser|estar|ficar|terminar|ter|passar|rodar)|tem que|têm que|é (?:proibido|obrigatório)|proibid[oa]|evite|mantenha|garanta|sempre|no máximo|no mínimo|limite-se)(?!\p{L})/iu,
  /(?<!\p{L})(?:non (?:toccare|modificare|usare|cambiare|cancellare|eliminare|rimuovere|aggiungere|inviare|scrivere|rinominare|creare|eseguire|pubblicare|superare|deve|devono|può|possono|si (?:deve|può)|(?:\p{L}{2,12} )?mai)|mai(?!\p{L})|(?:usa|usare|lavora|lavorare|utilizza)(?: (?:solo|soltanto|sempre|esclusivamente))|solo (?:il|la|i|le|con|su)(?!\p{L})|soltanto|esclusivamente|dev(?:e|ono)|bisogna|occorre|è (?:vietato|obbligatorio|proibito)|vietato|evita(?:re)?|mantieni|mantenere|assicurati|sempre|al massimo|almeno|lascia)(?!\p{L})/iu,
  /不要|不得|不能|不可以?|不准|禁止|必须|務必|务必|请勿|切勿|别(?:动|改|删|用)|始终|只(?:使用|能|用|允许|可)|一律|不许|严禁|至少|最多|不超过|都(?:要|必须|得)|避免|应(?:该|当)|确保|保持/,
  /ないで|(?:て|で)はいけ|(?:て|で)はならない|なければなりません|なければならない|禁止|必ず|すること|こと$|常に|だけ(?:を|で).*(?:こと|ください)|は使わない|避けて|守って|触ら|以内に|以下に|超えない|のみ(?:を|で)?(?:使|用)|しないこと|厳禁/,
]

/** What looks like an instruction and is a guess, a feeling or small talk. */
const NOT_INSTRUCTION =
  /\b(?:I|we|they|you might|it|that|this) (?:don['’]t|do not|never|can['’]t) (?:know|think|mind|care|see|understand|remember|believe|want to)\b|\b(?:must|should) have\b|\b(?:it|that|this) must be\b|never ?mind|don['’]t (?:worry|know|bother|mind|hesitate)|\bsays (?:the|that)\b|\b(?:might|may|could|would) (?:think|say|expect|want)\b|\b(?:it|that|this) should (?:never|not) (?:happen|matter|be possible)|n['’]est|je ne (?:sais|pense|vois)|no (?:sé|creo|entiendo|veo|se pudo|se puede leer)\b|não (?:sei|acho|entendo|vejo|lembro)\b|non (?:so|credo|capisco|vedo|ricordo)\b|weiß (?:ich )?nicht|ich (?:glaube|denke)|(?:я|мы) не (?:знаю|думаю|понимаю|вижу|помню)|不知道|わかりません|分かりません|dime|il y a(?! interdiction)|(?:I|we) (?:must|have to|had to|need to) (?:admit|say|go|leave|run)/iu

/** The clause up to a comma, when another main clause follows that only explains. */
function firstClause(text: string, { from, to }: Span): Span {
  const sentence = text.slice(from, to)
  const cut =
    /,\s(?=(?:the|it|its|that|this|they|we|he|she|I|you|use|because|since|as|so|otherwise|[A-Z]\p{L}+ (?:owns|needs|uses|is|has)|es|das|weil|denn|sonst|il|elle|car|parce|porque|ya que|es|потому|иначе|он|она|это)\s)/u.exec(
      sentence,
    )
  return cut === null || cut.index < 16 ? { from, to } : { from, to: from + cut.index }
}

const isInstruction = (sentence: string): boolean =>
  !NOT_INSTRUCTION.test(sentence) && INSTRUCTION.some((pattern) => pattern.test(sentence))

/** Prohibitions, obligations and limits (user texts only). */
export function* instructions(text: string): Generator<Span> {
  for (const sentence of sentences(text)) {
    const clause = firstClause(text, sentence)
    if (isInstruction(text.slice(clause.from, clause.to))) yield clause
    else if (clause.to < sentence.to) {
      const rest = trimmedSpan(text, clause.to + 1, sentence.to)
      if (isInstruction(text.slice(rest.from, rest.to))) yield rest
    }
  }
}

const DECISION =
  /\b(?:(?:I|we|the team|team) (?:have |has )?(?:decided|chose|chosen|settled|agreed|opted|went with|picked|ruled out)|decided (?:with|to|against|on)|decision|going with|sticking with|ruled out|rather than|we(?:['’]ll| will) (?:not )?(?:use|keep|cache|go)|stays? (?:append|as|at|in)|that is final)\b|(?<!\p{L})(?:entschieden|beschlossen|wir (?:bleiben|begrenzen|nehmen|behalten|lassen)|lassen wir|nehmen wir|bleibt .{1,40} erhalten|j['’]ai choisi|(?:la )?décision|nous (?:gardons|avons décidé)|on n['’]utilisera|he decidido|hemos decidido|no vamos a|optamos|acordamos|en lugar de|se mantiene|решил[аи]?|решено|отказались|оставляем|не включаем)(?!\p{L})|决定|最终选择|暂时不|采用|不改变|に決め|ことにし|やめます|は使いません/iu

const EFFECT =
  /(?<!\p{L})(?:I(?:['’]ve| have)? (?:also )?(?:created|deleted|removed|changed|added|pushed|moved|renamed|installed|merged|opened|published|committed|restarted|rolled back|updated|wrote|sent|emailed|tagged|deployed|fixed)|^(?:removed|renamed|created|deleted|added|pushed|published|deployed|merged|installed|moved)|(?:was|were|has been|have been) (?:deleted|created|pushed|merged|deployed|sent))(?!\p{L})|(?<!\p{L})(?:habe ich .{1,80}(?:eingecheckt|angelegt|gelöscht|geändert|angepasst)|ich habe .{1,120}(?:angelegt|angepasst|gelöscht|erstellt|geändert|verschoben|eingecheckt)|wurden? .{0,60}(?:gelöscht|veröffentlicht|zusammengeführt|angelegt)|zusammengeführt|(?:j['’]ai|nous avons) (?:créé|supprimé|renommé|ajouté|modifié|poussé)|ont été relancés|(?:he|hemos) (?:creado|modificado|subido|borrado|instalado|publicado)|publiqué|quedó fusionad|se ha enviado|(?:я )?(?:исправил|создал|удалил|добавил|отправил)[аи]?|отправлены)(?!\p{L})|已(?:修改|创建|推送|删除|新增|提交)|并删除|を(?:作成|修正|削除|プッシュ|追加)し/iu

/** Sentences that state a decision. */
export function* decisions(text: string): Generator<Span> {
  for (const span of sentences(text)) if (DECISION.test(text.slice(span.from, span.to))) yield span
}

/** Sentences that report a finished side effect. */
export function* effects(text: string): Generator<Span> {
  for (const span of sentences(text)) if (EFFECT.test(text.slice(span.from, span.to))) yield span
}
