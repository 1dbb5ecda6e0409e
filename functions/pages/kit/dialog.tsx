import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  readonly heading: string
  /** Called when the person closes the dialog, also with the Escape key. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A modal dialog, open for as long as it is rendered. The browser keeps the focus in it and restores it afterwards. */
export const Dialog = ({ heading, onClose, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
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
