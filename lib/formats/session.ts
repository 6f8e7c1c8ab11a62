/** Beginning a session that was read from a foreign file. */

import { LOG_VERSION, type SessionHeader } from '../core/event'
import { type Builder, createBuilder } from './builder'
import { type ForeignFile, HashWanted, type Part, type Place } from './foreign'
import { emptyReport, type Remark, remark } from './report'

type Beginning = {
  format: string
  /** Its id in the file; absent where it has none. */
  id?: string
  createdAt?: number
  toolVersion?: string
  parent?: SessionHeader['parent']
}

export type Opened = { header: SessionHeader; builder: Builder; opened: Part }

export type Sessions = {
  begin(beginning: Beginning): Opened
  /** The row belongs to no session. It is said in `list`, where not among what the report kept so far. */
  keep(at: Place, reason: string, list?: Remark[]): void
  isCounted(at: Place): boolean
  /** The id a file has whose records say none. Throws `HashWanted`. */
  fallbackId(format: string): string
}

/** Sessions of one file: rows are counted once among them, and the first one's report is the file's. */
export function createSessions(file: ForeignFile): Sessions {
  const { counted } = file
  let isFirst = true
  const fallbackId = (format: string) => {
    if (file.sha256 === null) throw new HashWanted()
    return `${format}-${file.sha256.slice(0, 16)}`
  }
  return {
    fallbackId,
    isCounted: ({ index }) => counted.has(index),
    keep(at, reason, list = file.report.kept) {
      if (counted.has(at.index)) return
      counted.add(at.index)
      file.report.keptRecords += 1
      remark(list, at.line, reason)
    },
    begin({ format, id, createdAt, toolVersion, parent }) {
      const header: SessionHeader = {
        version: LOG_VERSION,
        id: id || fallbackId(format),
        createdAt: createdAt ?? file.time,
        ...(parent ? { parent } : {}),
        origin: {
          format,
          sha256: file.sha256 ?? '',
          name: file.name,
          ...(toolVersion ? { toolVersion } : {}),
        },
      }
      const report = isFirst ? file.report : emptyReport()
      isFirst = false
      const builder = createBuilder(header, { report, counted })
      return { header, builder, opened: { type: 'session', header } }
    },
  }
}
