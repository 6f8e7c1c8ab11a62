import { unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { diffFile } from './diff-file'
import { changeOf, decodeContent } from './workspace'
import { zipWorkspace } from './zip'

type File = { path: string; content: string | Uint8Array }

async function* each(files: readonly File[], told: string[] = []): AsyncGenerator<File> {
  try {
    for (const file of files) {
      told.push(file.path)
      yield file
    }
  } finally {
    told.push('ended')
  }
}

const bytesOf = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) =>
  new Uint8Array(await new Response(stream).arrayBuffer())

it('a zip holds every file byte for byte, and equal files give equal zips', async () => {
  const files = [
    { path: 'a.bin', content: new Uint8Array([0, 255]) },
    { path: 'b/ü.md', content: 'text 😀' },
    { path: 'empty', content: '' },
    { path: 'long.txt', content: 'x'.repeat(1_000_000) },
  ]
  const zip = await bytesOf(zipWorkspace(each(files)))
  const back = unzipSync(zip)
  expect(Object.keys(back)).toEqual(files.map(({ path }) => path))
  expect(new TextDecoder().decode(back['b/ü.md'])).toBe('text 😀')
  expect(back['a.bin']).toEqual(new Uint8Array([0, 255]))
  expect(back.empty).toHaveLength(0)
  expect(back['long.txt']).toHaveLength(1_000_000)
  expect(zip.length).toBeLessThan(10_000)
  expect(await bytesOf(zipWorkspace(each(files)))).toEqual(zip)
  expect(unzipSync(await bytesOf(zipWorkspace(each([]))))).toEqual({})
})

it('a zip reads its files as it is taken, and no more of them once it is cancelled', async () => {
  const told: string[] = []
  const files = Array.from({ length: 9 }, (_, n) => ({ path: `${n}`, content: 'x' }))
  const reader = zipWorkspace(each(files, told)).getReader()
  await reader.read()
  expect(told.length).toBeLessThan(4)
  await reader.cancel()
  expect(told.at(-1)).toBe('ended')
})

it('a diff numbers lines on both sides and counts them', () => {
  const diff = diffFile('a', 'one\ntwo\nthree\n', 'one\n2\nthree\nfour\n')
  expect(diff).toMatchObject({ added: 2, removed: 1 })
  expect(diff.hunks[0]!.lines).toEqual([
    { kind: 'same', text: 'one', before: 1, after: 1 },
    { kind: 'removed', text: 'two', before: 2 },
    { kind: 'added', text: '2', after: 2 },
    { kind: 'same', text: 'three', before: 3, after: 3 },
    { kind: 'added', text: 'four', after: 4 },
  ])
  expect(diffFile('a', null, 'x\n').hunks[0]!.lines).toEqual([
    { kind: 'added', text: 'x', after: 1 },
  ])
  expect(diffFile('a', 'x', null)).toMatchObject({ added: 0, removed: 1 })
  expect(diffFile('a', 'x', 'x').hunks).toEqual([])
})

it('bytes are text only when they are UTF-8 without NUL', () => {
  expect(decodeContent(new TextEncoder().encode('\ufeffé'))).toBe('\ufeffé')
  expect(decodeContent(new Uint8Array([0xff, 0xfe]))).toBeInstanceOf(Uint8Array)
  expect(decodeContent(new Uint8Array([65, 0]))).toBeInstanceOf(Uint8Array)
  expect(changeOf(new Uint8Array([1]), new Uint8Array([1]))).toBeNull()
  expect(changeOf('a', new Uint8Array([97]))).toBe('modified')
})
