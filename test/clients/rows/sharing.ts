import { expect } from 'vitest'
import type { JsonValue } from '../../support/client.ts'
import { objectId } from '../../support/links.ts'
import { addSharer, newAddress } from '../../support/mailed-links.ts'
import { addPerson } from '../../support/people.ts'
import type { Arrange, Call, Row } from '../row.ts'

const expires = '2099-06-30T12:00:00.000Z'

/** The npm client requires both fields, and writes all permissions that it is given. */
const share: Arrange = async ({ service }) => {
  const { bearer } = await addSharer(service)
  const { user } = await addPerson(service)
  const body = { expires, permissions: { allow_read: true, show_comments: true }, bundles: [objectId()] }
  return { bearer, body, context: { recipient: user.id } }
}

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
]
