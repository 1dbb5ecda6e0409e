import { accessTokens } from '../features/access-links/operations.ts'
import { apiTokens } from '../features/api-tokens/operations.ts'
import { audit } from '../features/audit/operations.ts'
import { branding } from '../features/branding/operations.ts'
import { samlFlow } from '../features/connections/flow.operations.ts'
import { samlProviders } from '../features/connections/operations.ts'
import { groups } from '../features/directory/groups.operations.ts'
import { userTemplates } from '../features/directory/templates.operations.ts'
import { users } from '../features/directory/users.operations.ts'
import { health } from '../features/health/operations.ts'
import { impersonation } from '../features/impersonation/operations.ts'
import { invitations } from '../features/invitations/operations.ts'
import { leaks } from '../features/leaked-credentials/operations.ts'
import { oidcClients } from '../features/oauth/clients.operations.ts'
import { oidc } from '../features/oauth/operations.ts'
import { pages } from '../features/pages/operations.ts'
import { passkeys } from '../features/passkeys/operations.ts'
import { passwords } from '../features/passwords/operations.ts'
import { sessions } from '../features/sign-in/operations.ts'
import { tickets } from '../features/tickets/operations.ts'
import { userFiles } from '../features/user-files/operations.ts'
import type { Operation, OperationText } from '../kernel/contract/operation.ts'

/**
 * Every operation of the service, for routes, documentation, and tests. A function imports the file of its own group
 * instead, so that it does not load models that it does not use.
 */
export const operations: readonly Operation[] = [
  tickets,
  oidc,
  oidcClients,
  sessions,
  passwords,
  impersonation,
  accessTokens,
  apiTokens,
  passkeys,
  samlProviders,
  samlFlow,
  users,
  groups,
  userTemplates,
  userFiles,
  audit,
  branding,
  invitations,
  leaks,
  health,
  pages,
].flatMap((group): Operation[] => Object.values(group))

const byId = new Map(operations.map((op) => [op.id, op]))

/** Returns the text of an operation for the OpenAPI document. */
export const findOperationText = (id: string): OperationText | undefined => byId.get(id)?.text?.()
