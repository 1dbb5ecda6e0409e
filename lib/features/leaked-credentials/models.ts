import * as z from 'zod/mini'
import { exampleCredentials } from '../../accounts/example-values.models.ts'
import { describeModel } from '../../kernel/contract/describe.ts'
import { anyText, flag, id, nonEmptyText } from '../../kernel/contract/fields.ts'
import { field, model, openModel } from '../../kernel/contract/model.ts'
import { securityReportLifetimeMs } from '../../kernel/limits/limits.ts'
import { foundKinds } from '../../kernel/util/credential-prefixes.ts'
import { describeDuration } from '../../kernel/util/time.ts'

const maxCredentials = 100

/** Everything that was found, also texts that are no credentials. */
const found = z
  .array(anyText)
  .check(z.minLength(1), z.maxLength(maxCredentials, `must have at most ${maxCredentials} entries`))

export const LeakedCredentialsRequest = z
  .strictObject({
    token: z.optional(anyText),
    credentials: z.optional(found),
  })
  .check(
    z.refine(({ token, credentials }) => token !== undefined || credentials !== undefined, {
      path: ['credentials'],
      error: 'must be set, or else `token`',
    }),
  )
export type LeakedCredentialsRequest = z.output<typeof LeakedCredentialsRequest>

if (docs)
  describeModel(LeakedCredentialsRequest, () => ({
    description:
      'Credentials that were found where they should not be, such as in a repository or a log. Each one that is real ends at once. At least one of the two fields is required.',
    fields: {
      token: 'One credential, exactly as found, without quotes or spaces.',
      credentials: 'Up to 100 credentials. Other texts are ignored.',
    },
    example: { credentials: [exampleCredentials.apiToken, exampleCredentials.session] },
  }))

/** A finding as GitHub sends it to partners of its secret scanning. Only the token counts. */
export const SecretScanningFinding = openModel(
  {
    token: field(anyText, docs && 'The credential that was found. It ends at once if it is real.'),
    type: field(z.optional(anyText), docs && 'The type of the credential in the secret scanning. Not used.'),
    url: field(z.optional(anyText), docs && 'Where the credential was found. Not used and not stored.'),
    source: field(
      z.optional(anyText),
      docs && 'The kind of place where it was found. Not used and not stored.',
    ),
  },
  docs && {
    description:
      'A finding as GitHub sends it to partners of its secret scanning. Other fields are ignored, and no signature is needed.',
    example: {
      token: exampleCredentials.apiToken,
      type: 'latchkey_api_token',
      url: 'https://github.com/example/shop/blob/main/deploy.sh',
      source: 'content',
    },
  },
)
export type SecretScanningFinding = z.output<typeof SecretScanningFinding>

export const leakReport = z.union([
  LeakedCredentialsRequest,
  z
    .array(SecretScanningFinding)
    .check(z.minLength(1), z.maxLength(maxCredentials, `must have at most ${maxCredentials} entries`)),
])

/** The longest text in which a credential is looked for. */
const maxPasted = 4096

export const FindCredentialRequest = model(
  {
    value: field(
      nonEmptyText.check(z.maxLength(maxPasted)),
      docs &&
        'The value, also inside of a link or a line of a log. The beginning of a value with its prefix and eight more characters finds its user or link. It is not stored.',
    ),
  },
  docs && {
    description: 'A credential of which someone wants to know whose it is.',
    example: { value: exampleCredentials.apiToken },
  },
)
export type FindCredentialRequest = z.output<typeof FindCredentialRequest>

/** What a value is, and whose. */
export const FoundCredential = model(
  {
    kind: field(z.enum(foundKinds), docs && 'What the value is. `access_token` is an access link.'),
    id: field(
      z.nullable(id),
      docs &&
        'The ID of the API token, access link, session or client. Null for a ticket, and for the beginning of a value that does not contain it.',
    ),
    name: field(z.nullable(anyText), docs && 'The name of the API token or client. Null for others.'),
    user: field(
      z.nullable(id),
      docs && 'The ID of its user. For an access link, this is the creator. Null for a client.',
    ),
    user_name: field(z.nullable(anyText), docs && 'The username of `user`. Null if they were deleted.'),
  },
  docs && {
    description: 'What a value is, and whose.',
    example: { kind: 'api_token' as const, id: 12, name: 'Build', user: 7, user_name: 'ada' },
  },
)
export type FoundCredential = z.output<typeof FoundCredential>

export const SecurityReportRequest = model(
  {
    token: field(
      nonEmptyText,
      docs &&
        `The value from the link in a security email, with the prefix \`lkn_\`. It works for ${describeDuration(securityReportLifetimeMs)}. Using it again completes what an interrupted report started.`,
    ),
  },
  docs && {
    description: 'A report that a change of an account was not made by its owner.',
    example: { token: exampleCredentials.securityReport },
  },
)
export type SecurityReportRequest = z.output<typeof SecurityReportRequest>

/** What a report did besides ending all sessions and removing what was added since the reported change. */
export const SecurityReportResult = model(
  {
    email_restored: field(flag, docs && 'Whether the account got back the address that received the email.'),
    password_invalidated: field(
      flag,
      docs && 'Whether the password no longer works. The user then chooses a new one with a reset link.',
    ),
    reset_email_sent: field(
      flag,
      docs &&
        'Whether an email with a reset link is about to be sent to the address that received the email.',
    ),
  },
  docs && {
    description:
      'What a report did. It always ends all sessions, and removes credentials that were added since the reported change.',
    example: { email_restored: true, password_invalidated: true, reset_email_sent: true },
  },
)
export type SecurityReportResult = z.output<typeof SecurityReportResult>
