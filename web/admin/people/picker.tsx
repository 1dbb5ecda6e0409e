import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { SearchField } from '../kit/filters.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'

/** How many entries a search offers. */
export const foundAtOnce = 8

interface PickerProps<Item> {
  /** The label of the search. */
  readonly label: string
  /** What happens to an entry that is found: the label of the button. */
  readonly action: string
  /** What to say if nothing is found. */
  readonly none: string
  readonly find: (filter: string, options: { readonly signal: AbortSignal }) => Promise<readonly Item[]>
  /** Whether an entry is offered. By default, all are. */
  readonly isOffered?: (item: Item) => boolean
  readonly nameOf: (item: Item) => string
  /** How an entry is shown. By default by its name. */
  readonly show?: (item: Item) => ComponentChildren
  readonly onPick: (item: Item) => void
}

/** Finds entries by a search, and lets the person take one. */
export const Picker = <Item extends { readonly id: number }>(props: PickerProps<Item>) => {
  const [filter, setFilter] = useState('')
  return (
    <div class="stack">
      <SearchField label={props.label} value={filter} onSearch={setFilter} />
      {filter && <Found filter={filter} {...props} />}
    </div>
  )
}

const Found = <Item extends { readonly id: number }>({
  filter,
  action,
  none,
  find,
  isOffered = () => true,
  nameOf,
  show = (item) => <div>{nameOf(item)}</div>,
  onPick,
}: PickerProps<Item> & { readonly filter: string }) => (
  <ShowLoaded loaded={useLoaded((options) => find(filter, options), filter)}>
    {(found) => {
      const offered = found.filter(isOffered).slice(0, foundAtOnce)
      if (offered.length === 0) return <p role="status">{none}</p>
      return (
        <ul class="items">
          {offered.map((item) => (
            <li key={item.id}>
              {show(item)}
              <Button look="secondary" onClick={() => onPick(item)}>
                {action}
                <span class="for-screen-readers"> {nameOf(item)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )
    }}
  </ShowLoaded>
)
