import { invitationLifetimeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { Invitation } from '../../models/invitations.ts'
import { AuthLoginEndpointResponse } from '../../models/login.ts'
import { PasskeyCreationOptions } from '../../models/passkeys.ts'
import type { invitations } from '../../operations/invitations.ts'
import type { OperationTexts } from '../describe.ts'
import { describeRateLimit } from '../describe-rate-limit.ts'
import { exampleOf } from '../example-of.ts'
import { newPasskey } from '../example-passkeys.ts'
import { exampleCredentials, exampleNewPassword } from '../example-values.ts'

const token = exampleCredentials.invitation
const signedIn = [{ summary: 'A session of the invited user', value: exampleOf(AuthLoginEndpointResponse) }]

export const invitationsTexts: OperationTexts<typeof invitations> = {
  findInvitation: {
    description: `Looks up an invitation by the token of its link, without using it. It shows who invited whom, and how the user can accept:
with a password, a passkey, or the account of their company. Mail scanners that open links use nothing, because the page
sends the token by a script.

A token works for ${describeDuration(invitationLifetimeMs)}. An unknown, used, revoked or expired one is a 400 \`invalid_token\`. The limit is
${describeRateLimit('lookUpFailures')} of failed lookups per address.`,
    parameters: {},
    request: [{ summary: 'The token of a link', value: { token } }],
    responses: { 200: [{ summary: 'An invitation', value: exampleOf(Invitation) }] },
  },
  acceptInvitation: {
    description: `Sets the first password of an invited user, confirms their email address, and signs them in, like \`login\`. The invitation is
used. A password that the policy rejects uses nothing: send another one.

If the sign-in policy requires a second factor at once, the response is a 403 with the reason \`second_factor_setup_required\`.
Send the same again with \`second_factor_setup\`, then turn a second factor on. The audit events are \`invitation.accepted\` and
\`login.succeeded\`.`,
    parameters: {},
    request: [{ summary: 'A first password', value: { token, password: exampleNewPassword } }],
    responses: { 200: signedIn },
  },
  startInvitationPasskey: {
    description: `Returns the options with which a browser creates the first passkey of an invited user. Pass them to
\`navigator.credentials.create\`, then send its result to \`accept_invitation_with_passkey\` within 5 minutes. The limit is
${describeRateLimit('passkeyChallenges')} per address.`,
    parameters: {},
    request: [{ summary: 'The token of a link', value: { token } }],
    responses: { 200: [{ summary: 'Options for the browser', value: exampleOf(PasskeyCreationOptions) }] },
  },
  acceptInvitationWithPasskey: {
    description: `Gives an invited user their first passkey, confirms their email address, and signs them in, like \`login_with_passkey\`.
\`credential\` is the result of \`navigator.credentials.create\`, converted with \`credential.toJSON()\`. The passkey must verify
the user, because it signs in without a password. A refused passkey uses nothing. The audit events are
\`invitation.accepted\`, \`passkey.added\` and \`login.succeeded\`.`,
    parameters: {},
    request: [{ summary: 'A first passkey', value: { token, name: 'Laptop', credential: newPasskey } }],
    responses: { 200: signedIn },
  },
}
