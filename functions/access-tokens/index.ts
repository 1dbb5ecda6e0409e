import { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'

export const handler = handlerFor(accessTokens, {
  getAllAccessTokens: notImplemented,
  createAccessToken: notImplemented,
  getAccessToken: notImplemented,
  deleteAccessToken: notImplemented,
  sendAccessTokenEmailNotification: notImplemented,
  getAccessTokenByValue: notImplemented,
  getAccessTokenMediaLibraryPermissions: notImplemented,
  redeemAccessToken: notImplemented,
})
