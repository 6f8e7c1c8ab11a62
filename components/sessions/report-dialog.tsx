'use client'

import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useActions, useApp } from '@/lib/state/hooks'
import type { ImportRemark, ImportReport } from '@/lib/state/model'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { count, exact } from '../ui/format'
import { Name, plainName } from '../ui/name'
import { SectionTitle } from '../ui/panel'
import { linesIn, remarkRows } from './report-rows'

/** What an import read, recovered and refused, file by file. */
export function ReportDialog() {
  const reports = useApp((state) => state.reports)
  const { dismissReport, openSession } = useActions()
  const close = () => {
    for (const { name } of reports) dismissReport(name)
  }
  const shown = useApp((state) => state.view.session)
  const first = reports.find(({ sessionId }) => sessionId && sessionId !== shown)
  return (
    <Dialog
      open={reports.length > 0}
      onOpenChange={(open) => !open && close()}
      title={reports.length === 1 ? 'Import report' : `Import report, ${reports.length} files`}
      footer={
        <>
          <Button className="ml-auto" onClick={close}>
            Close
          </Button>
          {first?.sessionId ? (
            <Button
              tone="primary"
              onClick={() => {
                openSession(first.sessionId!)
                close()
              }}
            >
              Open {reports.length > 1 ? first.name : 'session'}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {reports.map((report) => (
          <Report key={report.name} report={report} />
        ))}
      </div>
    </Dialog>
  )
}

function Report({ report }: { report: ImportReport }) {
  const clean = report.rejected.length === 0 && report.violations.length === 0
  return (
    <article aria-label={plainName(report.name)}>
      <h3 className="m-0 flex items-center gap-2 text-base font-[550]">
        {report.problem ? (
          <CircleAlert size={15} className="shrink-0 text-err-ink" />
        ) : clean ? (
          <CircleCheck size={15} className="shrink-0 text-assistant-ink" />
        ) : (
          <TriangleAlert size={15} className="shrink-0 text-call-ink" />
        )}
        <span className="truncate">
          <Name>{report.name}</Name>
        </span>
      </h3>
      {report.problem ? <p className="m-0 mt-1 text-err-ink">{report.problem}</p> : null}
      {report.sessions > 0 ? <Counts report={report} clean={clean} /> : null}
      {report.note ? <p className="m-0 text-ink2">{report.note}</p> : null}
      <Lines title="Broken lines" remarks={report.rejected} />
      <Lines title="Mended, so that it can be continued" remarks={report.mended} />
      <Lines title="Kept in the original only" remarks={report.kept} />
      <Problems
        title="Rules the log breaks"
        total={report.violations.length}
        rows={report.violations.map(({ rule, seq, message }) => [`${rule} · #${seq}`, message])}
      />
    </article>
  )
}

/** What each certainty of a foreign compaction means. */
const CERTAINTY = {
  exact: 'range exact',
  derived: 'range worked out from the file',
  unknown: 'range not known',
} as const

function Counts({ report, clean }: { report: ImportReport; clean: boolean }) {
  const { foreign, read, recovered, keptRecords, sessions, compactions } = report
  const known = (['exact', 'derived', 'unknown'] as const).filter((kind) => compactions[kind] > 0)
  return (
    <div className="mt-1 text-ink2">
      <p className="m-0">
        {count(read, foreign ? 'record' : 'event')} read
        {recovered ? `, ${exact(recovered)} recovered` : ''}
        {keptRecords ? `, ${exact(keptRecords)} kept raw` : ''}
        {sessions > 1 ? `, in ${exact(sessions)} sessions` : ''}
        {clean ? '. Every rule holds.' : '.'}
      </p>
      {known.length > 0 ? (
        <p className="m-0">
          {known
            .map((kind) => `${count(compactions[kind], 'compaction')}, ${CERTAINTY[kind]}`)
            .join('; ')}
          .
        </p>
      ) : null}
    </div>
  )
}

function Lines({ title, remarks }: { title: string; remarks: ImportRemark[] }) {
  return <Problems title={title} total={linesIn(remarks)} rows={remarkRows(remarks)} />
}

const SHOWN = 100

function Problems({
  title,
  total,
  rows,
}: {
  title: string
  total: number
  rows: [string, string][]
}) {
  if (rows.length === 0) return null
  return (
    <div className="mt-2.5">
      <SectionTitle aside={exact(total)}>{title}</SectionTitle>
      <ul className="m-0 max-h-56 list-none overflow-y-auto rounded-md border p-0">
        {rows.slice(0, SHOWN).map(([where, what], i) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            key={i}
            className="flex gap-3 border-b px-2.5 py-1 last:border-0 max-wide:flex-col max-wide:gap-0"
          >
            <span className="mono w-44 shrink-0 text-ink3 max-wide:w-auto">{where}</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{what}</span>
          </li>
        ))}
        {rows.length > SHOWN ? (
          <li className="px-2.5 py-1 text-ink3">and {exact(rows.length - SHOWN)} more</li>
        ) : null}
      </ul>
    </div>
  )
}
