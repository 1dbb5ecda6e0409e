import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { Form } from './form.tsx'
import { t } from './messages.ts'

interface DialogProps {
  readonly heading: string
  /** Called when the person closes the dialog, also with the Escape key. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog, open for as long as it is rendered. The focus stays in it and returns afterwards. */
export const Dialog = ({ heading, onClose, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current
    const focused = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // The button that opened the dialog may be removed together with it.
      setTimeout(() => {
        // Another dialog, or what the page shows after this one, may have the focus by then.
        if (document.activeElement !== document.body || document.querySelector('dialog[open]')) return
        if (focused instanceof HTMLElement && focused.isConnected) focused.focus()
        else focusHeading()
      })
    }
  }, [])
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // Chromium closes a dialog with the second Escape key, although the page prevents it.
      onClose={() => {
        if (element.current?.open === false) element.current.showModal()
      }}
    >
      <div class="stack">
        <h2 id={id}>{heading}</h2>
        {children}
      </div>
    </dialog>
  )
}

/** Returns what closes a dialog when its work is done. If the person closed it before, another one may be open by then. */
export const useClosing = (onClose: () => void): (() => void) => {
  const isShown = useRef(true)
  useLayoutEffect(
    () => () => {
      isShown.current = false
    },
    [],
  )
  return () => {
    if (isShown.current) onClose()
  }
}

/** Moves the focus to the heading of the page, from which people read on. */
export const focusHeading = (): void => document.querySelector<HTMLElement>('h1[tabindex]')?.focus()

interface FormDialogProps {
  readonly heading: string
  /** The label of the button that does it. */
  readonly action: string
  readonly look?: 'danger' | 'primary'
  readonly isRunning: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  /** What will happen, the fields, and why it failed. */
  readonly children: ComponentChildren
}

/** A dialog that does something, or nothing: a form with two buttons. */
export const FormDialog = (props: FormDialogProps) => {
  const { heading, action, look = 'primary', isRunning, onSubmit, onClose, children } = props
  return (
    <Dialog heading={heading} onClose={onClose}>
      <Form isRunning={isRunning} onSubmit={onSubmit}>
        {children}
        <div class="row">
          <Button type="submit" look={look}>
            {action}
          </Button>
          <Button look="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
