import { expect } from 'vitest'
import type { JsonValue } from '../../support/client.ts'
import { bundle, directory, linksPath, objectId } from '../../support/links.ts'
import { addSharer, newAddress } from '../../support/mailed-links.ts'
import { addPerson } from '../../support/people.ts'
import { type Answered, type Call, once, type Row, type World } from '../row.ts'
import { statusOf } from './people.ts'

const post = async ({ service }: World, bearer: string, body: object): Promise<JsonValue> =>
  (await service.client('POST', linksPath, { bearer, body })).body

/** A user with three links: to a bundle with an asset, to a bundle for another user, and to a directory. */
const addLinks = async (world: World): Promise<Call> => {
  const { user, bearer } = await addSharer(world.service)
  const recipient = await addPerson(world.service)
  const asset = objectId()
  const links = [
    await post(world, bearer, { bundles: [bundle({ asset })], view_limit: 3 }),
    await post(world, bearer, { bundles: [bundle()], user: recipient.user.id }),
    await post(world, bearer, { directories: [directory()], expires: '2099-01-01T00:00:00Z' }),
  ]
  return { bearer, context: { links, asset, creator: user.id, recipient: recipient.user.id } }
}

/** A link that matches every filter. */
const addLink = async (world: World): Promise<Call> => {
  const { user, bearer } = await addSharer(world.service)
  const recipient = await addPerson(world.service, { email: newAddress() })
  const asset = objectId()
  const link = await post(world, bearer, {
    bundles: [bundle({ asset })],
    directories: [directory()],
    user: recipient.user.id,
  })
  const { email, id } = recipient.user
  return { bearer, context: { links: [link], link, asset, creator: user.id, recipient: id, email } }
}

const byId = async (world: World): Promise<Call> => {
  const call = await addLink(world)
  return { ...call, path: { id: call.context.link.id } }
}

const expectLinks =
  (...wanted: readonly number[]) =>
  ({ call, body }: Answered): void =>
    expect(body.map(({ id }: JsonValue) => id)).toEqual(wanted.map((at) => call.context.links[at].id))

/** The filters, with the links of the list that match each. */
const filters = (matched: Readonly<Record<string, readonly number[]>>) =>
  Object.fromEntries(
    Object.entries({
      shared_bundles: ({ context }: Call) => `${context.links[0].shared_bundles[0].id},${objectId()}`,
      shared_directories: ({ context }: Call) => String(context.links.at(-1).shared_directories[0].id),
      shared_bundles__asset: ({ context }: Call) => context.asset,
      user: ({ context }: Call) => context.recipient,
      created_by: ({ context }: Call) => context.creator,
    }).map(([name, value]) => [name, { value, expect: expectLinks(...(matched[name] ?? [])) }]),
  )

const expectFound = ({ call, body }: Answered): void => expect(body.id).toBe(call.context.link.id)

export const linkRows: readonly Row[] = [
  {
    npm: 'AuthApi.getAllAccessTokens',
    python: 'AuthApi.get_all_access_tokens',
    returns: 'OneTimeAccessToken[]',
    arrange: once(addLinks),
    expect: expectLinks(0, 1, 2),
    optional: {
      ...filters({
        shared_bundles: [0],
        shared_directories: [2],
        shared_bundles__asset: [0],
        user: [1],
        created_by: [0, 1, 2],
      }),
      ordering: { value: '-created_at', expect: expectLinks(2, 1, 0) },
      limit: { value: 2, expect: expectLinks(0, 1) },
      offset: { value: 1, expect: expectLinks(1, 2) },
    },
  },
  {
    npm: 'AuthApi.getAccessToken',
    python: 'AuthApi.get_access_token',
    required: ['id'],
    returns: 'OneTimeAccessToken',
    arrange: byId,
    expect: expectFound,
  },
  {
    python: 'AuthApi.get_access_token_by_value',
    required: ['token'],
    returns: 'RestrictedOneTimeAccessToken',
    arrange: once(async (world) => {
      const { context } = await addLink(world)
      return { path: { token: context.link.token }, context }
    }),
    expect: expectFound,
    optional: {
      shared_bundles: {
        value: ({ context }: Call) => context.link.shared_bundles[0].id,
        expect: expectFound,
      },
      shared_directories: {
        value: ({ context }: Call) => context.link.shared_directories[0].id,
        expect: expectFound,
      },
      shared_bundles__asset: { value: ({ context }: Call) => context.asset, expect: expectFound },
      user: { value: ({ context }: Call) => context.recipient, expect: expectFound },
      created_by: { value: ({ context }: Call) => context.creator, expect: expectFound },
      ordering: { value: '-expires', expect: expectFound },
      limit: { value: 1, expect: expectFound },
      offset: { value: 1, expect: expectFound },
    },
  },
  {
    python: 'AuthApi.get_access_token_media_library_permissions',
    required: ['id'],
    returns: 'MediaRootPermission[]',
    arrange: byId,
    expect: ({ body }) => expect(body).toMatchObject([{ root: 7 }]),
  },
  {
    npm: 'AuthApi.sendAccessTokenEmailNotification',
    python: 'AuthApi.send_access_token_email_notification',
    required: ['id'],
    returns: null,
    arrange: async (world) => ({ ...(await byId(world)), body: {} }),
    expect: async ({ world, call }) => {
      const { text } = await world.service.mailbox.mailTo(call.context.email)
      expect(text).toContain(call.context.link.token)
    },
    optional: {
      email: {
        value: newAddress,
        expect: async ({ world, call }) => {
          const { to } = await world.service.mailbox.mailTo(String(call.body?.['email']))
          expect(to).toEqual([call.body?.['email']])
        },
      },
      subject: {
        value: 'Bitte prüfen',
        expect: async ({ world, call }) =>
          expect((await world.service.mailbox.mailTo(call.context.email)).subject).toContain('Bitte prüfen'),
      },
      text: {
        value: 'The second cut.',
        expect: async ({ world, call }) =>
          expect((await world.service.mailbox.mailTo(call.context.email)).text).toContain('The second cut.'),
      },
    },
  },
  {
    npm: 'AuthApi.deleteAccessToken',
    python: 'AuthApi.delete_access_token',
    required: ['id'],
    returns: null,
    arrange: byId,
    expect: async ({ world, call }) =>
      expect(await statusOf(world, 'GET', `${linksPath}/${call.context.link.id}`, call.bearer)).toBe(404),
  },
]
