/** Words, times and ids of generated logs, by a fixed seed. */

import { seeded } from './session'

export const ASCII =
  'const stream = createReader(file); // the parser reads a window and answers "what is due" \n'
const WIDE =
  '这个函数读取日志并返回摘要，然后把结果写入缓冲区。Это строка на другом языке, с «кавычками». '

export const at = (n: number): string => new Date(1_767_000_000_000 + n * 1_000).toISOString()
/** Another id for each number, and the same one each time. */
export function uuid(n: number): string {
  const hex = (salt: number) =>
    (Math.imul(n + salt, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')
  const [a, b, c] = [hex(1), hex(77), n.toString(16).padStart(4, '0')]
  return `${a}-${b.slice(0, 4)}-4${b.slice(4, 7)}-a${a.slice(1, 4)}-${b}${c.slice(-4)}`
}

/** Text of about `length` characters, a third of texts in scripts beyond ASCII. */
export function createWriter(seed: number) {
  const random = seeded(seed)
  const narrow = ASCII.repeat(400)
  const wide = WIDE.repeat(300)
  return {
    random,
    text(length: number): string {
      const from = random() < 1 / 3 ? wide : narrow
      const size = Math.min(from.length, Math.ceil(length * (0.5 + random())))
      const start = Math.floor(random() * (from.length - size))
      return from.slice(start, start + size)
    },
  }
}
export type Writer = ReturnType<typeof createWriter>
