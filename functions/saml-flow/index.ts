import { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'
import { getSamlServiceProviderMetadata } from './metadata.ts'
import { returnFromSamlLogout } from './return-logout.ts'
import { startSamlLogout } from './start-logout.ts'

export const handler = handlerFor(samlFlow, {
  getSamlServiceProviderMetadata,
  startSamlAuth: notImplemented,
  receiveSamlAuthAssertion: notImplemented,
  returnFromSamlAuth: notImplemented,
  startSamlLogout,
  returnFromSamlLogout,
})
