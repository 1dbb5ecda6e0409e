import * as z from 'zod/mini'
import { ExternalId, ServiceUserDetailUpdate } from '../../accounts/users/users.models.ts'
import { flag, givenDateTime } from '../../kernel/contract/fields.ts'
import { accountsPerUser } from '../../kernel/limits/connection-limits.ts'
import { passkeysPerUser } from '../../kernel/limits/limits.ts'
import { listPresets } from '../connections/public-providers.models.ts'

const bytes = (maxLength: number) =>
  z
    .string()
    .check(
      z.regex(/^[\w-]+$/, 'must be base64url without padding'),
      z.maxLength(maxLength, `must have at most ${maxLength} characters`),
    )

/** A passkey in a line of an import. */
const PasskeyLine = z.strictObject({
  credential_id: bytes(1364),
  /** As COSE (RFC 9052). */
  public_key: bytes(2048),
  sign_count: z.optional(z.int().check(z.minimum(0), z.maximum(2 ** 32 - 1))),
  transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10))),
  /** Whether devices may share it. Left out if the other system does not know. */
  backup_eligible: z.optional(flag),
  aaguid: z.optional(
    z.string().check(z.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i, 'must be a UUID')),
  ),
  name: z.optional(z.nullable(z.string())),
  created_at: z.optional(z.nullable(givenDateTime)),
})
export type PasskeyLine = z.output<typeof PasskeyLine>

const passkeyLines = z.array(PasskeyLine).check(z.maxLength(passkeysPerUser))

/** An account at a public provider that signed the user in at the other system. */
const IdentityLine = z.strictObject({
  provider: z.enum(listPresets()),
  /** What the provider calls the account: see `declaredProviders`. */
  subject: z.string().check(z.maxLength(255)),
})
export type IdentityLine = z.output<typeof IdentityLine>

const text = z.string()
const groupId = ServiceUserDetailUpdate.def.shape.groups.def.element

/** The fields of a line: those of a new user, and what only an import can set. */
export const UserLine = z.extend(ServiceUserDetailUpdate, {
  permissions: z.optional(ServiceUserDetailUpdate.def.shape.permissions),
  groups: z.optional(z.array(z.union([groupId, text], 'must be the id or the name of a group'))),
  password_hash: z.optional(z.nullable(text)),
  /** `legacy` for a password that only the old system can check, until the first sign-in. */
  password_check: z.optional(z.nullable(z.enum(['legacy']))),
  totp_seed: z.optional(z.nullable(text)),
  /** False for an address that waits for a confirmation. Otherwise the import vouches for it. */
  email_verified: z.optional(flag),
  external_id: z.optional(z.nullable(ExternalId)),
  /** Codes of the other system that replace one of the authenticator app once. */
  recovery_codes: z.optional(z.array(text).check(z.maxLength(50))),
  /** Passkeys that another system with the same RP ID registered. */
  passkeys: z.optional(passkeyLines),
  /** Accounts at public providers that sign the user in. */
  public_identities: z.optional(z.array(IdentityLine).check(z.maxLength(accountsPerUser))),
  /** When the person registered in the other system. */
  created_at: z.optional(z.nullable(givenDateTime)),
})
export type UserLine = z.output<typeof UserLine>

/** The names of the fields. */
export const lineFields: readonly string[] = Object.keys(UserLine.def.shape)
