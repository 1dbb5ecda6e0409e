import { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as create from './create.ts'
import * as deletion from './delete.ts'
import * as listAll from './list-all.ts'
import * as read from './read.ts'
import * as rename from './rename.ts'

export const handler = createGroupHandler(apiTokens, {
  ...create,
  ...deletion,
  ...listAll,
  ...read,
  ...rename,
})
