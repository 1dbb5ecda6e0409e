import { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { createApiToken } from './create.ts'
import { deleteApiToken } from './delete.ts'
import { getApiTokensOfAllUsers } from './list-all.ts'
import { getAllApiTokens, getApiToken } from './read.ts'
import { patchApiToken, updateApiToken } from './rename.ts'

export const handler = createGroupHandler(apiTokens, {
  getAllApiTokens,
  getApiTokensOfAllUsers,
  createApiToken,
  getApiToken,
  updateApiToken,
  patchApiToken,
  deleteApiToken,
})
