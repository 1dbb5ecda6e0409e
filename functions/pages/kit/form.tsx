import type { ComponentChildren } from 'preact'

interface FormProps {
  readonly onSubmit: () => void
  readonly label?: string
  readonly children: ComponentChildren
}

/** A form that a script handles. It never sends its content to an address. */
export const Form = ({ onSubmit, label, children }: FormProps) => (
  <form
    method="post"
    aria-label={label}
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)
