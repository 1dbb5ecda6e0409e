import { useEffect, useRef, useState } from 'preact/hooks'
import { findFormat, isUtf16 } from '../../../lib/features/user-files/import-file.ts'
import { Alert, Button, useAction } from '../../kit/button.tsx'
import { FieldFrame } from '../../kit/field.tsx'
import { Form, useFirstFocus } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { LeaveDialog } from '../kit/leave-dialog.tsx'
import { toAddress } from '../kit/route.ts'
import { RunProgress } from '../kit/run-dialog.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { RefusedLines } from './refused-lines.tsx'
import { type ImportEnd, type ImportProgress, runImport } from './run-import.ts'

const consoleText = messagesOf('console')
const t = messagesOf('userFiles')

/** A run that ended. */
interface EndedRun {
  readonly isDryRun: boolean
  readonly end: ImportEnd
}

/** Imports users from a file, after a check that shows what would happen. */
export const ImportUsers = () => {
  const [file, setFile] = useState<File | undefined>()
  const [running, setRunning] = useState<'check' | 'import' | undefined>()
  const [progress, setProgress] = useState<ImportProgress | undefined>()
  const [waitSeconds, setWait] = useState(0)
  const [ended, setEnded] = useState<EndedRun | undefined>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const start = async (chosen: File, checked?: ImportEnd): Promise<void> => {
    stop.current = new AbortController()
    setFile(chosen)
    setEnded(undefined)
    setProgress(undefined)
    setRunning(checked ? 'import' : 'check')
    const end = await runImport(chosen, {
      isDryRun: !checked,
      ...(checked ? { refused: checked.refused } : {}),
      signal: stop.current.signal,
      onProgress: setProgress,
      onWait: setWait,
    })
    setRunning(undefined)
    setEnded({ isDryRun: !checked, end })
  }
  const restart = (): void => {
    setFile(undefined)
    setEnded(undefined)
  }
  return (
    <SectionPage
      heading={t('importHeading')}
      intro={t('importIntro')}
      parent={{ address: toAddress('users'), label: consoleText('users') }}
    >
      {!file && <ChooseFile onChoose={(chosen) => void start(chosen)} />}
      {file && running && (
        <RunProgress
          text={t(running === 'check' ? 'checking' : 'importing', { line: progress?.line ?? 0 })}
          done={progress?.readBytes ?? 0}
          count={Math.max(file.size, 1)}
          waitSeconds={waitSeconds}
          onStop={() => stop.current.abort()}
        />
      )}
      {file && ended && (
        <Ended file={file} {...ended} onImport={() => void start(file, ended.end)} onRestart={restart} />
      )}
      <LeaveDialog
        isGuarded={running === 'import'}
        heading={t('leaveHeading')}
        text={t('leaveText')}
        action={t('leave')}
      />
    </SectionPage>
  )
}

/** Asks for a file that can be read. */
const ChooseFile = ({ onChoose }: { readonly onChoose: (file: File) => void }) => {
  const [file, setFile] = useState<File | undefined>()
  const [problem, setProblem] = useState('')
  const read = useAction(async () => {
    const found = file ? await findProblem(file) : kitText('required')
    setProblem(found)
    if (file && !found) onChoose(file)
    return undefined
  })
  return (
    <Form isRunning={read.isRunning} onSubmit={read.run}>
      <FieldFrame label={t('file')} hint={t('fileHint')} problem={problem}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".csv,.jsonl,.ndjson"
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
        )}
      </FieldFrame>
      <p class="note">{t('checkNote')}</p>
      <div class="row">
        <Button type="submit">{t('check')}</Button>
        <a class="button secondary" href={toAddress('users')}>
          {kitText('cancel')}
        </a>
      </div>
    </Form>
  )
}

const findProblem = async (file: File): Promise<string> => {
  if (!findFormat(file.name)) return t('wrongFormat')
  try {
    return isUtf16(new Uint8Array(await file.slice(0, 2).arrayBuffer())) ? t('notUtf8') : ''
  } catch {
    return t('changed')
  }
}

interface EndedProps extends EndedRun {
  readonly file: File
  readonly onImport: () => void
  readonly onRestart: () => void
}

/** Says what a check found, or what an import did, and what can follow. */
const Ended = ({ file, isDryRun, end, onImport, onRestart }: EndedProps) => {
  // The button that stopped the work is no longer there.
  const element = useFirstFocus<HTMLDivElement>()
  const { imported, known, refused } = end
  const isComplete = !end.reason && !end.failure && end.problem === undefined
  return (
    <div class="stack">
      <div ref={element} class="stack" tabIndex={-1}>
        {!isComplete && <Incomplete end={end} isDryRun={isDryRun} />}
        <Alert>
          <p>{t(isDryRun ? 'importable' : 'imported', { count: imported })}</p>
          {known > 0 && <p>{t('known', { count: known })}</p>}
          {refused.length > 0 && <p>{t('refused', { count: refused.length })}</p>}
        </Alert>
      </div>
      <div class="row">
        {isDryRun && isComplete && imported > 0 && (
          <Button onClick={onImport}>{t('start', { count: imported })}</Button>
        )}
        <Button look="secondary" onClick={onRestart}>
          {t('otherFile')}
        </Button>
        {!isDryRun && (
          <a class="button secondary" href={toAddress('users')}>
            {consoleText('backToList')}
          </a>
        )}
      </div>
      {refused.length > 0 && <RefusedLines lines={refused} fileName={file.name} />}
    </div>
  )
}

/** Why a run ended before the end of the file. */
const Incomplete = ({ end, isDryRun }: EndedRun) => {
  const { failure, problem, reason, line } = end
  if (failure) return <FailureAlert failure={failure} />
  return (
    <Alert kind="problem">
      {problem !== undefined && (
        <>
          {t('unreadable')}
          <p class="note" lang="en">
            {problem}
          </p>
        </>
      )}
      {reason === 'changed' && t('changed')}
      {reason === 'stopped' && t(isDryRun ? 'checkStopped' : 'importStopped', { line })}
    </Alert>
  )
}
