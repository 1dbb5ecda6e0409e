import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import type { ManagedThing } from '../../../lib/client/generated/models.ts'
import type { ManagedKind } from '../../../lib/kernel/contract/managed-kinds.ts'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { MarkContext } from './managed-mark.tsx'

/** What only pages of managed things need. */
const Banner = loadChunk(async () => (await import('./managed-banner.tsx')).Banner)

interface ManagedProps {
  readonly kind: ManagedKind
  /** Settings have none. */
  readonly id?: number
  /** The product whose settings they are. */
  readonly product?: string | undefined
  readonly children: ComponentChildren
}

/** Around what a configuration document can manage. If one does, its forms are read-only and it cannot be deleted. */
export const Managed = ({ kind, id, product, children }: ManagedProps) => {
  const { value, setValue } = useLoaded(
    (options) => client.configuration.findManaged(kind, id === undefined ? {} : { ids: String(id) }, options),
    `${kind} ${id}`,
  )
  const thing = value?.find((one) => one.kind === kind && (product === undefined || one.key === product))
  const replace = (unlocked: ManagedThing) =>
    setValue((value ?? []).map((one) => (one.key === unlocked.key ? unlocked : one)))
  return <MarkContext.Provider value={thing && { thing, onUnlock: replace }}>{children}</MarkContext.Provider>
}

/** Says which configuration document manages what is around it. */
export const ManagedBanner = () => {
  const mark = useContext(MarkContext)
  return mark ? <Banner key={`${mark.thing.kind} ${mark.thing.id}`} {...mark} /> : null
}
