import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { PRESETS } from '../core/policy'
import { type Database, openDatabase } from './db'
import { readDraft, saveDraft } from './drafts'
import { DEFAULT_SETTINGS, readSettings, saveSettings } from './settings'
import { freshName } from './testing/database'
import { persistStorage, readUsage } from './usage'

let db: Database
beforeEach(async () => {
  db = await openDatabase(freshName())
})

describe('settings', () => {
  it('have defaults', async () => {
    expect(await readSettings(db)).toEqual(DEFAULT_SETTINGS)
    expect(DEFAULT_SETTINGS).toMatchObject({ theme: 'system', policy: PRESETS.standard })
  })

  it('keep a change and leave the rest', async () => {
    await saveSettings(db, { theme: 'dark', policy: PRESETS.teaching })
    await saveSettings(db, { maxSteps: 7 })
    const expected = { theme: 'dark', policy: PRESETS.teaching, maxSteps: 7 }
    expect(await readSettings(db)).toEqual({ ...DEFAULT_SETTINGS, ...expected })
  })

  it('a damaged value falls back alone', async () => {
    await saveSettings(db, { theme: 'dark', maxSteps: 7 })
    await db.relaxed.settings.put({ key: 'maxSteps', value: 'many' })
    await db.relaxed.settings.put({ key: 'policy', value: { preset: 'future' } })
    await db.relaxed.settings.put({ key: 'unheard-of', value: 1 })
    expect(await readSettings(db)).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' })
  })

  it('keep what a person says of a model, and nothing that is no fact of one', async () => {
    const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 }
    const models = { 'qwen3:8b': { contextWindow: 32_768, thinking: [], price } }
    await saveSettings(db, { models })
    expect((await readSettings(db)).models).toEqual(models)
    await expect(saveSettings(db, { models: { a: { maxTokens: -1 } } })).rejects.toThrow()
  })

  it('refuse to keep what they would not read', async () => {
    await expect(saveSettings(db, { maxSteps: 0 })).rejects.toThrow()
    expect(await readSettings(db)).toEqual(DEFAULT_SETTINGS)
  })
})

describe('drafts', () => {
  it('are kept by session until they are emptied', async () => {
    const draft = { text: 'half a thought', attachments: [{ type: 'text', text: 'file' }] }
    await saveDraft(db, 'a', draft)
    expect([await readDraft(db, 'a'), (await readDraft(db, 'b')).text]).toEqual([draft, ''])
    await saveDraft(db, 'a', { text: '', attachments: [] })
    expect(await db.relaxed.drafts.count()).toBe(0)
  })

  it('a damaged one is empty', async () => {
    await db.relaxed.drafts.put({ sessionId: 'a', text: 3 } as never)
    expect(await readDraft(db, 'a')).toEqual({ text: '', attachments: [] })
  })
})

describe('storage usage', () => {
  it('says what the browser says', async () => {
    const storage = {
      estimate: async () => ({ usage: 5, quota: 10 }),
      persisted: async () => true,
      persist: async () => true,
    }
    expect(await readUsage(storage)).toEqual({ usage: 5, quota: 10, persisted: true })
    expect(await persistStorage(storage)).toBe(true)
  })

  it('a browser that does not say, or refuses, is no error', async () => {
    const no = () => Promise.reject(new Error('denied'))
    for (const storage of [{}, { estimate: no, persisted: no, persist: no }]) {
      expect(await readUsage(storage)).toEqual({ persisted: false })
      expect(await persistStorage(storage)).toBe(false)
    }
  })
})
