import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toListReply } from '../../lib/http/paging.ts'
import { readConfig } from '../../lib/kernel/settings/config.ts'
import { maxResultBytes } from '../../local/gateway/request-head.ts'

const config = readConfig({ TABLE_NAME: 'table', PUBLIC_URL: 'https://auth.example.com', MAIL_FROM: '' })
const request = {
  query: { limit: 1000, offset: 0, ordering: { descending: false } },
  principal: undefined,
  target: { path: '/api/2/users', rawQuery: 'limit=1000' },
}

/** Characters that take between one and six bytes in the result of a function. */
const character = fc.constantFrom('x', '"', '\\', '\n', '\u0001', '\ud800', 'é', '🔑')

it('a page of any rows fits into the result of a function, and the next page continues after it', () => {
  const row = fc.record({ character, count: fc.integer({ min: 0, max: 60_000 }) })
  fc.assert(
    fc.property(fc.array(row, { minLength: 40, maxLength: 80 }), (rows) => {
      const all = rows.map(({ character: text, count }, at) => ({
        indexKey: String(at),
        row: { id: at, text: text.repeat(count) },
      }))
      const { headers, body } = toListReply(request, config, { rows: all })
      const result = { statusCode: 200, headers, body: JSON.stringify(body), isBase64Encoded: false }
      expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(maxResultBytes - 64 * 1024)
      expect(body).toEqual(all.slice(0, body.length).map((entry) => entry.row))
      expect(body.length).toBeGreaterThan(0)
      expect(headers['link'] !== undefined).toBe(body.length < all.length)
    }),
    { numRuns: 6 },
  )
})
