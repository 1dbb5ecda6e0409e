import { useEffect, useRef } from 'preact/hooks'
import { Alert, Button } from '../../kit/button.tsx'
import { describeWait } from '../../kit/describe-failure.ts'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('users')

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
  const element = useRef<HTMLDivElement>(null)
  // The button that started the work is no longer there.
  useEffect(() => element.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={element} class="stack">
      <progress aria-label={text} value={done} max={count} />
      <p>{text}</p>
      <Alert>{waitSeconds > 0 && t('bulkWaiting', { wait: describeWait(waitSeconds) })}</Alert>
      <div class="row">
        <Button look="secondary" onClick={onStop}>
          {t('stop')}
        </Button>
      </div>
    </div>
  )
}
