import type { Services } from '../../services.ts'
import type { SamlProviderRecord } from '../../store/saml/saml-providers.ts'
import type { RequestContext } from '../common/request-context.ts'

/** The context of a request that concerns one identity provider. */
export interface SamlContext {
  readonly services: Services
  readonly provider: SamlProviderRecord
  readonly context: RequestContext
}
