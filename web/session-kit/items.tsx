import './items.css'
import type { ComponentChildren } from 'preact'
import type { Action } from '../kit/button.tsx'
import { Button } from '../kit/button.tsx'
import { useClosing } from '../kit/dialog.tsx'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { useAnnounce } from './announce.ts'
import type { List } from './use-list.ts'
import { type Loaded, useConfirmedAction } from './use-loaded.ts'

const t = messagesOf('session')

interface ItemListProps<Value> {
  readonly loaded: Pick<Loaded<readonly Value[]>, 'value' | 'failure' | 'reload'>
  /** What to say if there is nothing. */
  readonly empty?: string
  readonly children: (item: Value) => ComponentChildren
}

/** A list of things, once it is loaded. */
export const ItemList = <Value,>({ loaded, empty, children }: ItemListProps<Value>) => {
  const { value, failure, reload } = loaded
  return (
    <>
      <LoadFailure failure={failure} onRetry={reload} />
      {!value && !failure && <p role="status">{kitText('loading')}</p>}
      {value?.length === 0 && empty && <p>{empty}</p>}
      {value && value.length > 0 && <ul class="items">{value.map(children)}</ul>}
    </>
  )
}

interface PagedItemsProps<Value> {
  readonly list: List<Value>
  readonly label: string
  /** What to say if there is nothing. */
  readonly empty: string
  readonly children: (item: Value) => ComponentChildren
}

/** A list that is loaded page by page. */
export const PagedItems = <Value,>({ list, label, empty, children }: PagedItemsProps<Value>) => {
  const { items, isLoading, failure, hasMore } = list
  const isEmpty = items.length === 0
  return (
    <>
      <LoadFailure failure={failure} onRetry={list.reload} />
      {isEmpty && !failure && <p role="status">{isLoading || hasMore ? kitText('loading') : empty}</p>}
      {!isEmpty && (
        <ul class="items" aria-label={label}>
          {items.map(children)}
        </ul>
      )}
      {hasMore && (
        <div class="row">
          <Button look="secondary" isRunning={isLoading} onClick={list.loadMore}>
            {t('showMore')}
          </Button>
        </div>
      )}
    </>
  )
}

type ItemAction = { readonly label: string } & (
  | { readonly onClick: () => void }
  /** Where the action leads to. */
  | { readonly address: string }
)

interface ItemProps {
  readonly name: string
  /** The page of the thing. */
  readonly address?: string | undefined
  readonly note: string
  readonly actions: readonly ItemAction[]
  /** The dialog of an action that was chosen. */
  readonly children: ComponentChildren
}

/** One thing of a list: its name, what is known about it, and what the user can do with it. */
export const Item = ({ name, address, note, actions, children }: ItemProps) => (
  <li>
    <div class="item-text">
      <bdi class="item-name">{address === undefined ? name : <a href={address}>{name}</a>}</bdi>
      <bdi class="note">{note}</bdi>
    </div>
    {actions.length > 0 && (
      <div class="row">
        {actions.map((action) => {
          const label = (
            <>
              {action.label}
              <span class="for-screen-readers"> {name}</span>
            </>
          )
          return 'address' in action ? (
            <a key={action.label} class="button secondary" href={action.address}>
              {label}
            </a>
          ) : (
            <Button key={action.label} look="secondary" onClick={action.onClick}>
              {label}
            </Button>
          )
        })}
      </div>
    )}
    {children}
  </li>
)

export interface ItemDialogProps {
  readonly onClose: () => void
  /** Loads the list again. */
  readonly onChange: () => unknown
}

/** Changes one thing of a list in a dialog, shows the list as it is then, and says what was done. */
export const useItemChange = <Args extends readonly unknown[]>(
  { onClose, onChange }: ItemDialogProps,
  message: string,
  change: (...args: Args) => Promise<unknown>,
): Action<Args> => {
  const announce = useAnnounce()
  const close = useClosing(onClose)
  return useConfirmedAction(async (...args: Args) => {
    announce('')
    await change(...args)
    await onChange()
    close()
    announce(message)
    return undefined
  })
}
