import { basename } from 'node:path'
import * as z from 'zod/mini'
import { readJsonLines } from '../../lib/features/user-files/json-lines.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { openInput } from '../input.ts'
import { readIdentities, type SocialIdentity } from './social-identities.ts'
import {
  type Converted,
  createFileSource,
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
} from './source.ts'

/*
 * The JSON Lines of a user export job, and those that Auth0's support sends with the password hashes. The second file has the
 * users of databases alone, and names them by the second half of their ID.
 */

const ObjectId = z.object({ $oid: z.string() })
const Identifier = z.object({ type: z.string(), value: z.string(), verified: maybeFlag })
const Identity = z.object({
  provider: z.string(),
  user_id: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  connection: maybeText,
})
const User = z.object({
  user_id: maybeText,
  _id: z.optional(ObjectId),
  alt_id: maybeText,
  email: maybeText,
  email_verified: maybeFlag,
  identifiers: z.optional(z.array(Identifier)),
  identities: z.optional(z.array(Identity)),
  username: maybeText,
  name: maybeText,
  given_name: maybeText,
  family_name: maybeText,
  blocked: maybeFlag,
  created_at: maybeTime,
  passwordHash: maybeText,
  password_hash: maybeText,
  user_metadata: z.optional(z.unknown()),
  app_metadata: z.optional(z.unknown()),
})
type User = z.output<typeof User>

/** @throws CommandFailure if a file cannot be read, or a line of the hashes */
export const openAuth0 = async (file: string, hashFile: string | undefined): Promise<Source> => {
  const hashes = hashFile === undefined ? new Map<string, string>() : await readHashes(hashFile)
  return createFileSource(
    () => openInput(file, 'json-lines'),
    async function* (chunks) {
      const unused = new Map(hashes)
      let last = 0
      for await (const { line, fields, errors } of readJsonLines(chunks)) {
        last = line
        yield fields ? readRecord(line, fields, User, (user) => convertUser(user, unused)) : { line, errors }
      }
      for (const _ of unused) yield { line: last, skipped: 'hashes of users who are not in the file' }
    },
  )
}

/** The hash of each user of a database, by their ID. */
const readHashes = async (file: string): Promise<ReadonlyMap<string, string>> => {
  const hashes = new Map<string, string>()
  const input = await openInput(file, 'json-lines')
  try {
    for await (const { line, fields } of readJsonLines(input.chunks())) {
      const { data } = User.safeParse(fields)
      const id = data && getId(data)
      if (!data?.passwordHash || id === undefined)
        throw new CommandFailure(`Line ${line} of ${basename(file)} is not a user with a passwordHash.`)
      hashes.set(id, data.passwordHash)
    }
  } finally {
    await input.close()
  }
  return hashes
}

const getId = ({ user_id, alt_id, _id }: User): string | undefined => {
  const id = alt_id || _id?.$oid
  return user_id || (id && `auth0|${id}`)
}

const toRecord = (value: unknown) => (isRecord(value) ? value : {})

/** Takes the hash of the user out of the map. */
const convertUser = (user: User, hashes: Map<string, string>): Converted => {
  const id = getId(user) ?? ''
  const hash = hashes.get(id)
  hashes.delete(id)
  const identifier = user.identifiers?.find(({ type }) => type === 'email')
  const email = user.email || identifier?.value
  const isVerified = user.email ? user.email_verified : identifier?.verified
  const identities = readIdentities(listIdentities(user, id))
  return {
    id: given(id),
    fields: {
      username: user.username || email || id,
      ...readEmail(email, { isVerified: isVerified === true }),
      // Without a name, Auth0 shows the address.
      full_name:
        user.name && user.name !== email
          ? joinNames(user.name)
          : joinNames(user.given_name, user.family_name),
      is_enabled: user.blocked !== true,
      created_at: readTime(user.created_at),
      password_hash: user.passwordHash || user.password_hash || hash,
      ...identities.fields,
    },
    attributes: { ...toRecord(user.app_metadata), ...toRecord(user.user_metadata) },
    left: identities.left,
  }
}

/** The accounts that sign the user in, without those of Auth0's own databases. An export can have the ID of the user alone. */
const listIdentities = ({ identities = [] }: User, id: string): readonly SocialIdentity[] => {
  const at = id.indexOf('|')
  const own = at < 0 ? [] : [{ provider: id.slice(0, at), user_id: id.slice(at + 1), connection: null }]
  return (identities.length > 0 ? identities : own)
    .filter(({ provider }) => provider !== 'auth0')
    .map(({ provider, user_id: subject, connection }) => ({ provider, subject, shownAs: connection }))
}
