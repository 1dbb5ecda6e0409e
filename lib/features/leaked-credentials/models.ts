import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { anyText, flag, nonEmptyText } from '../../kernel/contract/fields.ts'
import { securityReportLifetimeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { exampleCredentials } from '../example-values.models.ts'

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
export const SecretScanningFinding = z.object({
  token: anyText,
  type: z.optional(anyText),
  url: z.optional(anyText),
  source: z.optional(anyText),
})
export type SecretScanningFinding = z.output<typeof SecretScanningFinding>

describeModel(SecretScanningFinding, () => ({
  description:
    'A finding as GitHub sends it to partners of its secret scanning. Other fields are ignored, and no signature is needed.',
  fields: {
    token: 'The credential that was found. It ends at once if it is real.',
    type: 'The type of the credential in the secret scanning. Not used.',
    url: 'Where the credential was found. Not used and not stored.',
    source: 'The kind of place where it was found. Not used and not stored.',
  },
  example: {
    token: exampleCredentials.apiToken,
    type: 'latchkey_api_token',
    url: 'https://github.com/example/shop/blob/main/deploy.sh',
    source: 'content',
  },
}))

export const leakReport = z.union([
  LeakedCredentialsRequest,
  z
    .array(SecretScanningFinding)
    .check(z.minLength(1), z.maxLength(maxCredentials, `must have at most ${maxCredentials} entries`)),
])

export const SecurityReportRequest = z.strictObject({ token: nonEmptyText })
export type SecurityReportRequest = z.output<typeof SecurityReportRequest>

describeModel(SecurityReportRequest, () => ({
  description: 'A report that a change of an account was not made by its owner.',
  fields: {
    token: `The value from the link in a security email, with the prefix \`lkn_\`. It works for ${describeDuration(securityReportLifetimeMs)}. Using it again completes what an interrupted report started.`,
  },
  example: { token: exampleCredentials.securityReport },
}))

/** What a report did besides ending all sessions and removing what was added since the reported change. */
export const SecurityReportResult = z.strictObject({
  email_restored: flag,
  password_invalidated: flag,
  reset_email_sent: flag,
})
export type SecurityReportResult = z.output<typeof SecurityReportResult>

describeModel(SecurityReportResult, () => ({
  description:
    'What a report did. It always ends all sessions, and removes credentials that were added since the reported change.',
  fields: {
    email_restored: 'Whether the account got back the address that received the email.',
    password_invalidated:
      'Whether the password no longer works. The user then chooses a new one with a reset link.',
    reset_email_sent:
      'Whether an email with a reset link is about to be sent to the address that received the email.',
  },
  example: { email_restored: true, password_invalidated: true, reset_email_sent: true },
}))
