import { expect, it, vi } from 'vitest'
import { fileName, saveStream } from './save'

/** A file as the File System Access API gives it: what is written shows once it is closed. */
function chosenFile(before: string | null) {
  const disk = { text: before ?? '', isThere: true, closed: 0 }
  const file = {
    name: 'chosen.txt',
    getFile: async () => ({ size: disk.text.length }),
    remove: async () => {
      disk.isThere = false
    },
    async createWritable() {
      let swap = ''
      return {
        write: async (chunk: Uint8Array) => {
          swap += new TextDecoder().decode(chunk)
        },
        close: async () => {
          disk.text = swap
          disk.closed += 1
        },
        abort: async () => {},
      }
    },
  }
  return { disk, file: file as unknown as FileSystemFileHandle }
}

const streamOf = (...pieces: (string | Error)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull(controller) {
      const next = pieces.shift()
      if (next === undefined) controller.close()
      else if (next instanceof Error) controller.error(next)
      else controller.enqueue(new TextEncoder().encode(next))
    },
  })

it('writes a chosen file and says how far it is', async () => {
  const { disk, file } = chosenFile(null)
  const told: number[] = []
  await saveStream(streamOf('one ', 'two'), 'x.txt', 'text/plain', {
    file,
    onBytes: (bytes) => told.push(bytes),
  })
  expect(disk).toEqual({ text: 'one two', isThere: true, closed: 1 })
  expect(told).toEqual([4, 7])
})

it.each([
  ['cancelled', null],
  ['of which the source fails', new Error('torn')],
])('leaves nothing of a new file that was %s, and an old one as it was', async (_, failure) => {
  for (const before of [null, 'what was there']) {
    const { disk, file } = chosenFile(before)
    const ender = new AbortController()
    const pieces = failure ? ['half', failure] : ['half', 'the rest']
    const saving = saveStream(streamOf(...pieces), 'x.txt', 'text/plain', {
      file,
      signal: ender.signal,
      onBytes: () => failure ?? ender.abort(new Error('enough')),
    })
    await expect(saving).rejects.toThrow(failure ? 'torn' : 'enough')
    expect(disk).toEqual({ text: before ?? '', isThere: before !== null, closed: 0 })
  }
})

it('tells the source that no more is wanted', async () => {
  const ended = vi.fn()
  const { file } = chosenFile(null)
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(8)),
    cancel: ended,
  })
  const ender = new AbortController()
  const onBytes = (bytes: number) => {
    if (bytes > 40) ender.abort()
  }
  const saving = saveStream(stream, '', '', { file, signal: ender.signal, onBytes })
  await expect(saving).rejects.toThrow()
  expect(ended).toHaveBeenCalledOnce()
})

it('offers a download only of all of it', async () => {
  const clicked: { download: string; href: string }[] = []
  const link = {
    download: '',
    href: '',
    click: () => clicked.push({ download: link.download, href: link.href }),
  }
  vi.stubGlobal('document', { createElement: () => link })
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return 'blob:it'
  })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const torn = saveStream(streamOf('half', new Error('torn')), 'a.txt', 'text/plain')
  await expect(torn).rejects.toThrow('torn')
  expect(clicked).toEqual([])
  await saveStream(streamOf('all ', 'of it'), 'a.txt', 'text/plain')
  expect(clicked).toEqual([{ download: 'a.txt', href: 'blob:it' }])
  expect([await blobs[0]?.text(), blobs[0]?.type]).toEqual(['all of it', 'text/plain'])
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('makes names that every system takes', () => {
  expect(fileName('a/b: “c” <d>\u0000', 'md')).toBe('a-b-c-d.md')
  expect(fileName('…', 'md')).toBe('session.md')
})
