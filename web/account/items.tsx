import type { ComponentChildren } from 'preact'
import type { Action } from '../kit/button.tsx'
import { Button } from '../kit/button.tsx'
import { useClosing } from '../kit/dialog.tsx'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t } from '../kit/messages.ts'
import { type Loaded, useConfirmedAction } from '../session-kit/use-loaded.ts'
import { useAccount } from './account-state.ts'

interface ItemListProps<Value> {
  readonly loaded: Pick<Loaded<readonly Value[]>, 'value' | 'failure' | 'reload'>
  /** What to say if there is nothing. */
  readonly empty?: string
  readonly children: (item: Value) => ComponentChildren
}

/** A list of what belongs to the account, once it is loaded. */
export const ItemList = <Value,>({ loaded, empty, children }: ItemListProps<Value>) => {
  const { value, failure, reload } = loaded
  return (
    <>
      <LoadFailure failure={failure} onRetry={reload} />
      {!value && !failure && <p role="status">{t('loading')}</p>}
      {value?.length === 0 && empty && <p>{empty}</p>}
      {value && value.length > 0 && <ul class="items">{value.map(children)}</ul>}
    </>
  )
}

interface ItemProps {
  readonly name: string
  readonly note: string
  readonly actions: readonly { readonly label: string; readonly onClick: () => void }[]
  /** The dialog of an action that was chosen. */
  readonly children: ComponentChildren
}

/** One thing of a list: its name, what is known about it, and what the user can do with it. */
export const Item = ({ name, note, actions, children }: ItemProps) => (
  <li>
    <div class="item-text">
      <bdi class="item-name">{name}</bdi>
      <bdi class="note">{note}</bdi>
    </div>
    {actions.length > 0 && (
      <div class="row">
        {actions.map(({ label, onClick }) => (
          <Button key={label} look="secondary" onClick={onClick}>
            {label}
            <span class="for-screen-readers"> {name}</span>
          </Button>
        ))}
      </div>
    )}
    {children}
  </li>
)

export interface ItemDialogProps {
  readonly onClose: () => void
  /** Loads the list again. */
  readonly onChange: () => Promise<void>
}

/** Changes one thing of a list in a dialog, shows the list as it is then, and says what was done. */
export const useItemChange = <Args extends readonly unknown[]>(
  { onClose, onChange }: ItemDialogProps,
  message: string,
  change: (...args: Args) => Promise<unknown>,
): Action<Args> => {
  const { announce } = useAccount()
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
