import { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { createApiToken } from './create.ts'
import { deleteApiToken } from './delete.ts'
import { getAllApiTokens, getApiToken } from './read.ts'
import { patchApiToken, updateApiToken } from './rename.ts'

export const handler = createGroupHandler(apiTokens, {
  getAllApiTokens,
  createApiToken,
  getApiToken,
  updateApiToken,
  patchApiToken,
  deleteApiToken,
})
