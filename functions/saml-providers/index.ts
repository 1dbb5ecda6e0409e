import { samlProviders } from '../../lib/contract/operations/saml-providers.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'

export const handler = handlerFor(samlProviders, {
  getAllSamlProviders: notImplemented,
  createSamlProvider: notImplemented,
  getSamlProvider: notImplemented,
  updateSamlProvider: notImplemented,
  patchSamlProvider: notImplemented,
  deleteSamlProvider: notImplemented,
  parseSamlidpMetadata: notImplemented,
  refreshSamlidpMetadata: notImplemented,
})
