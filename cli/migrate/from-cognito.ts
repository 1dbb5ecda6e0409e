import * as z from 'zod/mini'
import { createSource, readDocument, requireList } from './document.ts'
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

const moved = ['sub', 'email', 'email_verified', 'name', 'given_name', 'family_name']
const notUsers = 'This is not the JSON of aws cognito-idp list-users: an object with Users.'

interface CognitoOptions {
  /** Whether Cognito checks the passwords of its own users until they sign in here. */
  readonly hasLegacyPasswords: boolean
}

/** @throws CommandFailure if the file is not a list of users of Cognito. */
export const openCognito = async (file: string, options: CognitoOptions): Promise<Source> => {
  const document = await readDocument(file)
  const users = requireList(isRecord(document) ? document['Users'] : undefined, notUsers)
  return createSource(users, (line, record) =>
    readRecord(line, record, User, (user) => convertUser(user, options)),
  )
}

const convertUser = (
  { Username, Attributes = [], Enabled, UserCreateDate, UserStatus }: z.output<typeof User>,
  { hasLegacyPasswords }: CognitoOptions,
): Converted => {
  const attributes = new Map(Attributes.map(({ Name, Value }) => [Name, Value]))
  const email = attributes.get('email')
  const isFederated = UserStatus === 'EXTERNAL_PROVIDER'
  const staysBehind = hasLegacyPasswords && !isFederated
  // A pool where people sign in with their address names them by an ID, and one with a provider by the ID there.
  const isId = Username === attributes.get('sub') || isFederated
  return {
    id: attributes.get('sub') || Username,
    fields: {
      username: (isId && (attributes.get('preferred_username') || email)) || Username,
      ...readEmail(email, attributes.get('email_verified') === 'true'),
      full_name:
        joinNames(attributes.get('name')) ??
        joinNames(attributes.get('given_name'), attributes.get('family_name')),
      is_enabled: Enabled !== false,
      created_at: readTime(UserCreateDate),
      ...(staysBehind ? { password_check: 'legacy' } : {}),
    },
    left: [
      ...(isFederated ? ['sign-in with another provider'] : []),
      ...(isFederated || staysBehind ? [] : ['password']),
    ],
    attributes: Object.fromEntries([...attributes].filter(([name]) => !moved.includes(name))),
  }
}
