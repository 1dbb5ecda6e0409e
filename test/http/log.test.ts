import { describe, expect, it } from 'vitest'
import { createLog } from '../../lib/core/log.ts'
import { mintCredential } from '../../lib/secrets/credentials.ts'

const logged = (fields: Record<string, unknown>) => {
  const lines: string[] = []
  createLog('info', (line) => lines.push(line)).info('event', fields)
  return lines.join('')
}

describe('the log', () => {
  it('leaves out what has a telling name, at any depth', () => {
    const line = logged({
      password: 'one-secret',
      nested: { session_key: 'two-secret', deeper: [{ Authorization: 'three-secret' }] },
      user: 7,
    })
    expect(line).not.toMatch(/(one|two|three)-secret/)
    expect(JSON.parse(line)).toMatchObject({ event: 'event', user: 7, password: '[redacted]' })
  })

  it('masks credentials and password hashes in any text, an error’s and its cause’s too', () => {
    const { value } = mintCredential('session', 5)
    const hash = `$2b$12$${'a'.repeat(53)}`
    const error = new Error(`failed for ${value}`, { cause: new Error(`hash ${hash}`) })
    const line = logged({ note: `Bearer ${value} came`, list: [hash], error })
    expect(line).not.toContain(value.slice(4, 20))
    expect(line).not.toContain('aaaaaaaaaa')
    expect(JSON.parse(line).error.cause.message).toBe('hash [redacted]')
  })

  it('writes one line an event, and none below its level', () => {
    const lines: string[] = []
    const log = createLog('warn', (line) => lines.push(line))
    log.info('quiet')
    log.warn('two\nlines', { text: 'a\nb' })
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('\n')
  })
})
