import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/field.tsx'
import { belongsToField } from '../../kit/form.tsx'
import { areShortcutsOn, setShortcuts } from '../../kit/kept-values.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { typeInNextPlace } from './section-page.tsx'

const t = messagesOf('console')

/** Moves the focus to the row after or before the one that has it. */
const moveRow = (step: 1 | -1): boolean => {
  const rows = [...document.querySelectorAll<HTMLElement>('.data-list tbody > tr')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = at < 0 ? rows[step === 1 ? 0 : rows.length - 1] : rows[at + step]
  const link = next?.querySelector<HTMLElement>('a, button')
  link?.focus()
  return link !== null && link !== undefined
}

const openNew = (): boolean => {
  const link = document.querySelector<HTMLElement>('.section-top a.button.primary')
  if (link) typeInNextPlace()
  link?.click()
  return link !== null
}

/** What each key does. It returns whether there was something to do. */
const actions: ReadonlyMap<string, () => boolean> = new Map([
  ['n', openNew],
  ['j', () => moveRow(1)],
  ['k', () => moveRow(-1)],
])

/** Keys for the lists of the console, and the button that says which these are. */
export const Shortcuts = () => {
  const [isOpen, setOpen] = useState(false)
  const [isOn, setOn] = useState(areShortcutsOn)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (belongsToField(event) || !areShortcutsOn()) return
      if (event.key === '?') {
        event.preventDefault()
        setOpen(true)
      } else if (actions.get(event.key)?.()) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const keys = [
    { key: '/', does: t('keySearch') },
    { key: 'j', does: t('keyNextRow') },
    { key: 'k', does: t('keyRowBefore') },
    { key: 'n', does: t('keyNew') },
    { key: '?', does: t('keyHelp') },
  ]
  return (
    <>
      <Button look="quiet" aria-label={t('shortcuts')} title={t('shortcuts')} onClick={() => setOpen(true)}>
        <kbd>?</kbd>
      </Button>
      {isOpen && (
        <Dialog heading={t('shortcuts')} onClose={() => setOpen(false)}>
          <dl class="keys">
            {keys.map(({ key, does }) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <Checkbox
            label={t('useShortcuts')}
            isChecked={isOn}
            onChange={() => {
              setShortcuts(!isOn)
              setOn(!isOn)
            }}
          />
          <div class="row">
            <Button look="secondary" onClick={() => setOpen(false)}>
              {kitText('close')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
