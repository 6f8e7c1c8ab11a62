import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Workspace } from '../tools/workspace'
import { getBlob } from './blobs'
import { type Database, openDatabase } from './db'
import { copyFiles, type Files, openFiles, seedFiles } from './files'
import { freshName } from './testing/database'
import { png } from './testing/images'

const ID = 'session-1'
const bytes = (...values: number[]) => new Uint8Array(values)

let db: Database
let files: Files
beforeEach(async () => {
  db = await openDatabase(freshName())
  files = openFiles(db, ID)
  await seedFiles(db, ID, [
    { path: 'src/a.ts', body: 'let a = 1\n' },
    { path: 'logo.bin', body: bytes(0, 1, 2) },
  ])
})

const changes = async () =>
  Object.fromEntries((await files.list()).map(({ path, changed }) => [path, changed]))

describe('workspace files', () => {
  it('satisfies the workspace of the tools', () => {
    const workspace: Workspace = files
    expect(Object.keys(workspace).sort()).toEqual([
      'base',
      'blob',
      'list',
      'read',
      'remove',
      'write',
    ])
  })

  it('lists by path with size and kind', async () => {
    await files.write('é.txt', 'é')
    expect(await files.list()).toEqual([
      { path: 'logo.bin', bytes: 3, text: false, changed: null },
      { path: 'src/a.ts', bytes: 10, text: true, changed: null },
      { path: 'é.txt', bytes: 2, text: true, changed: 'added' },
    ])
  })

  it('reads text as text and bytes as bytes', async () => {
    expect(await files.read('src/a.ts')).toBe('let a = 1\n')
    expect(await files.read('logo.bin')).toEqual(bytes(0, 1, 2))
    expect(await files.read('none')).toBeNull()
  })

  it('remembers what a file was at the start through every change', async () => {
    await files.write('src/a.ts', 'let a = 2\n')
    await files.write('src/a.ts', 'let a = 3\n')
    expect(await changes()).toMatchObject({ 'src/a.ts': 'modified' })
    expect(await files.base('src/a.ts')).toBe('let a = 1\n')
    await files.remove('src/a.ts')
    expect(await changes()).toMatchObject({ 'src/a.ts': 'deleted' })
    expect([await files.read('src/a.ts'), await files.base('src/a.ts')]).toEqual([
      null,
      'let a = 1\n',
    ])
    await files.write('src/a.ts', 'let a = 1\n')
    expect(await changes()).toMatchObject({ 'src/a.ts': null })
    expect(await files.base('src/a.ts')).toBe('let a = 1\n')
  })

  it('a file that was added and removed is gone', async () => {
    await files.write('new.txt', '')
    expect([await files.base('new.txt'), await files.read('new.txt')]).toEqual([null, ''])
    await files.remove('new.txt')
    await files.remove('never.txt')
    expect(Object.keys(await changes())).toEqual(['logo.bin', 'src/a.ts'])
  })

  it('keeps its own bytes, whatever becomes of the caller’s', async () => {
    const buffer = new Uint8Array(1000).fill(7)
    await files.write('part.bin', buffer.subarray(10, 12))
    buffer.fill(0)
    const stored = (await files.read('part.bin')) as Uint8Array
    expect([stored, stored.buffer.byteLength]).toEqual([bytes(7, 7), 2])
  })

  it('[K2] a fork has the workspace as it is now, and its own from then on', async () => {
    await files.write('src/a.ts', 'let a = 2\n')
    await copyFiles(db, ID, 'fork')
    const forked = openFiles(db, 'fork')
    expect(await forked.list()).toEqual(await files.list())
    expect(await forked.base('src/a.ts')).toBe('let a = 1\n')
    await forked.remove('src/a.ts')
    expect(await files.read('src/a.ts')).toBe('let a = 2\n')
  })

  it('seeding replaces what was there', async () => {
    await seedFiles(db, ID, [{ path: 'only.txt', body: 'x' }])
    expect(await changes()).toEqual({ 'only.txt': null })
  })

  it('puts an image, and nothing else, in the blob table', async () => {
    await files.write('dot.png', png(3, 2))
    const ref = await files.blob('dot.png')
    expect(ref).toMatchObject({ media_type: 'image/png', width: 3, height: 2 })
    expect((await getBlob(db, ref!.hash))?.bytes).toEqual(png(3, 2))
    expect(await files.blob('logo.bin')).toBeNull()
    expect(await files.blob('src/a.ts')).toBeNull()
  })

  it('a damaged row is a file that is not there', async () => {
    await db.relaxed.files.put({ sessionId: ID, path: 'logo.bin', body: 7 } as never)
    expect(await files.read('logo.bin')).toBeNull()
    expect(Object.keys(await changes())).toEqual(['src/a.ts'])
  })
})
