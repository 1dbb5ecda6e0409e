import { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as create from './create.ts'
import * as deletion from './delete.ts'
import * as domains from './domains.ts'
import * as metadata from './metadata.ts'
import * as read from './read.ts'
import * as rotate from './rotate.ts'
import * as update from './update.ts'

export const handler = createGroupHandler(samlProviders, {
  ...create,
  ...deletion,
  ...domains,
  ...metadata,
  ...read,
  ...rotate,
  ...update,
})
