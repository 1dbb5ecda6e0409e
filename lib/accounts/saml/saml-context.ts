import type { Services } from '../../services.ts'
import type { OidcConnectionRecord } from '../../store/connections/oidc-connections.ts'
import type { ConnectionName, SamlProviderRecord } from '../../store/saml/saml-providers.ts'
import type { RequestContext } from '../common/request-context.ts'

/** The context of a request that concerns one identity provider. */
export interface SamlContext {
  readonly services: Services
  readonly provider: SamlProviderRecord
  readonly context: RequestContext
}

/** What the rules of a sign-in need of a company connection of either kind. */
export type CompanyConnection = ConnectionName &
  Pick<SamlProviderRecord, keyof SamlProviderRecord & keyof OidcConnectionRecord> &
  Partial<Pick<SamlProviderRecord, 'entityId'>>

/** The context of a sign-in through a connection of either kind. */
export type ConnectionContext = Omit<SamlContext, 'provider'> & { readonly provider: CompanyConnection }

/** How audit events name a connection. */
export const getConnectionTarget = ({ id, kind }: ConnectionName): string => `${kind ?? 'saml'}:${id}`
