/** What secrets look like. */

export type SecretKind = 'keys' | 'tokens' | 'private-keys' | 'emails'

export type SecretPattern = {
  kind: SecretKind
  label: string
  /** The secret is the group `secret` where there is one, else the whole match. */
  pattern: RegExp
}

/** Letters and digits both: words that merely stand after `password:` are none. */
const MIXED = '(?=[^\\s"\',;&]{0,200}[0-9])(?=[^\\s"\',;&]{0,200}[A-Za-z])'

export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'keys',
    label: 'API key',
    pattern: /\b(?:sk|rk|pk)[-_](?:[a-z0-9]{2,12}[-_])*[A-Za-z0-9_-]{16,}/g,
  },
  { kind: 'keys', label: 'AWS access key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: 'keys', label: 'Google API key', pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
  {
    kind: 'tokens',
    label: 'GitHub token',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/g,
  },
  { kind: 'tokens', label: 'GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{18,}/g },
  { kind: 'tokens', label: 'Slack token', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g },
  { kind: 'tokens', label: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { kind: 'tokens', label: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  {
    kind: 'tokens',
    label: 'JSON web token',
    pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  },
  {
    kind: 'tokens',
    label: 'authorization',
    pattern: /\b(?:Bearer|Basic)\s+(?<secret>[A-Za-z0-9._~+/=-]{16,})/gi,
  },
  {
    kind: 'tokens',
    label: 'password in an address',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"']{0,100}:(?<secret>[^\s@/"']{3,200})@/gi,
  },
  {
    kind: 'tokens',
    label: 'assigned secret',
    pattern: new RegExp(
      `(?:api[_-]?key|access[_-]?key|secret|token|passw(?:or)?d)[a-z_]{0,20}\\\\{0,3}["']?\\s{0,5}[:=]\\s{0,5}\\\\{0,3}["']?(?<secret>${MIXED}[^\\s"',;&\\\\]{8,200})`,
      'gi',
    ),
  },
  {
    kind: 'private-keys',
    label: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    kind: 'private-keys',
    label: 'part of a private key',
    pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?<secret>[\s\S]{0,4000})/g,
  },
  {
    kind: 'emails',
    label: 'email address',
    pattern: /\b[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b/g,
  },
]

/** Long runs of base64: of a key that was cut, numbered or folded, each line is a secret by itself. */
const KEY_LINE = /[A-Za-z0-9+/]{40,}={0,2}/g

/** The secrets of one text, in the order of the patterns; one may be found more than once. */
export function* secretsIn(
  text: string,
  patterns: readonly SecretPattern[],
): Generator<{ value: string; label: string }> {
  for (const { kind, label, pattern } of patterns) {
    for (const match of text.matchAll(pattern)) {
      const value = match.groups?.secret ?? match[0]
      if (kind !== 'private-keys') yield { value, label }
      else for (const line of value.match(KEY_LINE) ?? []) yield { value: line, label }
    }
  }
}
