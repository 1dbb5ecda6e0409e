import * as z from 'zod/mini'
import { apiReferenceModes } from '../../lib/settings/api-reference.ts'
import { userVerifications } from '../../lib/settings/passkey-settings.ts'
import { priceClasses } from '../front-door/front-door-props.ts'
import type { ContextSetting } from './context-settings.ts'

/*
 * The type of each setting. `-c key=value` gives texts. JSON files can have booleans, numbers and lists as well.
 * `check-props.ts` checks the values themselves.
 */

const text = z
  .string({ error: 'must be a text' })
  .check(z.minLength(1, { error: 'must not be empty. Leave it out to use its default' }))

const flag = z.pipe(
  z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' }),
  z.transform((value) => value === true || value === 'true'),
)

const countRule = { error: 'must be a whole number from 1' }
const count = z.pipe(
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^\d{1,9}$/, countRule))], countRule),
    z.transform((value) => Number(value)),
  ),
  z.int(countRule).check(z.minimum(1, countRule)),
)

const list = z.pipe(
  z.union([text, z.array(z.string())], {
    error: 'must be a list, or a text with commas between its entries',
  }),
  z.transform((value) => (typeof value === 'string' ? value.split(',') : value).map((entry) => entry.trim())),
)

const settings = {
  stage: text,
  stackName: text.check(
    z.regex(/^[a-z][a-z\d-]{0,127}$/i, {
      error: 'must start with a letter, and consist of at most 128 letters, digits and hyphens',
    }),
  ),
  publicUrl: text,
  allowedOrigins: list,
  signInUrl: text,
  domainName: text,
  certificateArn: text,
  hostedZoneId: text,
  hostedZoneName: text,
  region: text.check(
    z.regex(/^[a-z]+(-[a-z\d]+)*$/, { error: 'must be the name of a region, such as eu-central-1' }),
  ),
  frontDoor: flag,
  frontDoorCertificateArn: text,
  webAclArn: text,
  requestsPerAddress: z.pipe(
    count,
    z
      .number()
      .check(
        z.minimum(10, { error: 'must be from 10 to 2000000000' }),
        z.maximum(2_000_000_000, { error: 'must be from 10 to 2000000000' }),
      ),
  ),
  priceClass: z.pipe(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.transform((value) => String(value)),
    ),
    z.enum(priceClasses, { error: `must be ${priceClasses.join(', ')}` }),
  ),
  originSecretVersion: count,
  allowDirectRequests: flag,
  mailFrom: text,
  alarmEmail: text,
  tracing: flag,
  hashingConcurrency: count,
  backup: flag,
  dashboard: flag,
  trustedProxies: list,
  // An empty value turns the lookup off.
  breachEndpoint: z.string({ error: 'must be a text' }),
  signInByEmail: flag,
  allowMixedScripts: flag,
  allowLookalikeUsernames: flag,
  apiReference: z.enum(apiReferenceModes, { error: 'must be off, read or try' }),
  hstsIncludeSubdomains: flag,
  hstsPreload: flag,
  sessionLifetimes: text,
  linkUrl: text,
  jwtAudiences: list,
  recentAuthenticationSeconds: count,
  passkeyRpId: text,
  passkeyRpName: text,
  passkeyOrigins: list,
  passkeyUserVerification: z.enum(userVerifications, {
    error: `must be ${userVerifications.join(' or ')}`,
  }),
  passkeyTimeoutSeconds: count,
  tableName: text,
  tableStreamArn: text,
  tableKeyArn: text,
  vaultKeyArn: text,
  otherVaultKeyArn: text,
  auditKeyArn: text,
  rateLimits: text,
} satisfies Record<ContextSetting, z.ZodMiniType>

/** All settings, each of them optional. Its messages complete the name of the setting to a sentence. */
export const settingsSchema = z.partial(z.object(settings))

export type Settings = z.output<typeof settingsSchema>
