import { basename } from 'node:path'
import * as z from 'zod/mini'
import { readCsv } from '../../lib/features/user-files/csv.ts'
import { UnreadableFile } from '../../lib/features/user-files/import-file.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { openInput } from '../input.ts'
import { createSource, readDocument, requireList } from './document.ts'
import { readIdentities } from './social-identities.ts'
import {
  type Converted,
  isRecord,
  joinNames,
  maybeFlag,
  maybeText,
  maybeTime,
  readEmail,
  readRecord,
  readTime,
  type Source,
} from './source.ts'

/*
 * A list of users as the Backend API of Clerk returns them (`GET /v1/users`). It has no password hashes. They are in the CSV file of "User
 * exports" in the dashboard, which has no accounts at providers.
 */

const Verification = z.optional(z.nullable(z.object({ status: maybeText })))
const maybeList = z.optional(z.nullable(z.array(z.unknown())))
const maybeRecord = z.optional(z.nullable(z.record(z.string(), z.unknown())))
const ignored = z.optional(z.unknown())

const User = z.object({
  id: z.string(),
  username: maybeText,
  first_name: maybeText,
  last_name: maybeText,
  primary_email_address_id: maybeText,
  email_addresses: z.optional(
    z.array(z.object({ id: maybeText, email_address: z.string(), verification: Verification })),
  ),
  external_accounts: z.optional(
    z.array(
      z.object({
        provider: z.string(),
        provider_user_id: z.optional(z.nullable(z.union([z.string(), z.number()]))),
        verification: Verification,
      }),
    ),
  ),
  banned: maybeFlag,
  created_at: maybeTime,
  password_enabled: maybeFlag,
  totp_enabled: maybeFlag,
  backup_code_enabled: maybeFlag,
  passkeys: maybeList,
  phone_numbers: maybeList,
  web3_wallets: maybeList,
  public_metadata: maybeRecord,
  private_metadata: maybeRecord,
  unsafe_metadata: maybeRecord,
  // They follow from others, or change with each sign-in.
  ...{ object: ignored, has_image: ignored, two_factor_enabled: ignored, mfa_enabled_at: ignored },
  ...{ primary_phone_number_id: ignored, primary_web3_wallet_id: ignored, updated_at: ignored },
  ...{ last_sign_in_at: ignored, last_active_at: ignored, verification_attempts_remaining: ignored },
  ...{ delete_self_enabled: ignored, create_organization_enabled: ignored },
  ...{ password_last_updated_at: ignored, legal_accepted_at: ignored, profile_image_url: ignored },
})

const notUsers = 'This is not a list of users as the Backend API of Clerk returns it.'

/** The credentials of a user in the file of the dashboard. */
interface Credentials {
  readonly hash: string | undefined
  readonly seed: string | undefined
}

/** @throws CommandFailure if a file cannot be read, or is not as Clerk writes it. */
export const openClerk = async (file: string, hashFile: string | undefined): Promise<Source> => {
  const users = requireList(await readDocument(file), notUsers)
  const credentials =
    hashFile === undefined ? new Map<string, Credentials>() : await readCredentials(hashFile)
  const ids = new Set(users.map((user) => (isRecord(user) ? user['id'] : undefined)))
  const unused = [...credentials.keys()].filter((id) => !ids.has(id))
  // Rows of the other file come after all users, so that the line of a user is the place in the list.
  return createSource([...users, ...unused], (line, record) =>
    line > users.length
      ? { line, skipped: 'hashes of users who are not in the file' }
      : readRecord(line, record, User, (user) => convertUser(user, credentials.get(user.id))),
  )
}

/** The fields of an import that the columns have. The ID only joins the files. */
const columns: ReadonlyMap<string, string> = new Map([
  ['id', 'external_id'],
  ['username', 'username'],
  ['password_digest', 'password_hash'],
  ['totp_secret', 'totp_seed'],
])

/** The credentials of each user by their ID, from the file of the dashboard. */
const readCredentials = async (file: string): Promise<ReadonlyMap<string, Credentials>> => {
  const credentials = new Map<string, Credentials>()
  const input = await openInput(file, 'csv')
  const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  try {
    const rows = readCsv(input.chunks(), (names) => {
      for (const name of ['id', 'username', 'password_digest'])
        if (!names.includes(name)) throw new UnreadableFile(`${basename(file)} has no column ${name}.`)
      return names.map((name) => columns.get(name))
    })
    for await (const { line, fields } of rows) {
      const id = toText(fields?.['external_id'])
      if (id === undefined) throw new CommandFailure(`Line ${line} of ${basename(file)} has no ID of a user.`)
      credentials.set(id, { hash: toText(fields?.['password_hash']), seed: toText(fields?.['totp_seed']) })
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new CommandFailure(error.message)
    throw error
  } finally {
    await input.close()
  }
  return credentials
}

type ClerkUser = z.output<typeof User>

const isVerified = ({ verification }: { readonly verification?: z.output<typeof Verification> }): boolean =>
  verification?.status === 'verified'

const convertUser = (user: ClerkUser, credentials: Credentials | undefined): Converted => {
  const { email_addresses: addresses = [], external_accounts: accounts = [] } = user
  const primary =
    addresses.find(({ id }) => id != null && id === user.primary_email_address_id) ??
    addresses.find(isVerified) ??
    addresses[0]
  const { hash, seed } = credentials ?? {}
  const identities = readIdentities(
    accounts
      .filter(isVerified)
      .map(({ provider, provider_user_id: subject }) => ({ provider, subject, shownAs: toShown(provider) })),
  )
  return {
    id: user.id,
    fields: {
      username: user.username || primary?.email_address || user.id,
      ...readEmail(primary?.email_address, { isVerified: primary !== undefined && isVerified(primary) }),
      full_name: joinNames(user.first_name, user.last_name),
      is_enabled: user.banned !== true,
      created_at: readTime(user.created_at),
      password_hash: hash,
      totp_seed: seed,
      ...identities.fields,
    },
    // People can change the last ones themselves, so the others win.
    attributes: { ...user.unsafe_metadata, ...user.private_metadata, ...user.public_metadata },
    left: [
      ...identities.left,
      ...(accounts.every(isVerified) ? [] : ['accounts at providers that Clerk did not verify']),
      ...(addresses.length > 1 ? ['further email addresses'] : []),
      ...(user.password_enabled && !hash ? ['password'] : []),
      ...(user.totp_enabled && !seed ? ['authenticator app'] : []),
      ...(user.backup_code_enabled ? ['recovery codes'] : []),
      ...(user.passkeys?.length ? ['passkeys'] : []),
      ...(user.phone_numbers?.length ? ['phone numbers'] : []),
      ...(user.web3_wallets?.length ? ['web3 wallets'] : []),
    ],
  }
}

/** Clerk calls a provider `oauth_linkedin_oidc`. */
const toShown = (provider: string): string => provider.replace(/^oauth_/, '')
