import * as z from 'zod/mini'
import { isLanguage } from '../../lib/kernel/i18n/languages.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { createSource, readDocument, requireList } from './document.ts'
import { readIdentities, type SocialIdentity } from './social-identities.ts'
import {
  type Converted,
  given,
  isRecord,
  joinNames,
  maybeFlag,
  maybeText,
  maybeTime,
  readEmail,
  readRecord,
  readTime,
  type Source,
  toBase32,
  toBase64Url,
} from './source.ts'

/* A realm as `kc.sh export` writes it, in one file or in several with users. */

const Credential = z.object({
  type: z.string(),
  userLabel: maybeText,
  createdDate: maybeTime,
  secretData: maybeText,
  credentialData: maybeText,
})
type Credential = z.output<typeof Credential>
const User = z.object({
  id: maybeText,
  username: z.string(),
  email: maybeText,
  emailVerified: maybeFlag,
  enabled: maybeFlag,
  createdTimestamp: maybeTime,
  firstName: maybeText,
  lastName: maybeText,
  // What it says follows from the credentials.
  totp: z.optional(z.unknown()),
  credentials: z.optional(z.array(Credential)),
  requiredActions: z.optional(z.array(z.string())),
  groups: z.optional(z.array(z.string())),
  attributes: z.optional(z.record(z.string(), z.array(z.string()))),
  federatedIdentities: z.optional(
    z.array(z.object({ identityProvider: maybeText, userId: maybeText, userName: maybeText })),
  ),
  serviceAccountClientId: maybeText,
})
type User = z.output<typeof User>

/** The identity providers of a realm. An administrator chose the alias, so only `providerId` says which one it is. */
const Providers = z.array(z.object({ alias: z.string(), providerId: z.string() }))

/** What the users of a file need of its realm. */
interface Realm {
  /** The kind of each identity provider by its alias. Empty for a file with users alone. */
  readonly providers: ReadonlyMap<string, string>
  readonly takesPasskeys: boolean
}

const notUsers = 'This is not a realm of Keycloak with users. Export it with kc.sh export.'

/** @throws CommandFailure if the file is not an export of one realm with users. */
export const openKeycloak = async (file: string, takesPasskeys: boolean): Promise<Source> => {
  const realm = await readDocument(file)
  if (Array.isArray(realm))
    throw new CommandFailure('The file has several realms. Export one of them with --realm.')
  const { users: list, identityProviders } = isRecord(realm) ? realm : {}
  const users = requireList(list, notUsers)
  const providers = Providers.safeParse(identityProviders).data ?? []
  const kinds = new Map(providers.map(({ alias, providerId }) => [alias, providerId]))
  return createSource(users, (line, record) =>
    readRecord(line, record, User, (user) => convertUser(user, { providers: kinds, takesPasskeys })),
  )
}

/** The accounts of a user at the identity providers of the realm. */
const listIdentities = (
  { federatedIdentities = [] }: User,
  { providers }: Realm,
): readonly SocialIdentity[] =>
  federatedIdentities.map(({ identityProvider, userId }) => ({
    provider: providers.get(identityProvider ?? '') ?? '',
    subject: userId,
    shownAs: given(identityProvider),
  }))

const convertUser = (user: User, realm: Realm): Converted => {
  if (user.serviceAccountClientId) return { skipped: 'service accounts' }
  const { takesPasskeys } = realm
  const identities = readIdentities(listIdentities(user, realm))
  const { credentials = [], requiredActions = [], groups = [], attributes = {} } = user
  const password = credentials.find(isPassword)
  const seeds = credentials.map(readSeed)
  const totp_seed = seeds.find((seed) => seed !== undefined)
  const read = credentials.map((credential) => (takesPasskeys ? readPasskey(credential) : undefined))
  const passkeys = read.filter((passkey) => passkey !== undefined)
  const locale = attributes['locale']?.[0]
  const page_language = isLanguage(locale) ? locale : undefined
  // Old passwords are only compared with new ones.
  const rest = credentials.filter(
    (credential, at) =>
      credential !== password &&
      read[at] === undefined &&
      credential.type !== 'password-history' &&
      (totp_seed === undefined || seeds[at] !== totp_seed),
  )
  const actions = requiredActions.filter((action) => !['UPDATE_PASSWORD', 'VERIFY_EMAIL'].includes(action))
  return {
    id: given(user.id),
    fields: {
      username: user.username,
      ...readEmail(user.email, { isVerified: user.emailVerified === true }),
      full_name: joinNames(user.firstName, user.lastName),
      is_enabled: user.enabled !== false,
      created_at: readTime(user.createdTimestamp),
      password_change_required: requiredActions.includes('UPDATE_PASSWORD') || undefined,
      password_hash: password && JSON.stringify(pickHash(password)),
      totp_seed,
      ...(passkeys.length > 0 ? { passkeys } : {}),
      ...identities.fields,
      page_language,
      groups: groups.map((path) => path.replace(/^\//, '')),
    },
    left: [
      ...rest.map(({ type }) => `credentials of type ${type}`),
      ...actions.map((action) => `required action ${action}`),
      ...identities.left,
    ],
    attributes: page_language ? { ...attributes, locale: undefined } : attributes,
  }
}

const isPassword = ({ type, secretData, credentialData }: Credential): boolean =>
  type === 'password' && Boolean(secretData && credentialData)

/** The label of a credential changes nothing, so it is no part of the line. */
const pickHash = ({ secretData, credentialData }: Credential) => ({ credentialData, secretData })

const Secret = z.object({ value: z.string() })
const OtpData = z.object({
  subType: z.literal('totp'),
  digits: z.literal(6),
  period: z.literal(30),
  algorithm: z.literal('HmacSHA1'),
  secretEncoding: maybeText,
})

/** The key of an authenticator app whose codes Latchkey can check. */
const readSeed = ({ type, secretData, credentialData }: Credential): string | undefined => {
  if (type !== 'otp') return undefined
  const data = OtpData.safeParse(parseJson(credentialData)).data
  const secret = Secret.safeParse(parseJson(secretData)).data
  if (!data || !secret) return undefined
  // The key is the bytes of the text. An imported key has an encoding.
  const encoding = given(data.secretEncoding)
  if (encoding === 'BASE32') return secret.value
  return encoding === undefined ? toBase32(Buffer.from(secret.value)) : undefined
}

const WebAuthnData = z.object({
  credentialId: z.string(),
  credentialPublicKey: z.string(),
  counter: z.optional(z.int()),
  aaguid: maybeText,
  transports: z.optional(z.array(z.string())),
})

/** A passkey, with or without a password before it. Whether devices share it is learned at its first use. */
const readPasskey = ({ type, userLabel, createdDate, credentialData }: Credential) => {
  if (type !== 'webauthn' && type !== 'webauthn-passwordless') return undefined
  const data = WebAuthnData.safeParse(parseJson(credentialData)).data
  return (
    data && {
      credential_id: toBase64Url(data.credentialId),
      public_key: toBase64Url(data.credentialPublicKey),
      sign_count: data.counter ?? 0,
      transports: (data.transports ?? []).map((transport) => transport.toLowerCase()),
      ...(data.aaguid ? { aaguid: data.aaguid } : {}),
      name: userLabel ?? null,
      created_at: readTime(createdDate) ?? null,
    }
  )
}

const parseJson = (text: string | null | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
