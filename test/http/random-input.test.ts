import { request } from 'node:http'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { corpusSize } from '../support/corpus-size.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })

it('responds to random bodies with a status below 500 and keeps working', async () => {
  const json = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.object().map((value) => JSON.stringify(value)),
    fc
      .record({
        username: fc.anything(),
        password: fc.anything(),
        otp: fc.anything(),
        new_password: fc.anything(),
      })
      .map(
        (value) =>
          JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '',
      ),
  )
  const route = fc.constantFrom(
    ['POST', '/api/2/auth/login'],
    ['POST', '/api/2/auth/ticket/check'],
    ['POST', '/api/2/users'],
    ['PATCH', '/api/2/users/me'],
    ['PUT', '/api/2/users/me'],
    ['POST', '/api/2/users/2147483647/password'],
  )
  await fc.assert(
    fc.asyncProperty(route, json, async ([method = '', path = ''], raw) => {
      const answer = await service.client(method, path, { raw, bearer })
      expect(answer.status).toBeLessThan(500)
      expect(answer.status).toBeGreaterThanOrEqual(200)
    }),
    { numRuns: corpusSize(120) },
  )
  expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(200)
})

it('responds to random paths and queries with a status below 500', async () => {
  const piece = fc.stringMatching(/^[ -~]{0,12}$/)
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 4 }), piece, async (pieces, query) => {
      const path = `/api/2/users/${pieces.join('/')}?${query}`.replaceAll(' ', '+').replaceAll('#', '%23')
      const status = await requestRawPath(path)
      expect(status).toBeGreaterThanOrEqual(200)
      expect(status).toBeLessThan(500)
    }),
    { numRuns: corpusSize(120) },
  )
})

/** Sends the path unchanged. `fetch` would normalize it. */
const requestRawPath = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      service.url,
      { path, headers: { authorization: `Bearer ${bearer}` } },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    sent.on('error', reject).end()
  })
