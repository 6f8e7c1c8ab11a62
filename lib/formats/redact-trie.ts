/** Many words as one pattern: what they begin with alike is looked at once, however many there are. */

type Node = { next: Map<string, Node>; isEnd: boolean }

const createNode = (): Node => ({ next: new Map(), isEnd: false })

/** Depth grows with the branchings alone: a chain of single characters is no recursion. */
function patternOf(from: Node, write: (character: string) => string): string {
  let pattern = ''
  let node = from
  while (node.next.size === 1 && !node.isEnd) {
    const [[character, child]] = [...node.next] as [[string, Node]]
    pattern += write(character)
    node = child
  }
  if (node.next.size === 0) return pattern
  const branches = [...node.next].map(
    ([character, child]) => write(character) + patternOf(child, write),
  )
  // The longer word first: what ends here may also go on.
  return `${pattern}(?:${branches.join('|')})${node.isEnd ? '?' : ''}`
}

/** Null of no words. `write` gives the pattern of one character; the longest word that fits is what matches. */
export function triePattern(
  words: Iterable<string>,
  flags: string,
  write: (character: string) => string,
): RegExp | null {
  const root = createNode()
  for (const word of words) {
    let node = root
    for (let at = 0; at < word.length; at += 1) {
      const character = word[at] as string
      const next = node.next.get(character) ?? createNode()
      node.next.set(character, next)
      node = next
    }
    node.isEnd = node !== root
  }
  return root.next.size === 0 ? null : new RegExp(patternOf(root, write), flags)
}
