import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ManagedThing } from '../../../lib/client/generated/models.ts'

/** What a configuration document manages, and how it is replaced after it was unlocked. */
interface Mark {
  readonly thing: ManagedThing
  readonly onUnlock: (thing: ManagedThing) => void
}

/** The mark of what is around a component. */
export const MarkContext = createContext<Mark | undefined>(undefined)

/** Whether people cannot change what is around a component, because a configuration document manages it. */
export const useLocked = (): boolean => useContext(MarkContext)?.thing.unlocked_by === null

/** Fields that a configuration document has. They are read-only if it manages what is around them. */
export const Sealed = ({ children }: { readonly children: ComponentChildren }) => (
  <fieldset class="sealed" role="presentation" disabled={useLocked()}>
    {children}
  </fieldset>
)
