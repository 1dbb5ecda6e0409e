import * as z from 'zod/mini'
import { anyone, anyoneOrKnown } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { anyText } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { oauthDeviceMs, oauthDevicePollMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import {
  DeviceAnswer,
  DeviceAuthorization,
  DeviceAuthorizationRequest,
  DeviceCodeEntry,
} from './devices.models.ts'
import { userCode } from './field-texts.models.ts'
import { OAuthError } from './flow.models.ts'

/** How users sign in on devices without a browser (RFC 8628). */
export const deviceSignIn = {
  startDeviceAuthorization: defineOperation({
    id: 'start_device_authorization',
    group: 'oidc',
    method: 'POST',
    path: '/oauth2/device',
    access: anyone,
    summary: 'Get the codes by which a user signs in on a device',
    body: DeviceAuthorizationRequest,
    bodyType: 'form',
    responses: { 200: docs && DeviceAuthorization, 400: docs && OAuthError, 401: docs && OAuthError },
    errors: ['too_many_requests'],
    errorFormat: 'oauth',
    ignoresAccept: true,
    audit: ['oidc_client.changed'],
    limits: ['lookUpFailures', 'deviceStartsPerNetwork', 'deviceStartsPerClient', 'clientDocumentRenewals'],
    text:
      docs &&
      describe(() => ({
        description: `Gives a device without a browser its codes (RFC 8628 3.1). The device shows \`user_code\` and \`verification_uri\`, and asks
\`issue_tokens\` with \`device_code\` until the user has decided. It waits \`interval\` seconds between two requests, and
${describeDuration(oauthDevicePollMs.step)} longer after each \`slow_down\`. The codes work for ${describeDuration(oauthDeviceMs)}.

The client needs \`device_authorization\`. It authenticates as at \`issue_tokens\`.`,
        parameters: {},
        request: [{ summary: 'A command line', value: exampleOf(DeviceAuthorizationRequest) }],
        responses: { 200: [{ summary: 'The codes', value: exampleOf(DeviceAuthorization) }] },
      })),
  }),
  showDevicePage: defineOperation({
    id: 'show_device_page',
    group: 'oidc',
    method: 'GET',
    path: '/device',
    access: anyoneOrKnown,
    summary: 'Show the page on which users enter the code of a device',
    query: z.object({ user_code: z.optional(anyText) }),
    responses: { 200: 'text/html', 303: null },
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Shows the page on which a user enters the code that their device shows. A user who is not signed in goes to the sign-in page first.',
        parameters: { user_code: userCode },
      })),
  }),
  enterDeviceCode: defineOperation({
    id: 'enter_device_code',
    group: 'oidc',
    method: 'POST',
    path: '/device',
    access: anyoneOrKnown,
    summary: 'Show which client waits on a device, and what it gets',
    body: DeviceCodeEntry,
    bodyType: 'form',
    responses: { 200: 'text/html', 303: null },
    errors: ['too_many_requests'],
    ignoresAccept: true,
    limits: ['deviceCodeGuesses', 'deviceCodeGuessesPerNetwork'],
    text:
      docs &&
      describe(() => ({
        description: `Shows the page on which a user compares the code, and sees the client and what it gets (RFC 8628 5.4). Wrong codes are counted
before they are compared.`,
        parameters: {},
        request: [{ summary: 'A code', value: exampleOf(DeviceCodeEntry) }],
      })),
  }),
  answerDevice: defineOperation({
    id: 'answer_device',
    group: 'oidc',
    method: 'POST',
    path: '/device/answer',
    access: anyoneOrKnown,
    summary: 'Let a device sign in, or refuse it',
    body: DeviceAnswer,
    bodyType: 'form',
    responses: { 200: 'text/html', 303: null },
    errors: ['too_many_requests'],
    ignoresAccept: true,
    audit: ['oidc_client.device_approved', 'oidc_client.device_denied'],
    limits: ['authorizationsPerSession', 'deviceCodeGuesses', 'deviceCodeGuessesPerNetwork'],
    text:
      docs &&
      describe(() => ({
        description: `Stores what the user decided. Each device is decided once. Only a page of this service can send the form.
If anything on the page has changed since, nothing is decided, and the page comes again.`,
        parameters: {},
        request: [{ summary: 'A device that may sign in', value: exampleOf(DeviceAnswer) }],
      })),
  }),
}
