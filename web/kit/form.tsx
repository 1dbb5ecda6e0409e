import { type ComponentChildren, createContext, type RefObject } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'

interface FormProps {
  readonly onSubmit: () => void
  /** Whether what the form sent is on its way. Until the answer, nothing in it can be changed or sent again. */
  readonly isRunning: boolean
  /**
   * The name of the field that the next step begins with. It receives the focus while the form runs, so that it gets what a
   * person types without waiting for the step.
   */
  readonly next?: string | undefined
  /** Called instead of `onSubmit` if the person presses Enter in the field of the next step while the form runs. */
  readonly onSubmitNext?: () => void
  readonly label?: string
  readonly children: ComponentChildren
}

const FormRuns = createContext(false)

/** Whether the form around a component runs. */
export const useFormRuns = (): boolean => useContext(FormRuns)

/**
 * A form that a script handles. It never sends its content to an address. If a field is wrong after the person sent the
 * form, the first one receives the focus.
 *
 * While the form runs, it shows what was sent: its fields are read-only, its controls do nothing, and the focus stays. Only the
 * buttons next to the submit button work, because they leave the form.
 */
export const Form = ({ onSubmit, isRunning, next, onSubmitNext, label, children }: FormProps) => {
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
  useLayoutEffect(() => {
    if (!isRunning || !element.current) return
    const fields = [...element.current.elements].filter(isTextField).filter(({ readOnly }) => !readOnly)
    const locked = fields.filter(({ name }) => name !== next)
    for (const field of locked) field.readOnly = true
    fields.find(({ name }) => name === next)?.focus({ preventScroll: true })
    return () => {
      for (const field of locked) field.readOnly = false
    }
  }, [isRunning, next])
  const refuseIf =
    (changesForm: (target: Element) => boolean) =>
    (event: Event): void => {
      if (!isRunning || !(event.target instanceof Element) || !changesForm(event.target)) return
      event.preventDefault()
      event.stopPropagation()
    }
  const leavesForm = (button: Element): boolean =>
    element.current?.querySelector('[type=submit]')?.parentElement?.contains(button) === true
  return (
    <form
      ref={element}
      method="post"
      aria-label={label}
      noValidate
      onInput={() => {
        wasSent.current = false
      }}
      // A field that appears while the form runs is not read-only.
      onBeforeInputCapture={refuseIf((target) => isTextField(target) && target.name !== next)}
      onMouseDownCapture={refuseIf((target) => target.closest('select') !== null)}
      onKeyDownCapture={(event) => {
        if (event.key !== 'Tab') refuseIf((target) => target.matches('select'))(event)
      }}
      onClickCapture={refuseIf((target) => {
        const control = target.closest('button, input')
        return control !== null && !isTextField(control) && !leavesForm(control)
      })}
      onSubmit={(event) => {
        event.preventDefault()
        if (isRunning) return onSubmitNext?.()
        wasSent.current = true
        onSubmit()
        // A field that was wrong before changes nothing.
        setTimeout(focusProblem)
      }}
    >
      <FormRuns.Provider value={isRunning}>{children}</FormRuns.Provider>
    </form>
  )
}

/** The kinds of inputs that `readonly` has no meaning for (HTML, section 4.10.5). */
const choices = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']

const isTextField = (element: Element): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !choices.includes(element.type))

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

/** Whether a key belongs to what has the focus: a field, a choice, or an open dialog. */
export const belongsToField = ({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  isComposing ||
  document.querySelector('dialog[open]') !== null ||
  (target instanceof HTMLElement &&
    target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]'))
