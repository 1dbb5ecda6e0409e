import { describe, expect, it } from 'vitest'
import { buildMetricFields, createLog, PublicText } from '../../lib/kernel/log/log.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'

const logFields = (fields: Record<string, unknown>) => {
  const lines: string[] = []
  createLog('info', (line) => lines.push(line)).info('event', fields)
  return lines.join('')
}

describe('the log', () => {
  it('redacts values whose name suggests a secret, at any depth', () => {
    const line = logFields({
      password: 'one-secret',
      nested: { session_key: 'two-secret', deeper: [{ Authorization: 'three-secret' }] },
      user: 7,
    })
    expect(line).not.toMatch(/(one|two|three)-secret/)
    expect(JSON.parse(line)).toMatchObject({ event: 'event', user: 7, password: '[redacted]' })
  })

  it('masks credentials and password hashes in any text, including errors and their causes', () => {
    const { value } = mintCredential('session', 5)
    const hash = `$2b$12$${'a'.repeat(53)}`
    const jwt = `eyJ${'b'.repeat(40)}.${'c'.repeat(40)}.${'d'.repeat(40)}`
    const error = new Error(`failed for ${value}`, { cause: new Error(`hash ${hash}`) })
    const line = logFields({ note: `Bearer ${value} came`, list: [hash, jwt], error })
    expect(line).not.toContain(value.slice(4, 20))
    expect(line).not.toMatch(/aaaaaaaaaa|bbbbb|ccccc|ddddd/)
    expect(JSON.parse(line).error.cause.message).toBe('hash [redacted]')
  })

  it('masks a credential that is cut off or goes on', () => {
    const { value } = mintCredential('reset_token', 5)
    const texts = [
      value.slice(0, 12),
      `${value.slice(0, 30)}… came`,
      `${value.slice(0, 30)}... came`,
      `${value}x.`,
    ]
    expect(JSON.parse(logFields({ texts })).texts).toEqual([
      '[redacted]',
      '[redacted]… came',
      '[redacted]... came',
      '[redacted].',
    ])
  })

  it('keeps what only begins like a credential', () => {
    const texts = ['5:ab-lks_0123456789abcdef-gh', 'lkb_0123456789abcdef', 'lks_short']
    expect(JSON.parse(logFields({ texts })).texts).toEqual(texts)
  })

  it('keeps a public text as it is, except under a name that suggests a secret', () => {
    const { value } = mintCredential('session', 5)
    const text = new PublicText(value)
    expect(JSON.parse(logFields({ statement: text, nested: { list: [text], token: text } }))).toMatchObject({
      statement: value,
      nested: { list: [value], token: '[redacted]' },
    })
  })

  it('writes one line per event and nothing below its level', () => {
    const lines: string[] = []
    const log = createLog('warn', (line) => lines.push(line))
    log.info('quiet')
    log.warn('two\nlines', { text: 'a\nb' })
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('\n')
  })

  it.each([
    { level: 'error', written: 1 },
    { level: 'silent', written: 0 },
  ] as const)('writes $written metrics at the level $level', ({ level, written }) => {
    const lines: string[] = []
    const fields = buildMetricFields('LoginFailed', { config: { tableName: 'table' }, now: () => 5 })
    createLog(level, (line) => lines.push(line)).info('login.failed', fields)
    expect(lines).toHaveLength(written)
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ LoginFailed: 1, Table: 'table', _aws: { Timestamp: 5 } })
  })
})
