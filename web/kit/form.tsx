import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

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
  useLayoutEffect(focusProblem)
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

/**
 * Returns the ref of an element that receives the focus when it is shown. That happens before the browser paints it: a person may be in
 * a field of the new part right after they see it, and what they press there would get lost.
 */
export const useFirstFocus = <Target extends HTMLElement>(isWanted = true): RefObject<Target | null> => {
  const element = useRef<Target>(null)
  useLayoutEffect(() => {
    const focus = (): void => element.current?.focus()
    if (!isWanted) return
    focus()
    // Below an open dialog, nothing can have the focus until it closes.
    const dialog = document.querySelector('dialog[open]')
    if (!dialog?.contains(element.current)) dialog?.addEventListener('close', focus, { once: true })
  }, [])
  return element
}

/** Whether a text looks like an address. The service checks it fully. */
export const isEmailAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
