import type { ComponentChildren, JSX } from 'preact'
import { useRef } from 'preact/hooks'

type Attributes = Pick<
  JSX.IntrinsicElements['select'],
  'id' | 'aria-label' | 'aria-describedby' | 'aria-invalid'
>

interface ConfirmedSelectProps extends Attributes {
  readonly value: string
  readonly onChoose: (value: string) => void
  readonly children: ComponentChildren
}

/**
 * A choice that leads to another page. The arrow keys go through all options, and each would lead away. So people who choose by
 * keyboard confirm with Enter, or leave the field (WCAG 2.2, 3.2.2).
 */
export const ConfirmedSelect = ({ value, onChoose, children, ...rest }: ConfirmedSelectProps) => {
  const byKeyboard = useRef(false)
  const chosen = useRef(value)
  const choose = (option: string): void => {
    if (option === chosen.current) return
    chosen.current = option
    onChoose(option)
  }
  return (
    <select
      {...rest}
      value={value}
      // The person may have stayed on the page, to keep changes.
      onFocus={({ currentTarget }) => {
        currentTarget.value = value
        chosen.current = value
      }}
      onPointerDown={() => {
        byKeyboard.current = false
      }}
      onKeyDown={(event) => {
        byKeyboard.current = true
        const option = event.currentTarget.value
        if (event.key !== 'Enter' || option === chosen.current) return
        // Otherwise the browser would open the list.
        event.preventDefault()
        choose(option)
      }}
      // The list was open, and is closed by now.
      onKeyUp={({ key, currentTarget }) => {
        if (key === 'Enter') choose(currentTarget.value)
      }}
      onChange={({ currentTarget }) => {
        if (!byKeyboard.current) choose(currentTarget.value)
      }}
      onBlur={({ currentTarget }) => choose(currentTarget.value)}
    >
      {children}
    </select>
  )
}
