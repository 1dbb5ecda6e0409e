import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { focusHeading } from './focus-heading.ts'

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
        if (document.querySelector('dialog[open]')) return
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
    >
      <div class="stack">
        <h2 id={id}>{heading}</h2>
        {children}
      </div>
    </dialog>
  )
}
