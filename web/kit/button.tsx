import type { ComponentChildren, JSX } from 'preact'

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'class' | 'disabled'> {
  /** How important the button is: one `primary` in a form, `quiet` for what few people need. */
  readonly look?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly isRunning?: boolean | undefined
  readonly children: ComponentChildren
}

/**
 * A button. While its action runs, it stays focusable and ignores presses: a disabled button would lose the focus of the
 * keyboard.
 */
export const Button = ({ look = 'primary', isRunning = false, onClick, children, ...rest }: ButtonProps) => (
  <button
    type="button"
    {...rest}
    class={`button ${look}`}
    aria-disabled={isRunning ? 'true' : undefined}
    aria-busy={isRunning ? 'true' : undefined}
    onClick={isRunning ? (event) => event.preventDefault() : onClick}
  >
    {children}
  </button>
)
