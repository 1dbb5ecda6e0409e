import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { exampleDecisionName, shownDescription } from '../../kernel/contract/descriptions/decision-name.ts'
import { anyText, decisionName, integer, nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model, openModel } from '../../kernel/contract/model.ts'
import { clientAssertionFields, clientId, resource, userCode } from './field-texts.models.ts'

// Messages of the device authorization grant. Servers ignore parameters that they do not know (RFC 6749 3.1).

const optionalText = z.optional(anyText)

/** RFC 8628 3.1. */
export const DeviceAuthorizationRequest = z.object({
  client_id: optionalText,
  client_secret: optionalText,
  client_assertion: optionalText,
  client_assertion_type: optionalText,
  scope: optionalText,
  resource: optionalText,
})
export type DeviceAuthorizationRequest = z.output<typeof DeviceAuthorizationRequest>

if (docs)
  describeModel(DeviceAuthorizationRequest, () => ({
    description:
      'The form by which a device asks for its codes (RFC 8628 3.1). Each field may occur once. Other fields are ignored.',
    fields: {
      client_id: clientId,
      client_secret:
        'The secret of a confidential client, which may be in the `Authorization` header instead.',
      ...clientAssertionFields,
      scope: {
        description: 'Scopes separated by spaces. `offline_access` gives a refresh token. Default: `openid`.',
        example: 'openid offline_access',
      },
      resource,
    },
    example: { client_id: '7-4f1c2ab09d3e5f60718293a4', scope: 'openid offline_access' },
  }))

const exampleUserCode = docs && 'WDJB-MJHT'

/** RFC 8628 3.2. */
export const DeviceAuthorization = model(
  {
    device_code: field(
      nonEmptyText,
      docs && 'The secret by which the device asks for its tokens. Never show it.',
    ),
    user_code: field(nonEmptyText, docs && 'The code that the device shows to its user.'),
    verification_uri: field(nonEmptyText, docs && 'The address that the device shows to its user.'),
    verification_uri_complete: field(
      nonEmptyText,
      docs && 'The same with the code, for a QR code or a link.',
    ),
    expires_in: field(integer, docs && 'Seconds until both codes expire.'),
    interval: field(integer, docs && 'Seconds between two requests of the device.'),
  },
  docs && {
    description: 'The codes of a device that waits for its user (RFC 8628 3.2).',
    example: {
      device_code: 'WDJBMJHT.5rk9mTqXo2yV8wZ1nLc4pBd7sFg0hJu3eRi6tAvQxYk',
      user_code: exampleUserCode,
      verification_uri: 'https://auth.example.com/device',
      verification_uri_complete: `https://auth.example.com/device?user_code=${exampleUserCode}`,
      expires_in: 600,
      interval: 5,
    },
  },
)
export type DeviceAuthorization = z.output<typeof DeviceAuthorization>

/** The form of the page on which users enter a code. */
export const DeviceCodeEntry = openModel(
  {
    user_code: field(optionalText, docs && userCode),
  },
  docs && {
    description: 'The form of the page on which users enter a code.',
    example: { user_code: exampleUserCode },
  },
)
export type DeviceCodeEntry = z.output<typeof DeviceCodeEntry>

/** The form of the page on which users decide. */
export const DeviceAnswer = openModel(
  {
    user_code: field(optionalText, docs && userCode),
    answer: field(
      z.enum(['continue', 'cancel']),
      docs && '`continue`: the device may sign in. `cancel`: it may not.',
    ),
    shown: field(decisionName, docs && shownDescription),
  },
  docs && {
    description: 'The form of the page on which users decide about a device.',
    example: { user_code: exampleUserCode, answer: 'continue' as const, shown: exampleDecisionName },
  },
)
export type DeviceAnswer = z.output<typeof DeviceAnswer>
