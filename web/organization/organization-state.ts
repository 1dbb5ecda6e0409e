import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { OrganizationRole, OwnOrganization } from '../../lib/client/generated/models.ts'

export interface OrganizationState {
  /** The organization with the roles of the person in it. */
  readonly organization: OwnOrganization
  /** The roles that the service declares. */
  readonly declaredRoles: readonly OrganizationRole[]
  /** Whether the roles of the person allow something. The service decides again about each call. */
  readonly can: (permission: string) => boolean
  /** Whether the person acts for themselves. Who impersonates them invites nobody, and creates no credential. */
  readonly isOwn: boolean
  /** Loads the organizations of the person again. */
  readonly reload: () => Promise<void>
}

export const OrganizationContext = createContext<OrganizationState | undefined>(undefined)

/** The state that all sections share. */
export const useOrganization = (): OrganizationState => {
  const state = useContext(OrganizationContext)
  if (!state) throw new Error('This section is not part of the page of an organization.')
  return state
}
