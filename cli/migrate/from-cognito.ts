import * as z from 'zod/mini'
import { createSource, readDocument, requireList, requireWhole } from './document.ts'
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

/* The JSON of `aws cognito-idp list-users`. Cognito never gives out password hashes. */

const User = z.object({
  Username: z.string(),
  Attributes: z.optional(z.array(z.object({ Name: z.string(), Value: z.optional(z.string()) }))),
  Enabled: maybeFlag,
  UserCreateDate: maybeTime,
  UserStatus: maybeText,
})

type CognitoUser = z.output<typeof User>

const moved = ['identities', 'sub', 'email', 'email_verified', 'name', 'given_name', 'family_name']
const notUsers = 'This is not the JSON of aws cognito-idp list-users: an object with Users.'

interface CognitoOptions {
  /** Whether Cognito checks the passwords of its own users until they sign in here. */
  readonly hasLegacyPasswords: boolean
}

/** @throws CommandFailure if the file is not a list of users of Cognito. */
export const openCognito = async (file: string, options: CognitoOptions): Promise<Source> => {
  const document = await readDocument(file)
  const users = requireList(isRecord(document) ? document['Users'] : undefined, notUsers)
  requireWhole(document, 'Run aws cognito-idp list-users again, without --no-paginate and --max-items.')
  const linked = listLinked(users)
  return createSource(users, (line, record) =>
    readRecord(line, record, User, (user) => convertUser(user, options, linked)),
  )
}

const Identities = z.array(
  z.object({
    userId: z.union([z.string(), z.number()]),
    providerName: z.string(),
    providerType: z.string(),
  }),
)
type Identity = z.output<typeof Identities>[number]

const readAttributes = ({ Attributes = [] }: Pick<CognitoUser, 'Attributes'>) =>
  new Map(Attributes.map(({ Name, Value }) => [Name, Value]))

/** The attribute is JSON in a text. Undefined if it is not. */
const parseIdentities = (text: string | undefined): readonly Identity[] | undefined => {
  try {
    return Identities.safeParse(JSON.parse(text || '[]')).data
  } catch {
    return undefined
  }
}

const formatIdentity = ({ providerName, userId }: Identity): string => `${providerName} ${userId}`

const isFederated = ({ UserStatus }: Pick<CognitoUser, 'UserStatus'>): boolean =>
  UserStatus === 'EXTERNAL_PROVIDER'

/** The identities that sign in users of the pool. The list can have each a second time, as a user of its own. */
const listLinked = (users: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    users.flatMap((record) => {
      const user = User.safeParse(record).data
      if (!user || isFederated(user)) return []
      return (parseIdentities(readAttributes(user).get('identities')) ?? []).map(formatIdentity)
    }),
  )

const convertUser = (
  user: CognitoUser,
  { hasLegacyPasswords }: CognitoOptions,
  linked: ReadonlySet<string>,
): Converted => {
  const { Username, Enabled, UserCreateDate } = user
  const attributes = readAttributes(user)
  const email = attributes.get('email')
  const isOfProvider = isFederated(user)
  const given = parseIdentities(attributes.get('identities'))
  if (isOfProvider && given?.length && given.every((identity) => linked.has(formatIdentity(identity))))
    return { skipped: 'sign-ins that are linked to another user' }
  // The type says who the provider is. The name of one that speaks OpenID Connect or SAML can be any text.
  const identities = readIdentities(
    (given ?? []).map(({ providerType, providerName, userId }) => ({
      provider: providerType,
      subject: userId,
      shownAs: providerName,
    })),
  )
  const staysBehind = hasLegacyPasswords && !isOfProvider
  // A pool where people sign in with their address names them by an ID, and one with a provider by the ID there.
  const isId = Username === attributes.get('sub') || isOfProvider
  return {
    id: attributes.get('sub') || Username,
    fields: {
      username: (isId && (attributes.get('preferred_username') || email)) || Username,
      ...readEmail(email, { isVerified: attributes.get('email_verified') === 'true' }),
      full_name:
        joinNames(attributes.get('name')) ??
        joinNames(attributes.get('given_name'), attributes.get('family_name')),
      is_enabled: Enabled !== false,
      created_at: readTime(UserCreateDate),
      ...(staysBehind ? { password_check: 'legacy' } : {}),
      ...identities.fields,
    },
    left: [
      ...identities.left,
      ...(isOfProvider && !given?.length
        ? ['sign-in with another provider (the export does not name it)']
        : []),
      ...(isOfProvider || staysBehind ? [] : ['password']),
    ],
    attributes: Object.fromEntries([...attributes].filter(([name]) => !moved.includes(name))),
  }
}
