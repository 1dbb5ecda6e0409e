import { randomUUID } from 'node:crypto'
import { openSession } from '../../lib/accounts/sessions/session-rules.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { createUser } from '../../lib/accounts/users/write-users.records.ts'
import { createAuthorizer } from '../../lib/features/authorizers/create-authorizer.part.ts'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import { beginMembership, buildJoinSteps } from '../../lib/features/organizations/memberships.records.ts'
import { newOrganization } from '../../lib/features/organizations/models.ts'
import { createOrganization, type OrganizationRecord } from '../../lib/features/organizations/records.ts'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import { clientFrom, loopback } from './addressed-client.ts'
import { httpEvent } from './authorizer-events.ts'
import type { Answer } from './client.ts'
import { makeIdp } from './idp.ts'
import { bundle, linksPath } from './links.ts'
import { addSignedIn, buildPerson, callAs } from './people.ts'
import { addProvider, signInByConnection, type TestProvider } from './saml.ts'
import type { TestService } from './service.ts'

/** A request, or a SAML sign-in with its redirects. Throws if its result is not the expected one. */
export type MixedOperation = () => Promise<void>

interface Member {
  readonly user: UserRecord
  readonly service: TestService
  readonly bearer: string
}

const password = 'violin harbor mustard tent'

/**
 * Adds 500 users with sessions directly to the table. Returns 1,000 operations of theirs in lists. Lists run in parallel,
 * the operations of a list one after the other. Each user has an address of their own.
 */
export const prepareMixedOperations = async (
  service: TestService,
): Promise<readonly (readonly MixedOperation[])[]> => {
  const provider = await addProvider(service, await makeIdp(), { auto_create_users: false })
  const passwordHash = await hashPassword(password, service.services.config.passwordCost)
  const members: Member[] = []
  const addMembers = async (from: number) => {
    for (let number = from; number < 500; number += 10)
      members[number] = await addMember(service, provider, passwordHash, number)
  }
  await Promise.all(Array.from({ length: 10 }, (_, from) => addMembers(from)))
  const shares: readonly (readonly [number, (member: Member, at: number) => readonly MixedOperation[]])[] = [
    [100, visitWithPassword],
    [50, lookBriefly],
    [75, useTicket],
    [40, shareAndList],
    [20, share],
    [60, createApiToken],
    [60, (member, at) => [() => signInThrough(provider, member, at)]],
    [60, resetPassword],
    [25, editProfile],
    [10, administrate],
  ]
  return shares.flatMap(([count, build]) => members.splice(0, count).map((member, at) => build(member, at)))
}

/**
 * Adds 100 organizations with 5 members each, and 8 roles. Returns 1,000 requests that name an organization: who am I, and those of an
 * authorizer.
 */
export const prepareOrganizationOperations = async (
  service: TestService,
): Promise<readonly (readonly MixedOperation[])[]> => {
  const { services } = service
  const call = callAs(service, await addSignedIn(service, { permissions: ['system:admin-access'] }))
  const roles = Array.from({ length: 8 }, (_, at) => ({
    key: `role-${at}`,
    texts: { en: `Role ${at}` },
    permissions: ['films:view', `films:edit-${at}`],
  }))
  await expectStatus(call('PUT', '/api/2/organization-roles', { roles }), 200)
  const authorize = createAuthorizer({ ...process.env, AUTHORIZER_ORGANIZATION: 'required' })
  const addWorker = async (
    at: number,
    organization: OrganizationRecord,
  ): Promise<readonly MixedOperation[]> => {
    const { id } = organization
    const person = buildPerson({ username: `worker-${id}-${at}`, email: null, permissions: [] })
    const user = await createUser(services.table, person, services.now())
    const joined = { userId: user.id, organizationId: id, roles: [`role-${at}`], source: 'import' } as const
    await services.table.transact(
      buildJoinSteps(organization, beginMembership({ ...joined, joinedAt: 1, rolesGivenBy: null })),
    )
    const context = { address: '', userAgent: '', requestId: 'seed', actor: null, at: services.now() }
    const bearer = await openSession(services, user, context, { methods: ['pwd'] })
    const headers = { 'latchkey-organization': String(id) }
    const client = clientFrom(loopback(user.id), service.url)
    return [
      async () => {
        await expectStatus(client('GET', '/api/2/users/me', { bearer, headers }), 200)
      },
      async () => {
        const lines = [['Authorization', `Bearer ${bearer}`], ...Object.entries(headers)] as const
        const answer = await authorize(httpEvent(undefined, { headers: lines }))
        if (!JSON.stringify(answer).includes(`films:edit-${at}`)) throw new Error(JSON.stringify(answer))
      },
    ]
  }
  const addOrganization = async (number: number): Promise<(readonly MixedOperation[])[]> => {
    const slug = `spread-${'abcdefghij'[Math.floor(number / 10)]}${'abcdefghij'[number % 10]}`
    const named = { ...newOrganization, name: 'Acme', slug, createdBy: null, createdAt: 1 }
    const organization = await createOrganization(services.table, named, () => [])
    return Promise.all(Array.from({ length: 5 }, (_, at) => addWorker(at, organization)))
  }
  const lists: (readonly MixedOperation[])[] = []
  for (let number = 0; number < 100; number++) lists.push(...(await addOrganization(number)))
  return lists
}

const addMember = async (
  service: TestService,
  provider: TestProvider,
  passwordHash: string,
  number: number,
): Promise<Member> => {
  const { services, url } = service
  const isAdministrator = number >= 490
  const name = { providerId: provider.id, nameId: `member-${number}@example.com`, qualifiers: [] }
  const user = await createUser(
    services.table,
    buildPerson({
      username: `member-${number}`,
      email: `member-${number}@example.com`,
      passwordHash,
      permissions: isAdministrator ? ['system:admin-access'] : ['media:access'],
    }),
    services.now(),
    {
      extraSteps: (userId) =>
        buildCompanyAccountSteps(name, {
          userId,
          groups: [],
          deletedUserId: undefined,
          shownName: name.nameId,
        }),
    },
  )
  const address = loopback(number + 1)
  const context = { address, userAgent: '', requestId: 'seed', actor: null, at: services.now() }
  const bearer = await openSession(services, user, context, { methods: ['pwd'] })
  return { user, bearer, service: { ...service, client: clientFrom(address, url) } }
}

const expectStatus = async (answer: Promise<Answer>, status: number): Promise<Answer> => {
  const received = await answer
  if (received.status !== status) throw new Error(`${received.status} instead of ${status}: ${received.text}`)
  return received
}

const visitWithPassword = (member: Member): readonly MixedOperation[] => {
  const { client } = member.service
  let bearer = ''
  return [
    async () => {
      bearer = await signIn(member)
    },
    async () => {
      await expectStatus(client('GET', '/api/2/users/me', { bearer }), 200)
    },
    async () => {
      await expectStatus(client('POST', '/api/2/auth/logout', { bearer }), 204)
    },
  ]
}

const lookBriefly = (member: Member): readonly MixedOperation[] => visitWithPassword(member).slice(0, 2)

const signIn = async ({ user, service: { client } }: Member): Promise<string> => {
  const body = { username: user.username, password }
  return (await expectStatus(client('POST', '/api/2/auth/login', { body }), 200)).body.session_key
}

const useTicket = ({ service: { client }, bearer }: Member): readonly MixedOperation[] => {
  let body: unknown
  return [
    async () => {
      body = (await expectStatus(client('POST', '/api/2/auth/ticket', { bearer, body: {} }), 200)).body
    },
    async () => {
      await expectStatus(client('POST', '/api/2/auth/ticket/check', { body }), 200)
    },
  ]
}

const share = ({ service: { client }, bearer }: Member): readonly MixedOperation[] => {
  let token = ''
  return [
    async () => {
      const body = { bundles: [bundle()], email: `guest-${randomUUID()}@example.com` }
      token = (await expectStatus(client('POST', linksPath, { bearer, body }), 201)).body.token
    },
    async () => {
      await expectStatus(client('POST', `${linksPath}/redeem`, { body: { token } }), 200)
    },
  ]
}

const shareAndList = (member: Member): readonly MixedOperation[] => [
  ...share(member),
  async () => {
    const { service, bearer } = member
    await expectStatus(service.client('GET', linksPath, { bearer }), 200)
  },
]

const createApiToken = ({ service: { client }, bearer }: Member): readonly MixedOperation[] => [
  async () => {
    await expectStatus(client('POST', '/api/2/api-tokens', { bearer, body: { name: 'Sync' } }), 201)
  },
]

const signInThrough = async (
  provider: TestProvider,
  { user, service }: Member,
  at: number,
): Promise<void> => {
  await signInByConnection(service, provider, {
    nameId: `${user.username}@example.com`,
    sessionIndex: `at-${at}`,
  })
}

const resetPassword = ({ user, service: { client } }: Member): readonly MixedOperation[] => [
  async () => {
    const body = { username: user.username }
    await expectStatus(client('POST', '/api/2/auth/reset-password/request', { body }), 204)
  },
]

const editProfile = ({ user, bearer, service: { client } }: Member): readonly MixedOperation[] =>
  ['First', 'Second'].map((name) => async () => {
    const body = { full_name: `${name} ${user.id}` }
    await expectStatus(client('PATCH', '/api/2/users/me', { bearer, body }), 200)
  })

const administrate = ({ user, bearer, service: { client } }: Member): readonly MixedOperation[] =>
  Array.from({ length: 6 }, (_, at) => async () => {
    const username = `created-by-${user.id}-${at}`
    const body = { username, email: `${username}@example.com`, groups: [], permissions: [], fm_bookmarks: [] }
    await expectStatus(client('POST', '/api/2/users', { bearer, body }), 201)
  })
