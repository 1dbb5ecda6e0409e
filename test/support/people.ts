import { randomUUID } from 'node:crypto'
import { buildUser } from '../../lib/accounts/users/new-user.ts'
import type { NewUser, UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { createUser } from '../../lib/accounts/users/write-users.records.ts'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import type { Answer } from './client.ts'
import type { TestService } from './service.ts'

export interface Person {
  readonly user: UserRecord
  readonly password: string
}

/** A person with the bearer credential of their session. */
export interface SignedInPerson extends Person {
  readonly bearer: string
}

/** Builds a user. An administrator vouched for the address, unless the fields say otherwise. */
export const buildPerson = ({
  email = null,
  emailVerified,
  verifiedBy = 'administrator',
  ...fields
}: Partial<NewUser> & { readonly username: string }): NewUser =>
  email
    ? buildUser({
        ...fields,
        email,
        ...(emailVerified === false
          ? { emailVerified, verifiedBy: undefined }
          : { emailVerified, verifiedBy }),
      })
    : buildUser(fields)

/** Adds a user directly to the table, with a password unless the fields say otherwise. */
export const addPerson = async (
  { services }: Pick<TestService, 'services'>,
  fields: Partial<Omit<NewUser, 'normalizedUsername' | 'normalizedEmail'>> = {},
  password = `Password of ${randomUUID()}`,
): Promise<Person> => {
  // Hashing takes most of the time of this function.
  const passwordHash =
    fields.passwordHash === undefined ? await hashPassword(password, services.config.passwordCost) : null
  // Without letters of names such as Ada, for which other tests search.
  const username = `user-${randomUUID().replaceAll(/[ae]/g, 'x')}`
  const user = await createUser(
    services.table,
    buildPerson({ username, passwordHash, ...fields }),
    services.now(),
  )
  return { user, password }
}

/** Sends the username and the password of a person, and other fields of the request, such as a code. */
export const trySignIn = (
  { client }: Pick<TestService, 'client'>,
  { user, password }: { readonly user: Pick<UserRecord, 'username'>; readonly password: string },
  fields: object = {},
): Promise<Answer> =>
  client('POST', '/api/2/auth/login', { body: { username: user.username, password, ...fields } })

/** Signs a person in over HTTP and returns the session credential. */
export const signIn = async (service: TestService, person: Person): Promise<string> => {
  const answer = await trySignIn(service, person)
  if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.text}`)
  return answer.body.session_key
}

/** Adds a person and signs them in. */
export const addSignedIn = async (
  service: TestService,
  fields: Parameters<typeof addPerson>[1] = {},
): Promise<SignedInPerson> => {
  const person = await addPerson(service, fields)
  return { ...person, bearer: await signIn(service, person) }
}

/**
 * Returns a function that calls operations as this person, unless a call names another one. A path without a slash in front is
 * below `/api/2`.
 *
 * @example
 * ```ts
 * const call = callAs(service, admin)
 * await call('POST', 'groups', { name: 'Editors', permissions: [] })
 * await call('GET', 'groups', undefined, stranger)
 * ```
 */
export const callAs =
  ({ client }: TestService, person: Pick<SignedInPerson, 'bearer'>) =>
  (method: string, path: string, body?: unknown, { bearer } = person): Promise<Answer> =>
    client(method, path.startsWith('/') ? path : `/api/2/${path}`, { bearer, body })
