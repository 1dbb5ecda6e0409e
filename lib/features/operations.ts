import type { Operation, OperationText } from '../kernel/contract/operation.ts'
import { accessLinks } from './access-links/operations.ts'
import { apiTokens } from './api-tokens/operations.ts'
import { audit } from './audit/operations.ts'
import { branding } from './branding/operations.ts'
import { connectionFlow } from './connections/flow.operations.ts'
import { connections } from './connections/operations.ts'
import { groups } from './directory/groups/groups.operations.ts'
import { userTemplates } from './directory/templates/templates.operations.ts'
import { users } from './directory/users/users.operations.ts'
import { health } from './health/operations.ts'
import { hooks } from './hook-console/operations.ts'
import { impersonation } from './impersonation/operations.ts'
import { invitations } from './invitations/operations.ts'
import { leaks } from './leaked-credentials/operations.ts'
import { leavers } from './leavers/operations.ts'
import { oidcClients } from './oauth/clients.operations.ts'
import { oidc } from './oauth/operations.ts'
import { organizations } from './organizations/operations.ts'
import { organizationTokens } from './organizations/tokens.operations.ts'
import { pages } from './pages/operations.ts'
import { passkeys } from './passkeys/operations.ts'
import { passwords } from './passwords/operations.ts'
import { rememberedDevices } from './remembered-devices/operations.ts'
import { scimAgreements } from './scim/agreements.operations.ts'
import { scimDirectory } from './scim/directory.operations.ts'
import { scim } from './scim/operations.ts'
import { scimProtocol } from './scim/protocol.operations.ts'
import { scimSetup } from './scim/setup.operations.ts'
import { sessions } from './sign-in/operations.ts'
import { tickets } from './tickets/operations.ts'
import { userFiles } from './user-files/operations.ts'

/**
 * Every operation of the service, for routes, documentation, and tests. A function imports the file of its own group
 * instead, so that it does not load models that it does not use.
 */
export const operations: readonly Operation[] = [
  tickets,
  oidc,
  oidcClients,
  sessions,
  rememberedDevices,
  passwords,
  impersonation,
  accessLinks,
  apiTokens,
  passkeys,
  connections,
  connectionFlow,
  scim,
  scimDirectory,
  scimSetup,
  scimAgreements,
  scimProtocol,
  users,
  groups,
  userTemplates,
  organizations,
  organizationTokens,
  userFiles,
  audit,
  branding,
  hooks,
  invitations,
  leaks,
  leavers,
  health,
  pages,
].flatMap((group): Operation[] => Object.values(group))

const byId = new Map(operations.map((op) => [op.id, op]))

/** Returns the text of an operation for the OpenAPI document. */
export const findOperationText = (id: string): OperationText | undefined => byId.get(id)?.text?.()
