import { oidc } from '../../lib/contract/operations/oidc.ts'
import { answerFromCache } from '../../lib/http/answer-from-cache.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { startAuthorization } from './authorize.ts'
import { createJwt } from './create-jwt.ts'
import { getAuthorizationServerMetadata, getOpenidConfiguration } from './discovery.ts'
import { getJwks } from './get-jwks.ts'
import { introspectToken } from './introspect.ts'
import { issueTokens } from './issue-tokens.ts'
import { confirmLogoutForClient, logoutForClient } from './logout.ts'
import { logoutForClientByForm, startAuthorizationByForm } from './redirect-form.ts'
import { resumeAuthorization } from './resume.ts'
import { revokeToken } from './revoke.ts'
import { getUserinfo, getUserinfoByForm } from './userinfo.ts'

export const handler = answerFromCache(
  oidc,
  createGroupHandler(
    oidc,
    {
      getJwks,
      createJwt,
      getOpenidConfiguration,
      getAuthorizationServerMetadata,
      startAuthorization,
      startAuthorizationByForm,
      resumeAuthorization,
      issueTokens,
      logoutForClient,
      logoutForClientByForm,
      confirmLogoutForClient,
      getUserinfo,
      getUserinfoByForm,
      introspectToken,
      revokeToken,
    },
    // Loaded on demand, because most answers go to programs.
    (services) => async (problem, event) => {
      const { oidcErrorPage } = await import('./error-page.ts')
      return oidcErrorPage(services)(problem, event)
    },
  ),
)
