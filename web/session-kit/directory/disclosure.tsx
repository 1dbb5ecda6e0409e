import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface DisclosureProps {
  readonly label: string
  /** Builds what is loaded when it is opened first. */
  readonly children: () => ComponentChildren
}

/** A part of the page that is loaded when it is opened. */
export const Disclosure = ({ label, children }: DisclosureProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && <div class="stack directory-part">{children()}</div>}
    </details>
  )
}
