import { useEffect, useRef, useState } from 'preact/hooks'
import type { ManagedThing } from '../../../lib/client/generated/models.ts'
import type { ThingKind } from '../../../lib/kernel/contract/managed-kinds.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { Icon } from './icon.tsx'

const t = messagesOf('managed')

interface Listed {
  readonly id: number
}

/** The most IDs of a request. */
const mostIds = 100

/**
 * What configuration documents manage of the things of a list, by their IDs. Things of a page that was just loaded are asked for
 * together. A list without answers is a list without marks.
 */
export const useManagedOf = <Item extends Listed>(
  items: readonly Item[],
  kindOf: (item: Item) => ThingKind,
): ReadonlyMap<number, ManagedThing> => {
  const [managed, setManaged] = useState<ReadonlyMap<number, ManagedThing>>(new Map())
  const asked = useRef(new Set<number>())
  useEffect(() => {
    const added = items.filter(({ id }) => !asked.current.has(id))
    const byKind = new Map<ThingKind, number[]>()
    for (const item of added) {
      asked.current.add(item.id)
      byKind.set(kindOf(item), [...(byKind.get(kindOf(item)) ?? []), item.id])
    }
    for (const [kind, ids] of byKind)
      for (let at = 0; at < ids.length; at += mostIds)
        client.configuration.findManaged(kind, { ids: ids.slice(at, at + mostIds).join(',') }).then(
          (found) =>
            setManaged((before) => new Map([...before, ...found.map((one) => [one.id, one] as const)])),
          () => undefined,
        )
  }, [items])
  return managed
}

/** Says next to a name that a configuration document manages the thing. */
export const ManagedTag = ({ thing: { owner, key } }: { readonly thing: ManagedThing }) => (
  <span class="managed-by note" title={t('managedBy', { owner, key })}>
    <Icon name="log" />
    <span class="for-screen-readers">{t('managedBy', { owner, key })}</span>
    <span aria-hidden="true">{owner}</span>
  </span>
)
