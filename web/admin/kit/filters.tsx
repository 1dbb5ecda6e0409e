import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('console')

const typingMs = 300

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
  /** Called with a pasted text. Returns whether it is more than one text to search for. */
  readonly onPaste?: (text: string) => boolean
}

/** A search field. It searches a moment after the person stops typing, and at once with the Enter key. */
export const SearchField = ({ label, value, onSearch, onPaste }: SearchFieldProps) => {
  const id = useId()
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // A filter that was chosen while the person types must stay chosen when the search begins.
  const latest = useRef(onSearch)
  latest.current = onSearch
  useEffect(() => setText(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const searchIn = (delayMs: number, wanted: string): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => latest.current(wanted.trim()), delayMs)
  }
  return (
    <search>
      <form
        class="search"
        method="post"
        onSubmit={(event) => {
          event.preventDefault()
          searchIn(0, text)
        }}
      >
        <label class="for-screen-readers" for={id}>
          {label}
        </label>
        <input
          id={id}
          type="search"
          value={text}
          placeholder={label}
          autocomplete="off"
          spellcheck={false}
          maxLength={255}
          onPaste={(event) => {
            if (onPaste?.(event.clipboardData?.getData('text') ?? '')) event.preventDefault()
          }}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            searchIn(typingMs, currentTarget.value)
          }}
        />
      </form>
    </search>
  )
}

interface FilterChipsProps {
  readonly label: string
  /** The value that is chosen. Empty for all. */
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChoose: (value: string) => void
}

/** Filters of a list, of which one is chosen. */
export const FilterChips = ({ label, value, options, onChoose }: FilterChipsProps) => (
  <fieldset class="chips" aria-label={label}>
    {[{ value: '', label: t('all') }, ...options].map((option) => (
      <button
        key={option.value}
        type="button"
        class="chip"
        aria-pressed={option.value === value}
        onClick={() => onChoose(option.value)}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
)

interface ToggleChipsProps {
  readonly label: string
  readonly values: readonly string[]
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onChoose: (values: readonly string[]) => void
}

/** Filters of a list, of which any number is chosen. None means all. */
export const ToggleChips = ({ label, values, options, onChoose }: ToggleChipsProps) => (
  <fieldset class="chips" aria-label={label}>
    {options.map(({ value, label: text }) => {
      const isChosen = values.includes(value)
      return (
        <button
          key={value}
          type="button"
          class="chip"
          aria-pressed={isChosen}
          onClick={() => onChoose(isChosen ? values.filter((one) => one !== value) : [...values, value])}
        >
          {text}
        </button>
      )
    })}
  </fieldset>
)
