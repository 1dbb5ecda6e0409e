import { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as create from './create.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(apiTokens, {
  ...create,
  ...useCases,
})
