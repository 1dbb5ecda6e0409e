import type {
  ScimCall,
  ScimGroup,
  ScimPerson,
  ScimPreview,
  ScimPreviewRequest,
  ScimSettings,
  ScimState,
  ScimTokenWithSecret,
} from '../../../lib/client/generated/models.ts'
import { client } from '../client.ts'
import type { Page, PageRequest } from '../use-list.ts'

interface Options {
  readonly signal: AbortSignal
}

/** What the page does with the directory of a connection, for administrators and for the managers of an organization. */
export interface DirectoryApi {
  /** Tells directories apart. */
  readonly key: string
  readonly getState: (options: Options) => Promise<ScimState>
  readonly setSettings: (settings: ScimSettings) => Promise<ScimState>
  readonly createToken: () => Promise<ScimTokenWithSecret>
  readonly deleteToken: (tokenId: number) => Promise<void>
  readonly listPeople: (page: PageRequest, options: Options) => Promise<Page<ScimPerson>>
  readonly assignPerson: (personId: string, user: number) => Promise<ScimPerson>
  readonly bringBack: (personId: string) => Promise<ScimPerson>
  readonly listGroups: (page: PageRequest, options: Options) => Promise<Page<ScimGroup>>
  readonly listCalls: (options: Options) => Promise<readonly ScimCall[]>
  readonly preview: (request: ScimPreviewRequest) => Promise<ScimPreview>
}

export const connectionDirectory = (id: number): DirectoryApi => ({
  key: String(id),
  getState: (options) => client.connections.getConnectionScim(id, options),
  setSettings: (settings) => client.connections.setConnectionScim(id, settings),
  createToken: () => client.connections.createConnectionScimToken(id),
  deleteToken: (tokenId) => client.connections.deleteConnectionScimToken(id, tokenId),
  listPeople: (page, options) => client.connections.listConnectionScimUsers(id, page, options),
  assignPerson: (personId, user) => client.connections.assignConnectionScimUser(id, personId, { user }),
  bringBack: (personId) => client.connections.bringBackConnectionScimUser(id, personId),
  listGroups: (page, options) => client.connections.listConnectionScimGroups(id, page, options),
  listCalls: (options) => client.connections.listConnectionScimCalls(id, options),
  preview: (request) => client.connections.previewConnectionScim(id, request),
})

export const organizationDirectory = (organizationId: number, id: number): DirectoryApi => ({
  key: `${organizationId} ${id}`,
  getState: (options) => client.organizations.getOrganizationScim(organizationId, id, options),
  setSettings: (settings) => client.organizations.setOrganizationScim(organizationId, id, settings),
  createToken: () => client.organizations.createOrganizationScimToken(organizationId, id),
  deleteToken: (tokenId) => client.organizations.deleteOrganizationScimToken(organizationId, id, tokenId),
  listPeople: (page, options) =>
    client.organizations.listOrganizationScimUsers(organizationId, id, page, options),
  assignPerson: (personId, user) =>
    client.organizations.assignOrganizationScimUser(organizationId, id, personId, { user }),
  bringBack: (personId) => client.organizations.bringBackOrganizationScimUser(organizationId, id, personId),
  listGroups: (page, options) =>
    client.organizations.listOrganizationScimGroups(organizationId, id, page, options),
  listCalls: (options) => client.organizations.listOrganizationScimCalls(organizationId, id, options),
  preview: (request) => client.organizations.previewOrganizationScim(organizationId, id, request),
})
