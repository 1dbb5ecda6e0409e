import { samlProviders } from '../../lib/contract/operations/saml-providers.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { createSamlProvider } from './create.ts'
import { deleteSamlProvider } from './delete.ts'
import { parseSamlidpMetadata, refreshSamlidpMetadata } from './metadata.ts'
import { getAllSamlProviders, getSamlProvider } from './read.ts'
import { rotateSamlSpKey } from './rotate.ts'
import { patchSamlProvider, updateSamlProvider } from './update.ts'

export const handler = createGroupHandler(samlProviders, {
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
