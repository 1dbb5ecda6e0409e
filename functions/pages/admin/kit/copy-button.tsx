import { Button } from '../../kit/button.tsx'
import { t } from './messages.ts'
import { showToast } from './toast.tsx'

/** Copies a text. `label` names it for screen readers. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <Button
    look="secondary"
    onClick={() =>
      void navigator.clipboard.writeText(text).then(
        () => showToast(t('copied')),
        () => showToast(t('copyFailed')),
      )
    }
  >
    {t('copy')}
    <span class="for-screen-readers"> {label}</span>
  </Button>
)
