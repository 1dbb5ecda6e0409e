import { useEffect, useRef, useState } from 'preact/hooks'
import type { UserExportLine } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Dialog, useClosing } from '../../kit/dialog.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { saveFile } from '../../session-kit/copy-button.tsx'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { RunProgress } from '../kit/run-dialog.tsx'
import { runForEach } from '../kit/run-for-each.ts'
import { showToast } from '../kit/toast.tsx'

const users = messagesOf('users')
const t = messagesOf('userFiles')
const pageSize = 500

interface ExportUsersProps {
  /** The number of users, for the progress. Undefined until it is known. */
  readonly total: number | undefined
  readonly onClose: () => void
}

/** Saves all users as a file that an import reads. */
export const ExportUsers = ({ total = 0, onClose }: ExportUsersProps) => {
  const [count, setCount] = useState<number | undefined>()
  const [waitSeconds, setWait] = useState(0)
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const close = useClosing(onClose)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const start = async (): Promise<void> => {
    setFailure(undefined)
    setCount(0)
    const read = await readAll({ signal: stop.current.signal, onProgress: setCount, onWait: setWait })
    setCount(undefined)
    if (read.failure) return setFailure(read.failure)
    if (read.lines) {
      saveFile('users.jsonl', new Blob(read.lines, { type: 'application/x-ndjson' }))
      showToast(t('exported', { count: read.lines.length }))
    }
    close()
  }
  return (
    <Dialog heading={t('exportHeading')} onClose={onClose}>
      {count === undefined ? (
        <>
          <p>{t('exportText')}</p>
          <FailureAlert failure={failure} />
          <div class="row">
            <Button onClick={() => void start()}>{users('export')}</Button>
            <Button look="secondary" onClick={onClose}>
              {kitText('cancel')}
            </Button>
          </div>
        </>
      ) : (
        <RunProgress
          text={t('exporting', { count })}
          done={count}
          count={Math.max(total, count, 1)}
          waitSeconds={waitSeconds}
          onStop={onClose}
        />
      )}
    </Dialog>
  )
}

interface ReadOptions {
  readonly signal: AbortSignal
  readonly onProgress: (count: number) => void
  readonly onWait: (seconds: number) => void
}

/** Reads all pages. Without lines, the person stopped, or their session ended. */
const readAll = async ({
  signal,
  onProgress,
  onWait,
}: ReadOptions): Promise<{ readonly lines?: string[]; readonly failure?: ApiFailure }> => {
  const lines: string[] = []
  let cursor: string | undefined
  do {
    let items: readonly UserExportLine[] = []
    const { failed, left } = await runForEach(
      [cursor ?? null],
      async (after) => {
        const query = { limit: pageSize, ...(after === null ? {} : { cursor: after }) }
        const page = await client.userFiles.listExportedUsers(query)
        items = page.items
        cursor = page.nextCursor
      },
      { signal, onWait },
    )
    if (failed[0]) return { failure: failed[0].failure }
    if (left.length > 0 || signal.aborted) return {}
    lines.push(...items.map((item) => `${JSON.stringify(item)}\n`))
    onProgress(lines.length)
  } while (cursor !== undefined)
  return { lines }
}
