import { randomUUID } from 'node:crypto'
import type { Answer, JsonValue } from './client.ts'
import { addSignedIn, type SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'

/** Adds a signed-in person who may share, with a name and an email address. */
export const addSharer = (
  service: TestService,
  fields: Parameters<typeof addSignedIn>[1] = {},
): Promise<SignedInPerson> =>
  addSignedIn(service, {
    permissions: ['media:access'],
    full_name: 'Grace Hopper',
    email: `grace-${randomUUID()}@example.com`,
    ...fields,
  })

export const newAddress = (): string => `ann-${randomUUID()}@example.com`

/** Creates a link. Its recipient is a new guest with an email address, unless the fields say otherwise. */
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

/** Sends the email of a link. */
export const mailLink = (
  { client }: TestService,
  { bearer }: Pick<SignedInPerson, 'bearer'>,
  linkId: number,
  body: unknown = {},
): Promise<Answer> => client('POST', `/api/2/auth/access-tokens/${linkId}/email`, { bearer, body })
