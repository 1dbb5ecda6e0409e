import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface FormProps {
  readonly onSubmit: () => void
  readonly label?: string
  readonly children: ComponentChildren
}

/**
 * A form that a script handles. It never sends its content to an address. If a field is wrong after the person sent the
 * form, the first one receives the focus.
 */
export const Form = ({ onSubmit, label, children }: FormProps) => {
  const element = useRef<HTMLFormElement>(null)
  const wasSent = useRef(false)
  const focusProblem = (): void => {
    const field = wasSent.current && element.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (!field) return
    wasSent.current = false
    field.focus()
  }
  // The service may answer later, so each change of the form can bring the problem.
  useEffect(focusProblem)
  return (
    <form
      ref={element}
      method="post"
      aria-label={label}
      noValidate
      onInput={() => {
        wasSent.current = false
      }}
      onSubmit={(event) => {
        event.preventDefault()
        wasSent.current = true
        onSubmit()
        // A field that was wrong before changes nothing.
        setTimeout(focusProblem)
      }}
    >
      {children}
    </form>
  )
}

/** Moves the focus to the field with this name. */
export const focusField = (name: string): void => {
  document.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}

/** Whether a text looks like an address. The service checks it fully. */
export const isEmailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
