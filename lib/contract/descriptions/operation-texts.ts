import type { Operation } from '../operation.ts'
import { accessTokens } from '../operations/access-tokens.ts'
import { apiTokens } from '../operations/api-tokens.ts'
import { audit } from '../operations/audit.ts'
import { branding } from '../operations/branding.ts'
import { groups } from '../operations/groups.ts'
import { health } from '../operations/health.ts'
import { impersonation } from '../operations/impersonation.ts'
import { invitations } from '../operations/invitations.ts'
import { leaks } from '../operations/leaks.ts'
import { oidc } from '../operations/oidc.ts'
import { oidcClients } from '../operations/oidc-clients.ts'
import { pages } from '../operations/pages.ts'
import { passkeys } from '../operations/passkeys.ts'
import { passwords } from '../operations/passwords.ts'
import { samlFlow } from '../operations/saml-flow.ts'
import { samlProviders } from '../operations/saml-providers.ts'
import { sessions } from '../operations/sessions.ts'
import { tickets } from '../operations/tickets.ts'
import { userTemplates } from '../operations/user-templates.ts'
import { users } from '../operations/users.ts'
import type { FieldText, OperationText } from './describe.ts'
import { accessTokensTexts } from './operations/access-tokens.ts'
import { apiTokensTexts } from './operations/api-tokens.ts'
import { auditTexts } from './operations/audit.ts'
import { brandingTexts } from './operations/branding.ts'
import { groupsTexts } from './operations/groups.ts'
import { healthTexts } from './operations/health.ts'
import { impersonationTexts } from './operations/impersonation.ts'
import { invitationsTexts } from './operations/invitations.ts'
import { leaksTexts } from './operations/leaks.ts'
import { oidcTexts } from './operations/oidc.ts'
import { oidcClientsTexts } from './operations/oidc-clients.ts'
import { pagesTexts } from './operations/pages.ts'
import { passkeysTexts } from './operations/passkeys.ts'
import { passwordsTexts } from './operations/passwords.ts'
import { samlFlowTexts } from './operations/saml-flow.ts'
import { samlProvidersTexts } from './operations/saml-providers.ts'
import { sessionsTexts } from './operations/sessions.ts'
import { ticketsTexts } from './operations/tickets.ts'
import { userTemplatesTexts } from './operations/user-templates.ts'
import { usersTexts } from './operations/users.ts'

/** The text of an operation, whichever parameters it has. */
export type AnyOperationText = Omit<OperationText, 'parameters'> & {
  readonly parameters: Readonly<Record<string, FieldText>>
}

type TextsOfModule = readonly [
  operations: Readonly<Record<string, Operation>>,
  texts: Readonly<Record<string, AnyOperationText>>,
]

const modules: readonly TextsOfModule[] = [
  [accessTokens, accessTokensTexts],
  [apiTokens, apiTokensTexts],
  [audit, auditTexts],
  [branding, brandingTexts],
  [groups, groupsTexts],
  [health, healthTexts],
  [impersonation, impersonationTexts],
  [invitations, invitationsTexts],
  [leaks, leaksTexts],
  [oidc, oidcTexts],
  [oidcClients, oidcClientsTexts],
  [pages, pagesTexts],
  [passkeys, passkeysTexts],
  [passwords, passwordsTexts],
  [samlFlow, samlFlowTexts],
  [samlProviders, samlProvidersTexts],
  [sessions, sessionsTexts],
  [tickets, ticketsTexts],
  [userTemplates, userTemplatesTexts],
  [users, usersTexts],
]

const byId: ReadonlyMap<string, AnyOperationText | undefined> = new Map(
  modules.flatMap(([operations, texts]) =>
    Object.entries(operations).map(([name, { id }]) => [id, texts[name]] as const),
  ),
)

export const findOperationText = (operationId: string): AnyOperationText | undefined => byId.get(operationId)
