import type { ComponentChildren } from 'preact'

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
