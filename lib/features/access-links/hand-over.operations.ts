import { withPermission } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { userIdDescription } from '../../kernel/contract/descriptions/common-texts.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { HandedOver, HandOverRequest } from './hand-over.models.ts'

export const accessLinksHandOver = {
  handOverAccessTokens: defineOperation({
    id: 'hand_over_access_tokens',
    group: 'access-links',
    method: 'POST',
    path: '/api/2/users/{id}/access-tokens/hand-over',
    access: withPermission('users:manage'),
    summary: 'Hand access links of a user over to another user',
    body: HandOverRequest,
    responses: { 200: docs && HandedOver },
    errors: ['not_found', 'conflict'],
    notWhileImpersonating: true,
    recentAuthentication: true,
    audit: ['access_token.handed_over'],
    text:
      docs &&
      describe(() => ({
        description: `Makes another user the creator of access links, such as before their creator leaves. The links then depend on the new creator, and
keep their recipients, limits and uses. Easy sharing of them ends.

The new creator must be enabled and hold \`media:access\`: otherwise the response is a 400. They must also be able to make links in the name of
the organization of a link: otherwise it stays where it is. The former creator still knows the address, unless \`new_addresses\` makes another one.

Callers can do this only to users whose permissions they hold themselves. If \`is_complete\` is false, or if a request fails, repeat it.`,
        parameters: { id: userIdDescription },
        request: [
          { summary: 'One link, with a new address', value: exampleOf(HandOverRequest) },
          { summary: 'All links', value: { to: 18 } },
        ],
        responses: { 200: [{ summary: 'What was handed over', value: exampleOf(HandedOver) }] },
      })),
  }),
}
