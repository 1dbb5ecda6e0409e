import { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'

export const handler = handlerFor(apiTokens, {
  getAllApiTokens: notImplemented,
  createApiToken: notImplemented,
  getApiToken: notImplemented,
  updateApiToken: notImplemented,
  patchApiToken: notImplemented,
  deleteApiToken: notImplemented,
})
