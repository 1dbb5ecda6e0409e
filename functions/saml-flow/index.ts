import { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'

export const handler = handlerFor(samlFlow, {
  getSamlServiceProviderMetadata: notImplemented,
  startSamlAuth: notImplemented,
  receiveSamlAuthAssertion: notImplemented,
  returnFromSamlAuth: notImplemented,
  startSamlLogout: notImplemented,
  returnFromSamlLogout: notImplemented,
})
