import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { JsonValue } from '../../support/client.ts'
import { addSignedIn } from '../../support/people.ts'
import { type Answered, type Call, once, type Row, type World } from '../row.ts'
import { statusOf } from './people.ts'

/** Signs in a user who has three API tokens. */
const addTokens = async ({ service }: World): Promise<Call> => {
  const { bearer } = await addSignedIn(service)
  const context: JsonValue[] = []
  for (const name of ['b', 'c', 'a']) {
    const { body } = await service.client('POST', '/api/2/api-tokens', { bearer, body: { name } })
    context.push(body)
  }
  return { bearer, context }
}

const addToken = async (world: World): Promise<Call> => {
  const { bearer, context } = await addTokens(world)
  return { ...(bearer !== undefined && { bearer }), path: { id: context[0].id }, context: context[0] }
}

const namesOf = ({ body }: Answered): string[] => body.map(({ name }: JsonValue) => name)

/** With the characters of base64 that URLs escape. */
const chosenValue = () => `+/${randomBytes(32).toString('base64')}`

export const apiTokenRows: readonly Row[] = [
  {
    npm: 'AuthApi.getAllAPITokens',
    python: 'AuthApi.get_all_api_tokens',
    returns: 'APIToken[]',
    arrange: once(addTokens),
    expect: (answered) => expect(namesOf(answered)).toEqual(['b', 'c', 'a']),
    optional: {
      name: { value: 'c', expect: (answered) => expect(namesOf(answered)).toEqual(['c']) },
      ordering: { value: '-name', expect: (answered) => expect(namesOf(answered)).toEqual(['c', 'b', 'a']) },
      limit: { value: 2, expect: (answered) => expect(namesOf(answered)).toEqual(['b', 'c']) },
      offset: { value: 1, expect: (answered) => expect(namesOf(answered)).toEqual(['c', 'a']) },
    },
  },
  {
    npm: 'AuthApi.createAPIToken',
    python: 'AuthApi.create_api_token',
    required: ['name'],
    returns: 'APITokenWithSecret',
    status: 201,
    arrange: async ({ service }) => ({
      bearer: (await addSignedIn(service)).bearer,
      body: { name: 'Überwachung' },
    }),
    expect: async ({ world, body }) => {
      expect(body.name).toBe('Überwachung')
      expect(await statusOf(world, 'GET', '/api/2/users/me', body.token)).toBe(200)
    },
    optional: {
      token: {
        value: chosenValue,
        expect: async ({ world, call, body }) => {
          expect(body.token).toBe(call.body?.['token'])
          expect(await statusOf(world, 'GET', '/api/2/users/me', body.token)).toBe(200)
        },
      },
    },
  },
  {
    npm: 'AuthApi.getAPIToken',
    python: 'AuthApi.get_api_token',
    required: ['id'],
    returns: 'APIToken',
    arrange: addToken,
    expect: ({ call, body }) => expect(body.id).toBe(call.context.id),
  },
  {
    npm: 'AuthApi.updateAPIToken',
    python: 'AuthApi.update_api_token',
    required: ['id', 'name'],
    returns: 'APIToken',
    arrange: async (world) => ({ ...(await addToken(world)), body: { name: 'renamed' } }),
    expect: ({ body }) => expect(body.name).toBe('renamed'),
  },
  {
    npm: 'AuthApi.patchAPIToken',
    python: 'AuthApi.patch_api_token',
    required: ['id'],
    returns: 'APIToken',
    arrange: async (world) => ({ ...(await addToken(world)), body: {} }),
    expect: ({ call, body }) => expect(body.name).toBe(call.context.name),
    optional: {
      name: { value: randomUUID, expect: ({ call, body }) => expect(body.name).toBe(call.body?.['name']) },
    },
  },
  {
    npm: 'AuthApi.deleteAPIToken',
    python: 'AuthApi.delete_api_token',
    required: ['id'],
    returns: null,
    arrange: addToken,
    expect: async ({ world, call }) =>
      expect(await statusOf(world, 'GET', '/api/2/users/me', call.context.token)).toBe(401),
  },
]
