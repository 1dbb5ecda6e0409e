import { randomUUID } from 'node:crypto'
import type { Answer, JsonValue } from './client.ts'
import { addSignedIn, type SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'

/** Somebody who may share, with a name and an address. */
export const addSharer = (
  service: TestService,
  fields: Parameters<typeof addSignedIn>[1] = {},
): Promise<SignedInPerson> =>
  addSignedIn(service, {
    permissions: ['media:access'],
    fullName: 'Grace Hopper',
    email: `grace-${randomUUID()}@example.com`,
    ...fields,
  })

export const newAddress = (): string => `ann-${randomUUID()}@example.com`

/** Makes a link; for a new guest with an address, unless the fields name somebody else. */
export const shareLink = async (
  { client }: TestService,
  { bearer }: Pick<SignedInPerson, 'bearer'>,
  fields: object = { email: newAddress() },
): Promise<JsonValue> => {
  const answer = await client('POST', '/api/2/auth/access-tokens', {
    bearer,
    body: { bundles: [{ id: 1, name: 'Holiday 2026', root: 1, path: '/holiday' }], ...fields },
  })
  if (answer.status !== 201) throw new Error(`the link was not created: ${answer.text}`)
  return answer.body
}

/** Has a link mailed. */
export const mailLink = (
  { client }: TestService,
  { bearer }: Pick<SignedInPerson, 'bearer'>,
  linkId: number,
  body: unknown = {},
): Promise<Answer> => client('POST', `/api/2/auth/access-tokens/${linkId}/email`, { bearer, body })
