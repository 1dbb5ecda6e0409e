import type { ComponentChildren, JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type ApiFailure, toFailure } from './call-api.ts'
import { useFirstFocus, useFormRuns } from './form.tsx'

interface AlertProps {
  /** `problem` interrupts a screen reader, the others wait until it is silent. */
  readonly kind?: 'problem' | 'warning' | 'success' | 'information'
  readonly id?: string
  readonly children?: ComponentChildren
}

/** A message about what happened. It stays in the page without content, so that screen readers announce changes. */
export const Alert = ({ kind = 'information', id, children }: AlertProps) => {
  const isEmpty = children === undefined || children === null || children === false || children === ''
  return (
    <div id={id} class={isEmpty ? undefined : `alert ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'class' | 'disabled'> {
  /** How important the button is: one `primary` in a form, `quiet` for what few people need. */
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'danger'
  /** Whether its action runs. A submit button knows this from its form. */
  readonly isRunning?: boolean | undefined
  /** Whether it receives the focus when it is shown. */
  readonly hasFirstFocus?: boolean
  readonly children: ComponentChildren
}

/**
 * A button. While its action runs, it stays focusable and ignores presses: a disabled button would lose the focus of the
 * keyboard.
 */
export const Button = (props: ButtonProps) => {
  const { look = 'primary', isRunning = false, hasFirstFocus = false, onClick, children, ...rest } = props
  const formRuns = useFormRuns() && rest.type === 'submit'
  const isBusy = (isRunning || formRuns) && 'true'
  const element = useFirstFocus<HTMLButtonElement>(hasFirstFocus)
  return (
    <button
      ref={element}
      type="button"
      {...rest}
      class={`button ${look}`}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isRunning ? (event) => event.preventDefault() : onClick}
    >
      {look === 'danger' && <DangerIcon />}
      {children}
    </button>
  )
}

/** Says next to the words that something is lost. It does not depend on a color, which can be that of the brand. */
const DangerIcon = () => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M12 3 2 20h20zM12 10v4M12 17h.01" />
  </svg>
)

export interface Action<Args extends readonly unknown[]> {
  /** Starts the work, unless it runs already. */
  readonly run: (...args: Args) => Promise<void>
  readonly isRunning: boolean
  /** Why the last run failed. Undefined while it runs and after a success. */
  readonly failure: ApiFailure | undefined
  readonly clearFailure: () => void
}

/** Runs work that a person starts, one at a time. The work returns a failure, or throws one of the typed client. */
export const useAction = <Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<ApiFailure | undefined>,
): Action<Args> => {
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | undefined>()
  const isBusy = useRef(false)
  const run = async (...args: Args): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setRunning(true)
    setFailure(undefined)
    try {
      setFailure(await work(...args))
    } catch (error) {
      setFailure(toFailure(error))
    } finally {
      isBusy.current = false
      setRunning(false)
    }
  }
  return { run, isRunning, failure, clearFailure: () => setFailure(undefined) }
}
