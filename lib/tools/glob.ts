/** Globs over workspace paths: `*`, `**`, `?`, `[abc]`, `{a,b}`. */

export const isGlob = (text: string): boolean => /[*?[{]/.test(text)

const literal = (char: string) => char.replace(/[.+^$()|\\{}[\]]/g, '\\$&')

/** The end of a `[…]` or `{…}` opened at `from`, or -1 when it is never closed. */
const closing = (glob: string, from: string, at: number) =>
  glob.indexOf(from === '[' ? ']' : '}', at + 1)

function translate(glob: string): string {
  let out = ''
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at]!
    if (char === '*' && glob[at + 1] === '*') {
      const folder = glob[at + 2] === '/'
      out += folder ? '(?:[^/]*/)*' : '.*'
      at += folder ? 2 : 1
    } else if (char === '*') out += '[^/]*'
    else if (char === '?') out += '[^/]'
    else if (char === '[' || char === '{') {
      const end = closing(glob, char, at)
      if (end < 0) {
        out += literal(char)
        continue
      }
      const inner = glob.slice(at + 1, end)
      out +=
        char === '{'
          ? `(?:${inner.split(',').map(translate).join('|')})`
          : `[${inner.replace(/^!/, '^').replace(/\\/g, '\\\\')}]`
      at = end
    } else out += literal(char)
  }
  return out
}

/**
 * A test for paths. A glob without `/` matches the last segment anywhere (`*.md`), one with `/` the
 * whole path (`docs/**`). Runs of stars are joined, so that no glob is slow to test.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const lean = glob
    .replace(/\*{3,}/g, '**')
    .replace(/(\*\*\/)+/g, '**/')
    .replace(/^(\.?\/)+/, '')
  let pattern: RegExp
  try {
    pattern = new RegExp(`^${translate(lean)}$`, 'u')
  } catch {
    return (path) => path === lean
  }
  return lean.includes('/')
    ? (path) => pattern.test(path)
    : (path) => pattern.test(path.slice(path.lastIndexOf('/') + 1))
}
