import { useState } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('users')

interface RemovableListProps<Item> {
  readonly heading: string
  readonly load: (options: { readonly signal: AbortSignal }) => Promise<{ readonly items: readonly Item[] }>
  readonly empty: string
  readonly nameOf: (item: Item) => string
  readonly noteOf: (item: Item) => string
  /** The label of the button at each item. */
  readonly action: string
  /** The question before an item is removed, and what will happen. */
  readonly question: string
  readonly explain: (item: Item) => string
  readonly remove: (item: Item) => Promise<void>
  /** What to say afterwards. */
  readonly done: string
}

/** A panel that lists what a user signs in with, and removes it after a question. */
export const RemovableList = <Item extends { readonly id: number | string }>(
  props: RemovableListProps<Item>,
) => {
  const { heading, load, empty, nameOf, noteOf, action, question, explain, remove, done } = props
  const loaded = useLoaded(load)
  const [removed, setRemoved] = useState<Item | undefined>()
  return (
    <Panel heading={heading}>
      <ShowLoaded loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{empty}</p>
          ) : (
            <ul class="items">
              {items.map((item) => (
                <li key={item.id}>
                  <div>
                    {nameOf(item)}
                    <div class="note">{noteOf(item)}</div>
                  </div>
                  <Button look="secondary" onClick={() => setRemoved(item)}>
                    {action}
                    <span class="for-screen-readers"> {nameOf(item)}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </ShowLoaded>
      {removed && (
        <ConfirmDialog
          heading={question}
          action={action}
          onConfirm={async () => {
            await remove(removed)
            showToast(done)
            void loaded.reload()
            return undefined
          }}
          onClose={() => setRemoved(undefined)}
        >
          <p>{explain(removed)}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** Says when something signed a user in for the last time. */
export const describeLastUse = (time: string | null): string =>
  t('lastUsed', { time: time === null ? consoleText('never') : formatDateTime(time) })
