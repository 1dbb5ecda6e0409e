import { expect } from 'vitest'
import type { JsonValue } from '../../support/client.ts'
import { bundle, directory, linksPath, objectId } from '../../support/links.ts'
import { addSharer, newAddress } from '../../support/mailed-links.ts'
import { addPerson } from '../../support/people.ts'
import { type Arrange, type Call, type Check, once, type Row } from '../row.ts'
import { statusOf } from './people.ts'

const expires = '2099-06-30T12:00:00.000Z'

/** The npm client requires both fields, and writes all permissions that it is given. */
const share: Arrange = async ({ service }) => {
  const { bearer } = await addSharer(service)
  const { user } = await addPerson(service)
  const body = { expires, permissions: { allow_read: true, show_comments: true }, bundles: [objectId()] }
  return { bearer, body, context: { recipient: user.id } }
}

/** A user who shares one object by easy sharing. */
const shareEasily =
  (field: 'bundles' | 'directories', object: () => object): Arrange =>
  async ({ service }) => {
    const { bearer } = await addSharer(service)
    const shared = object()
    const { body } = await service.client('POST', linksPath, {
      bearer,
      body: { [field]: [shared], is_easy_sharing: true },
    })
    const { id } = body[field === 'bundles' ? 'shared_bundles' : 'shared_directories'][0]
    return { bearer, path: { id }, context: body }
  }

const shareBundle = shareEasily('bundles', bundle)
const shareDirectory = shareEasily('directories', directory)

const expectFound: Check = ({ call, body }) => expect(body.id).toBe(call.context.id)

const expectDeleted: Check = async ({ world, call }) =>
  expect(await statusOf(world, 'GET', `${linksPath}/${call.context.id}`, call.bearer)).toBe(404)

export const sharingRows: readonly Row[] = [
  {
    npm: 'MediaLibraryApi.shareMediaLibraryObjects',
    python: 'MediaLibraryApi.share_media_library_objects',
    required: ['expires', 'permissions', 'bundles'],
    returns: 'OneTimeAccessToken',
    status: 201,
    arrange: share,
    expect: ({ call, body }) => {
      expect(body.expires).toBe(expires)
      expect(body.shared_bundles.map(({ id }: JsonValue) => id)).toEqual(call.body?.['bundles'])
    },
    optional: {
      expires: {
        value: expires,
        python: '2099-06-30T12:00:00',
        expect: ({ body }) => expect(body.expires).toBe(expires),
      },
      directories: {
        value: () => [objectId(), objectId()],
        expect: ({ call, body }) =>
          expect(body.shared_directories.map(({ id }: JsonValue) => id)).toEqual(call.body?.['directories']),
      },
      view_limit: { value: 3, expect: ({ body }) => expect(body.view_limit_left).toBe(3) },
      user: {
        value: ({ context }: Call) => context.recipient,
        alone: true,
        expect: ({ call, body }) => expect(body.user.id).toBe(call.context.recipient),
      },
      email: {
        value: newAddress,
        expect: ({ call, body }) => expect(body.user.email).toBe(call.body?.['email']),
      },
      link_type: { value: 'default' },
      password: { value: 'Only for friends' },
    },
  },
  {
    npm: 'MediaLibraryApi.getEasySharingTokenForBundle',
    python: 'MediaLibraryApi.get_easy_sharing_token_for_bundle',
    required: ['id'],
    returns: 'OneTimeAccessToken',
    arrange: once(shareBundle),
    expect: expectFound,
  },
  {
    npm: 'MediaLibraryApi.deleteEasySharingTokenForBundle',
    python: 'MediaLibraryApi.delete_easy_sharing_token_for_bundle',
    required: ['id'],
    returns: null,
    arrange: shareBundle,
    expect: expectDeleted,
  },
  {
    npm: 'MediaLibraryApi.getEasySharingTokenForDirectory',
    python: 'MediaLibraryApi.get_easy_sharing_token_for_directory',
    required: ['id'],
    returns: 'OneTimeAccessToken',
    arrange: once(shareDirectory),
    expect: expectFound,
  },
  {
    npm: 'MediaLibraryApi.deleteEasySharingTokenForDirectory',
    python: 'MediaLibraryApi.delete_easy_sharing_token_for_directory',
    required: ['id'],
    returns: null,
    arrange: shareDirectory,
    expect: expectDeleted,
  },
]
