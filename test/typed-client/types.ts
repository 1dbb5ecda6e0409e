import {
  createClient,
  isLatchkeyError,
  type OperationErrors,
  type ServiceUserDetail,
} from '../../lib/client/index.ts'

/*
 * What developers may write with the typed client, and what their compiler reports. `npm run types` checks this file.
 * It is never run.
 */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const expectType = <T>(_: T): void => undefined
const expectTrue = <T extends true>(): T | undefined => undefined

export const checkTypes = async (): Promise<void> => {
  const client = createClient({ baseUrl: 'https://auth.example.com', credential: () => undefined })

  const signIn = await client.signIn({ username: 'ada', password: 'secret', otp: undefined })
  expectType<string>(signIn.session_key)
  // @ts-expect-error A sign-in needs a password.
  await client.signIn({ username: 'ada' })
  // @ts-expect-error Unknown fields are reported.
  await client.signIn({ username: 'ada', password: 'secret', remember: true })

  const user = await client.users.getUser(7, undefined, { signal: AbortSignal.timeout(1_000) })
  expectTrue<Equal<typeof user, ServiceUserDetail>>()
  expectType<readonly string[]>(user.effective_permissions)
  // @ts-expect-error A full name can be null.
  expectType<string>(user.full_name)
  // @ts-expect-error IDs are numbers.
  await client.users.getUser('7')
  // @ts-expect-error An ID is required.
  await client.users.getUser()
  // @ts-expect-error Responses are read-only.
  user.username = 'other'

  // Fields that only the service sets may be sent back or left out.
  await client.users.updateUser(7, { ...user, full_name: 'Ada' })
  await client.users.createUser({ username: 'ada', permissions: [], groups: [] })
  await client.users.patchUser(7, { full_name: undefined, groups: user.groups })
  // @ts-expect-error A permission is a text.
  await client.users.patchUser(7, { permissions: [1] })

  for await (const group of client.groups.iterateGroups({ limit: 50 })) expectType<string>(group.name)
  // @ts-expect-error The iterator finds the cursor of each page.
  client.groups.iterateGroups({ cursor: 'abc' })
  const { items, nextCursor } = await client.groups.listGroups({ cursor: undefined })
  await client.groups.listGroups({ cursor: nextCursor, limit: items.length })
  // @ts-expect-error The ordering names fields of the list.
  await client.groups.listGroups({ ordering: 'color' })

  await client.sessions.login({ username: 'ada', password: 'secret' }, { clientAddress: '203.0.113.7' })
  // @ts-expect-error Only some operations read the address of an end user.
  await client.users.getUser(7, undefined, { clientAddress: '203.0.113.7' })

  expectTrue<Equal<Awaited<ReturnType<typeof client.sessions.logout>>, void>>()
  expectType<string>(client.connectionFlow.startSamlAuthUrl(7, { force_authn: true }))
}

export const checkErrorTypes = (error: unknown): void => {
  if (isLatchkeyError(error, 'login_incomplete', 'otp_required')) {
    expectType<'login_incomplete'>(error.code)
    expectType<string | undefined>(error.secondFactorToken)
  }
  if (isLatchkeyError(error)) expectType<number>(error.status)
  isLatchkeyError(error, 'timeout')
  // @ts-expect-error The code does not exist.
  isLatchkeyError(error, 'login_complete')
  // @ts-expect-error The code does not have this reason.
  isLatchkeyError(error, 'login_failed', 'otp_required')
  expectTrue<Equal<OperationErrors['login']['login_failed'], 'invalid_credentials'>>()
}
