import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

interface MenuProps {
  readonly label: string
  /** `quiet` for what few people need. */
  readonly look?: 'secondary' | 'quiet'
  /** Whether a choice leaves it open, as in a list of checkboxes. */
  readonly staysOpen?: boolean
  /** Buttons and links. */
  readonly children: ComponentChildren
}

/**
 * A button that shows what can be done, in the pattern "disclosure" of the WAI-ARIA Authoring Practices. The arrow keys lead
 * through it as well. Escape closes it, and so does what happens elsewhere.
 */
export const Menu = ({ label, look = 'secondary', staysOpen = false, children }: MenuProps) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const element = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && !element.current?.contains(target)) setOpen(false)
    }
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        button.current?.focus()
        setOpen(false)
      }
      const step = new Map([
        ['ArrowDown', 1],
        ['ArrowUp', -1],
      ]).get(event.key)
      const items = [...(element.current?.querySelectorAll<HTMLElement>('.menu-items :is(a, button)') ?? [])]
      if (step === undefined || items.length === 0) return
      event.preventDefault()
      const at = items.findIndex((item) => item.matches(':focus'))
      items[at < 0 && step < 0 ? items.length - 1 : (at + step + items.length) % items.length]?.focus()
    }
    for (const type of ['pointerdown', 'focusin']) addEventListener(type, closeOutside)
    addEventListener('keydown', press)
    return () => {
      for (const type of ['pointerdown', 'focusin']) removeEventListener(type, closeOutside)
      removeEventListener('keydown', press)
    }
  }, [isOpen])
  return (
    <div ref={element} class="menu-with-button">
      <button
        ref={button}
        type="button"
        class={`button ${look} opens`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <div
          id={id}
          class="menu-items"
          onClickCapture={(event) => {
            if (staysOpen || !(event.target instanceof Element && event.target.closest('a, button'))) return
            // A dialog that the choice opens returns the focus to where it was.
            button.current?.focus()
            setOpen(false)
          }}
        >
          {children}
        </div>
      )}
    </div>
  )
}

interface MenuItemProps {
  /** For what deletes or ends something. The icon says it, so that it does not depend on a color. */
  readonly danger?: IconName | undefined
  readonly onClick: () => void
  readonly children: ComponentChildren
}

/** Something that can be done. */
export const MenuItem = ({ danger, onClick, children }: MenuItemProps) => (
  <button type="button" class={danger ? 'menu-item danger' : 'menu-item'} onClick={onClick}>
    {children}
    {danger && <Icon name={danger} />}
  </button>
)
