import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { toFailure } from '../../kit/call-api.ts'
import { describeFailure } from '../../kit/describe-failure.ts'
import { t } from '../../kit/messages.ts'
import { useRoute } from './route.ts'

const shownMs = 8000
/** Long enough to notice a mistake, and to reach the button. */
const shownWithActionMs = 30_000

/** What takes back what a message says, under the word of its button. */
interface ToastAction {
  readonly label: string
  readonly run: () => Promise<unknown>
}

/** Takes something back. If that fails, the message says so, with the same button. */
const runAction = async (action: ToastAction | undefined): Promise<void> => {
  try {
    await action?.run()
  } catch (error) {
    showToast(describeFailure(toFailure(error)), action)
  }
}

let showInPage: ((text: string, action?: ToastAction) => void) | undefined

/** Says that something worked, and offers to take it back. Screen readers announce it. */
export const showToast = (text: string, action?: ToastAction): void => showInPage?.(text, action)

interface Toast {
  readonly text: string
  readonly action?: ToastAction | undefined
  /** How many messages there were, so that the same text is announced again. */
  readonly count: number
}

/** Where the page shows what worked, until the person goes to another section. It stays in the page, so that screen readers notice new texts. */
export const Toasts = () => {
  const [toast, setToast] = useState<Toast>({ text: '', count: 0 })
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    showInPage = (text, action) => setToast(({ count }) => ({ text, action, count: count + 1 }))
    return () => {
      showInPage = undefined
    }
  }, [])
  const { section } = useRoute()
  useEffect(() => clear, [section])
  const clear = (): void => setToast(({ count }) => ({ text: '', count }))
  useEffect(() => {
    if (!toast.text || isHeld) return
    const timer = setTimeout(clear, toast.action ? shownWithActionMs : shownMs)
    return () => clearTimeout(timer)
  }, [toast.count, isHeld])
  return (
    // A message stays as long as its button has the focus.
    <div class="toasts" onFocusIn={() => hold(true)} onFocusOut={() => hold(false)}>
      <div role="status">{toast.text && <p key={toast.count}>{toast.text}</p>}</div>
      {toast.action && (
        <Button
          look="secondary"
          onClick={() => {
            clear()
            void runAction(toast.action)
          }}
        >
          {toast.action.label}
        </Button>
      )}
      {toast.text && (
        <Button look="quiet" onClick={clear}>
          {t('close')}
        </Button>
      )}
    </div>
  )
}
