import { exampleCredentials } from '../../accounts/example-values.models.ts'
import { anyoneOrKnown, withScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { activitiesShown } from '../../kernel/limits/limits.ts'
import { OneTimeAccessToken, RestrictedOneTimeAccessToken } from './models.ts'
import { accessLinkFilterDescriptions, accessLinkFilters, SendLinkEmailRequest } from './requests.models.ts'

const idDescription = docs && ({ description: 'The ID of the access link.', example: 5 } as const)

/** Operations on one access link. */
export const singleAccessLink = {
  getAccessToken: defineOperation({
    id: 'get_access_token',
    group: 'access-links',
    method: 'GET',
    path: '/api/2/auth/access-tokens/{id}',
    access: withScope('links:view'),
    summary: 'Get an access link with its newest uses',
    responses: { 200: docs && OneTimeAccessToken },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: `Gets an access link with its value and its newest ${activitiesShown} uses. Its creator, its recipient and administrators see it.
Others get a 404, and so does a session that another link opened. Guests do not see the uses, because these contain the
addresses of other people.`,
        parameters: { id: idDescription },
        responses: { 200: [{ summary: 'A link with its uses', value: exampleOf(OneTimeAccessToken) }] },
      })),
  }),
  deleteAccessToken: defineOperation({
    id: 'delete_access_token',
    group: 'access-links',
    method: 'DELETE',
    path: '/api/2/auth/access-tokens/{id}',
    access: withScope('links:manage'),
    summary: 'Delete an access link and end its sessions',
    responses: { 204: null },
    errors: ['not_found', 'permission_denied', 'conflict'],
    audit: ['access_token.deleted', 'user.deleted'],
    text:
      docs &&
      describe(() => ({
        description: `Deletes an access link. From this moment, the link, the sessions that it opened, and their tickets do not work. An
anonymous guest of the link is deleted with it. Only the creator and administrators can do this.`,
        parameters: { id: idDescription },
      })),
  }),
  sendAccessTokenEmailNotification: defineOperation({
    id: 'send_access_token_email_notification',
    group: 'access-links',
    method: 'POST',
    path: '/api/2/auth/access-tokens/{id}/email',
    access: withScope('links:manage'),
    summary: 'Email an access link',
    body: SendLinkEmailRequest,
    responses: { 204: null },
    errors: ['not_found', 'permission_denied', 'conflict', 'too_many_requests', 'upstream_failed'],
    audit: ['access_token.mailed'],
    limits: ['linkMailsPerRecipient', 'linkMailsPerUser'],
    text:
      docs &&
      describe(() => ({
        description: `Emails the link to its recipient, or to the address in \`email\`. The email names the caller as the sender and quotes
\`text\`. Only the creator of the link and administrators can do this.

The response comes after the mail service has accepted the email. If it did not, the response is a 502: try again. The
same email within a minute counts as a retry and is not sent twice. A link that no longer works is a 409, and so is an
address that rejected an earlier email.`,
        parameters: { id: idDescription },
        request: [
          { summary: 'To the verified address of the recipient, with the default text', value: {} },
          {
            summary: 'To an address, with an own text',
            value: {
              email: 'grace@example.com',
              subject: 'Summer campaign: first cut',
              text: 'Hi Grace,\n\nplease have a look until Friday.\n\nAda',
            },
          },
        ],
      })),
  }),
  getAccessTokenByValue: defineOperation({
    id: 'get_access_token_by_value',
    group: 'access-links',
    method: 'GET',
    path: '/api/2/auth/access-tokens/get/{token}',
    access: anyoneOrKnown,
    acceptsProduct: true,
    summary: 'Look up an access link by its value without taking a view',
    query: accessLinkFilters,
    responses: { 200: docs && RestrictedOneTimeAccessToken },
    errors: ['not_found', 'too_many_requests'],
    audit: ['access_token.not_found'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Looks up an access link by its value, such as on the page that the link opens. It never counts as a view, because mail
scanners and chats also fetch links. To open the link, call \`redeem_access_token\`.

Unknown, deleted, expired and used-up links get the same 404. So do links that do not match the filters, which are the
same as those of the list. Existing links are always shown.`,
        parameters: {
          token: {
            description: 'The value of the access link, from the fragment of its URL after `#token=`.',
            example: exampleCredentials.accessLink,
          },
          ...accessLinkFilterDescriptions,
        },
        responses: {
          200: [
            {
              summary: 'What everyone with the link can see',
              value: exampleOf(RestrictedOneTimeAccessToken),
            },
          ],
        },
      })),
  }),
}
