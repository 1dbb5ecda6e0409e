import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure, describeWait } from '../../kit/describe-failure.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { type RunReport, runForEach } from './run-for-each.ts'
import { showToast } from './toast.tsx'

const t = messagesOf('users')

interface RunDialogProps<Item, Choice> {
  readonly heading: string
  /** Asks first. It calls `start` with the items and with what was chosen. */
  readonly ask: (
    start: (items: readonly Item[], choice: Choice) => void,
    close: () => void,
  ) => ComponentChildren
  readonly work: (item: Item, choice: Choice) => Promise<unknown>
  /** Shows an item that failed. */
  readonly show: (item: Item) => ComponentChildren
  /** Explains failures by their reason or code. */
  readonly failures: Readonly<Record<string, string>>
  /** What to say after everything worked. */
  readonly done: (count: number) => string
  /** What takes it back, for actions that can be. */
  readonly undo?: ((items: readonly Item[]) => Promise<unknown>) | undefined
  readonly onEnd: (report: RunReport<Item> | undefined) => void
}

/** Does the same for many things after a question. Shows how far the work is, stops it, and lists what failed. */
export const RunDialog = <Item, Choice>(props: RunDialogProps<Item, Choice>) => {
  const { heading, ask, work, show, failures, done, undo, onEnd } = props
  const [items, setItems] = useState<readonly Item[] | undefined>()
  const [progress, setProgress] = useState(0)
  const [waitSeconds, setWait] = useState(0)
  const [report, setReport] = useState<RunReport<Item> | undefined>()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const start = async (all: readonly Item[], choice: Choice): Promise<void> => {
    setItems(all)
    const ended = await runForEach(all, (item) => work(item, choice), {
      signal: stop.current.signal,
      onProgress: setProgress,
      onWait: setWait,
    })
    if (ended.done.length !== all.length) return setReport(ended)
    showToast(done(all.length), undo && { label: t('undo'), run: () => undo(ended.done) })
    onEnd(ended)
  }
  const close = (): void => {
    if (!items || report) onEnd(report)
    else stop.current.abort()
  }
  return (
    <Dialog heading={heading} onClose={close}>
      {!items && ask((all, choice) => void start(all, choice), close)}
      {items && !report && (
        <RunProgress
          text={t('bulkProgress', { done: progress, count: items.length })}
          done={progress}
          count={items.length}
          waitSeconds={waitSeconds}
          onStop={close}
        />
      )}
      {report && <Report report={report} show={show} failures={failures} onClose={close} />}
    </Dialog>
  )
}

interface ReportProps<Item> extends Pick<RunDialogProps<Item, unknown>, 'show' | 'failures'> {
  readonly report: RunReport<Item>
  readonly onClose: () => void
}

const Report = <Item,>({ report: { done, failed, left }, show, failures, onClose }: ReportProps<Item>) => {
  return (
    <div class="stack">
      <Alert kind="problem">
        {t('bulkReport', { done: done.length, failed: failed.length, left: left.length })}
      </Alert>
      {failed.length > 0 && (
        <ul class="items">
          {failed.map(({ item, failure }, at) => (
            <li key={at}>
              {show(item)}
              <span>{describeFailure(failure, failures)}</span>
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <Button hasFirstFocus onClick={onClose}>
          {kitText('close')}
        </Button>
      </div>
    </div>
  )
}

interface RunProgressProps {
  /** Says how far the work is. */
  readonly text: string
  readonly done: number
  readonly count: number
  /** How long the service asks to wait. 0 while the work goes on. */
  readonly waitSeconds: number
  readonly onStop: () => void
}

/** Shows how far the work is, with a button that stops it. */
export const RunProgress = ({ text, done, count, waitSeconds, onStop }: RunProgressProps) => {
  return (
    <div class="stack">
      <progress aria-label={text} value={done} max={count} />
      <p>{text}</p>
      <Alert>{waitSeconds > 0 && t('bulkWaiting', { wait: describeWait(waitSeconds) })}</Alert>
      <div class="row">
        {/* The button that started the work is no longer there. */}
        <Button look="secondary" hasFirstFocus onClick={onStop}>
          {t('stop')}
        </Button>
      </div>
    </div>
  )
}
