import { describeDuration } from '../../../core/describe-duration.ts'
import { jwtLifetimeMs, keySetMaxAgeMs } from '../../../core/limits.ts'
import { JSONWebKeySet, JWT } from '../../models/jwt.ts'
import type { oidc } from '../../operations/oidc.ts'
import type { OperationTexts } from '../describe.ts'
import { exampleOf } from '../example-of.ts'
import { oidcProviderTexts } from './oidc-provider.ts'

export const oidcTexts: OperationTexts<typeof oidc> = {
  getJwks: {
    description: `Returns the public keys as a JWK Set (RFC 7517 5). Give its URL to your JWT library: it fetches the keys, keeps them, and
fetches them again when a JWT names an unknown key.

A new key is published at least a day before it signs, and stays until all of its JWTs have expired. Clients may keep the
response for ${describeDuration(keySetMaxAgeMs)}. It has an \`ETag\`, and answers \`If-None-Match\` with 304.`,
    parameters: {},
    responses: { 200: [{ summary: 'The present and the next key', value: exampleOf(JSONWebKeySet) }] },
  },
  createJwt: {
    description: `Returns a JWT (RFC 9068) that states who the caller is: the user, their groups and effective permissions, how and when they
signed in, and the administrator if one impersonates them. Other servers verify it without a request to this service.

It is valid for ${describeDuration(jwtLifetimeMs)}, and never longer than the session or API token that created it. After that, ask for a new one. A
JWT cannot be revoked. Once the session has ended or the user is disabled, there is no new JWT, but an earlier one remains
valid until it expires. For changes that cannot wait, ask \`get_current_user\` instead.

\`audience\` must be on the list of the operator. The JWT of an API token with scopes has no groups, and only the
permissions of the scopes. The JWT of a session that an access link opened has neither, and names the link in \`access_link\`.`,
    parameters: {},
    request: [
      { summary: 'A JWT for one server', value: { audience: 'https://shop.example.com' } },
      { summary: 'A JWT for this service as the audience', value: {} },
    ],
    responses: { 200: [{ summary: 'A JWT', value: exampleOf(JWT) }] },
  },
  ...oidcProviderTexts,
}
