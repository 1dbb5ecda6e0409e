import * as z from 'zod/mini'
import { describeModel } from '../describe.ts'
import { exampleIds, exampleProductUrl, exampleTimes } from '../descriptions/example-values.ts'
import { dateTime, id, text255 } from './fields.ts'
import { oidcScopes } from './oidc-clients.ts'

/** An OpenID Connect client, as a user of it sees it. */
export const ConnectedApp = z.strictObject({
  id,
  name: text255,
  scopes: z.array(z.enum(oidcScopes)),
  audiences: z.array(text255),
  connected_at: dateTime,
  last_used_at: dateTime,
})
export type ConnectedApp = z.output<typeof ConnectedApp>

describeModel(ConnectedApp, () => ({
  description: 'An OpenID Connect client that a user signed in at, and that can get tokens about them.',
  fields: {
    id: 'The ID of the client in this API.',
    name: 'The name of the client.',
    scopes: 'What the client may read about the user, and whether it may do so later (`offline_access`).',
    audiences: 'The servers that the client can request access tokens of the user for.',
    connected_at:
      'When the user first signed in at the client, in a session that is still active: ISO 8601, UTC.',
    last_used_at:
      'When the user last signed in at the client, or it renewed its tokens: ISO 8601, UTC, with a precision of a day.',
  },
  example: {
    id: exampleIds.oidcClient,
    name: 'Shop',
    scopes: ['openid' as const, 'profile' as const, 'email' as const],
    audiences: [`${exampleProductUrl}/api`],
    connected_at: exampleTimes.created,
    last_used_at: exampleTimes.signedIn,
  },
}))
