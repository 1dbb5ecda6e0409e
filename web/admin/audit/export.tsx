import { useRef, useState } from 'preact/hooks'
import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import type { ListAuditEventsQuery } from '../../../lib/client/generated/operations.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { messagesOf } from '../../kit/messages.ts'
import { useAction } from '../../kit/use-action.ts'
import { client } from '../../session-kit/client.ts'
import { saveFile } from '../../session-kit/copy-button.tsx'
import { toCsvLine } from '../kit/csv-line.ts'

const t = messagesOf('audit')

/** The columns of the export, in their order. */
const columns = [
  'created_at',
  'event',
  'outcome',
  'count',
  'user',
  'user_name',
  'actor',
  'actor_name',
  'username_tried',
  'target',
  'ip',
  'user_agent',
  'credential',
  'request_id',
  'id',
] as const satisfies readonly (keyof AuditEvent)[]

const formats = {
  csv: {
    type: 'text/csv',
    header: toCsvLine(columns),
    toLine: (event: AuditEvent) => toCsvLine(columns.map((name) => event[name])),
  },
  jsonl: {
    type: 'application/x-ndjson',
    header: '',
    toLine: (event: AuditEvent) => `${JSON.stringify(event)}\n`,
  },
} as const

const pageSize = 500

/** Saves the events that match the filters as a file. It reads them page by page, so it can be stopped. */
export const Export = ({ query }: { readonly query: ListAuditEventsQuery }) => {
  const [count, setCount] = useState(0)
  const [isStopped, setStopped] = useState(false)
  const abort = useRef<AbortController | undefined>(undefined)
  const save = useAction(async (name: keyof typeof formats) => {
    const { type, header, toLine } = formats[name]
    const lines = [header]
    const running = new AbortController()
    abort.current = running
    setStopped(false)
    setCount(0)
    for await (const event of client.audit.iterateAuditEvents({ ...query, limit: pageSize })) {
      if (running.signal.aborted) break
      lines.push(toLine(event))
      if (lines.length % pageSize === 0) setCount(lines.length - 1)
    }
    setCount(lines.length - 1)
    setStopped(running.signal.aborted)
    saveFile(`audit-events.${name}`, new Blob(lines, { type }))
    return undefined
  })
  const isFinished = !save.isRunning && abort.current !== undefined && !save.failure
  return (
    <section class="stack" aria-label={t('export')}>
      <div class="row">
        <Button look="secondary" isRunning={save.isRunning} onClick={() => save.run('csv')}>
          {t('exportCsv')}
        </Button>
        <Button look="secondary" isRunning={save.isRunning} onClick={() => save.run('jsonl')}>
          {t('exportJson')}
        </Button>
        {save.isRunning && (
          <Button look="secondary" onClick={() => abort.current?.abort()}>
            {t('stop')}
          </Button>
        )}
      </div>
      <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
      <Alert>
        {(save.isRunning || isFinished) && t(isStopped ? 'exportStopped' : 'exported', { count })}
      </Alert>
    </section>
  )
}
