import { samlProviders } from '../../lib/contract/operations/saml-providers.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { createSamlProvider } from './create.ts'
import { deleteSamlProvider } from './delete.ts'
import { parseSamlidpMetadata, refreshSamlidpMetadata } from './metadata.ts'
import { getAllSamlProviders, getSamlProvider } from './read.ts'
import { rotateSamlSpKey } from './rotate.ts'
import { patchSamlProvider, updateSamlProvider } from './update.ts'

export const handler = createHandler(samlProviders, {
  getAllSamlProviders,
  createSamlProvider,
  getSamlProvider,
  updateSamlProvider,
  patchSamlProvider,
  deleteSamlProvider,
  parseSamlidpMetadata,
  refreshSamlidpMetadata,
  rotateSamlSpKey,
})
