import { expect } from 'vitest'
import { addSignedIn } from '../../support/people.ts'
import { type Arrange, once, type Row, type Trial } from '../row.ts'

const signIn: Arrange = async ({ service }) => {
  const { user, bearer } = await addSignedIn(service, { full_name: 'Before' })
  return { bearer, context: user }
}

const withBody: Arrange = async (world) => ({ ...(await signIn(world)), body: {} })

/** A profile is not a list, but clients send the parameters of one. */
const ignored = (value: unknown): Trial => ({
  value,
  expect: ({ call, body }) => expect(body.id).toBe(call.context.id),
})

const stored = (field: string, value: unknown): Trial => ({
  value,
  expect: ({ call, body }) => expect(body[field]).toEqual(call.body?.[field]),
})

const fields: Readonly<Record<string, Trial>> = {
  default_page: stored('default_page', '/reviews'),
  full_name: stored('full_name', 'Zoë'),
  language: stored('language', 'fr'),
  fm_bookmarks: stored('fm_bookmarks', ['/x']),
  avatar: {
    value: 'data:image/png;base64,AA==',
    only: 'npm',
    expect: ({ body }) => expect(body.avatar).toBeNull(),
  },
}

export const profileRows: readonly Row[] = [
  {
    npm: 'MainApi.getProfile',
    python: 'MainApi.get_profile',
    returns: 'ServiceUserProfile',
    arrange: once(signIn),
    expect: ({ call, body }) => expect(body.username).toBe(call.context.username),
    optional: { ordering: ignored('username'), limit: ignored(10), offset: ignored(20) },
  },
  {
    npm: 'MainApi.patchProfile',
    python: 'MainApi.patch_profile',
    returns: 'ServiceUserProfile',
    arrange: withBody,
    expect: ({ body }) => expect(body.full_name).toBe('Before'),
    optional: fields,
  },
  {
    npm: 'MainApi.updateProfile',
    python: 'MainApi.update_profile',
    returns: 'ServiceUserProfile',
    arrange: withBody,
    expect: ({ body }) => expect(body.full_name).toBeNull(),
    optional: fields,
  },
]
