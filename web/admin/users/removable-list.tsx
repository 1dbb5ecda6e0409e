import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import type { GetUserSignInWaysQuery } from '../../../lib/client/generated/operations.ts'
import { Button } from '../../kit/button.tsx'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel, Tag } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'
import { RemoveWayDialog } from './remove-way.tsx'

interface RemovableListProps<Item> {
  readonly heading: string
  readonly load: (options: { readonly signal: AbortSignal }) => Promise<{ readonly items: readonly Item[] }>
  readonly empty: string
  readonly nameOf: (item: Item) => string
  readonly noteOf: (item: Item) => string
  /** The page of an item, which shows what was done with it to those who may see that. */
  readonly addressOf?: (item: Item) => string
  /** The label of the button at each item. */
  readonly action: string
  /** The question before an item is removed, and what will happen. */
  readonly question: string
  readonly explain: (item: Item) => string
  readonly remove: (item: Item) => Promise<void>
  /** What to say afterwards. */
  readonly done: string
  /** Says before what is left to sign in with, for what signs a user in. */
  readonly leaves?: {
    readonly user: ServiceUserDetail
    readonly without: (item: Item) => GetUserSignInWaysQuery
  }
  /** Marks an item that is not removed here. */
  readonly tagOf?: (item: Item) => string | false
  /** Removes all items at once. */
  readonly all?: Removal
  /** Adds an item. */
  readonly add?: (reload: () => void) => ComponentChildren
}

interface Removal {
  readonly action: string
  readonly text: string
  readonly remove: () => Promise<void>
  readonly done: string
}

interface Asked extends Removal {
  readonly question: string
  readonly leaves?: { readonly user: ServiceUserDetail; readonly without: GetUserSignInWaysQuery }
}

/** A panel that lists what people signed in with, or what they let in, and removes it after a question. */
export const RemovableList = <Item extends { readonly id: number | string }>(
  props: RemovableListProps<Item>,
) => {
  const { heading, load, empty, nameOf, noteOf, tagOf, addressOf, action, all, add, leaves } = props
  const { can } = useCurrentUser()
  const loaded = useLoaded(load)
  const [asked, setAsked] = useState<Asked | undefined>()
  if (loaded.failure?.status === 403) return null
  const ask = (item: Item): void =>
    setAsked({
      action,
      question: props.question,
      done: props.done,
      text: props.explain(item),
      remove: () => props.remove(item),
      ...(leaves ? { leaves: { user: leaves.user, without: leaves.without(item) } } : {}),
    })
  const finish = (): void => {
    if (asked) showToast(asked.done)
    void loaded.reload()
  }
  return (
    <Panel heading={heading}>
      <ShowLoaded loaded={loaded}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{empty}</p>
          ) : (
            <>
              <ul class="items">
                {items.map((item) => {
                  const tag = tagOf?.(item)
                  return (
                    <li key={item.id}>
                      <div>
                        {addressOf && can('system:admin-access') ? (
                          <a href={addressOf(item)}>{nameOf(item)}</a>
                        ) : (
                          nameOf(item)
                        )}{' '}
                        {tag && <Tag>{tag}</Tag>}
                        <div class="note">{noteOf(item)}</div>
                      </div>
                      {!tag && (
                        <Button look="secondary" onClick={() => ask(item)}>
                          {action}
                          <span class="for-screen-readers"> {nameOf(item)}</span>
                        </Button>
                      )}
                    </li>
                  )
                })}
              </ul>
              {all && (
                <Button look="danger" onClick={() => setAsked({ ...all, question: all.action })}>
                  {all.action}
                </Button>
              )}
            </>
          )
        }
      </ShowLoaded>
      {add?.(() => void loaded.reload())}
      {asked?.leaves && (
        <RemoveWayDialog
          {...asked.leaves}
          heading={asked.question}
          action={asked.action}
          text={asked.text}
          remove={asked.remove}
          onDone={finish}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked && !asked.leaves && (
        <ConfirmDialog
          heading={asked.question}
          action={asked.action}
          onConfirm={async () => {
            await asked.remove()
            finish()
            return undefined
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.text}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
