import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { t } from '../../kit/messages.ts'
import { useRoute } from './route.ts'

const shownMs = 8000

let showInPage: ((text: string) => void) | undefined

/** Says that something worked. Screen readers announce it. */
export const showToast = (text: string): void => showInPage?.(text)

/** Where the page shows what worked, until the person goes to another section. It stays in the page, so that screen readers notice new texts. */
export const Toasts = () => {
  const [toast, setToast] = useState({ text: '', count: 0 })
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    showInPage = (text) => setToast(({ count }) => ({ text, count: count + 1 }))
    return () => {
      showInPage = undefined
    }
  }, [])
  const { section } = useRoute()
  useEffect(() => clear, [section])
  const clear = (): void => setToast(({ count }) => ({ text: '', count }))
  useEffect(() => {
    if (!toast.text || isHeld) return
    const timer = setTimeout(clear, shownMs)
    return () => clearTimeout(timer)
  }, [toast.count, isHeld])
  return (
    // A message stays as long as its button has the focus.
    <div class="toasts" onFocusIn={() => hold(true)} onFocusOut={() => hold(false)}>
      <div role="status">{toast.text && <p key={toast.count}>{toast.text}</p>}</div>
      {toast.text && (
        <Button look="quiet" onClick={clear}>
          {t('close')}
        </Button>
      )}
    </div>
  )
}
