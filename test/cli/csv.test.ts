import { randomUUID } from 'node:crypto'
import { hash } from 'bcryptjs'
import { afterAll, describe, expect, it } from 'vitest'
import { findUser, findUserIdByUsername } from '../../lib/accounts/users/find-users.records.ts'
import { useService } from '../support/use-service.ts'
import { environmentOf, makeFolder, refusalsOf, runUsers, signInAs } from './command.ts'

const service = await useService()
const folder = makeFolder()
afterAll(() => folder.remove())

const importCsv = async (content: string | Uint8Array) => {
  const file = folder.file(`${randomUUID()}.csv`, content)
  return { file, ...(await runUsers(['import', file, '--table', service.tableName], environmentOf())) }
}
const storedUser = async (username: string) => {
  const id = await findUserIdByUsername(service.services.table, username)
  return id === undefined ? undefined : findUser(service.services.table, id)
}
const uniqueName = (): string => `u${randomUUID().slice(0, 8)}`

const unclosedQuote =
  'Line 3 opens a quote that is never closed. Correct the line and run the command again.\n'

describe('a CSV file', () => {
  it('in another encoding is refused line by line, with one advice', async () => {
    const ended = await importCsv(Buffer.from('username\ncaf\xe9\n', 'latin1'))
    expect(ended.code).toBe(1)
    expect(ended.stdout).toMatch(/1 line refused[\s\S]*The file is not encoded as UTF-8\. Save it as UTF-8/)
  })

  it('is imported, also with a byte order mark and Windows line endings', async () => {
    const name = uniqueName()
    const ended = await importCsv(
      [
        '\u{feff}username,email,full_name,permissions,is_enabled,gid,ldap,password_hash',
        `${name}-1,${name}@example.com,"Lovelace, ""Ada""",users:view; media:access,TRUE,-7,"{""a"":\r\n[1]}",${await hash('a fine password', 4)}`,
        '',
        `"${name}-2",,,,false,,,`,
        `${name}-3,${name}@example.com,,,,,,`,
        `${name}-4,,,"[""users:view""]",,,,`,
      ].join('\r\n'),
    )
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect(ended.stdout).toMatch(/^3 users imported/)
    expect(await refusalsOf(ended.file)).toEqual([
      { line: 6, errors: [{ field: 'email', message: 'is the same as on line 2' }] },
    ])
    expect(await storedUser(`${name}-1`)).toMatchObject({
      full_name: 'Lovelace, "Ada"',
      permissions: ['media:access', 'users:view'],
      is_enabled: true,
      attributes: JSON.stringify({ gid: -7, ldap: { a: [1] } }),
    })
    expect(await storedUser(`${name}-2`)).toMatchObject({ email: null, full_name: null, is_enabled: false })
    expect(await storedUser(`${name}-4`)).toMatchObject({ permissions: ['users:view'] })
    expect((await signInAs(service, `${name}-1`, 'a fine password')).status).toBe(200)
  })

  it('has its invalid rows refused with their line numbers', async () => {
    const name = uniqueName()
    const ended = await importCsv(
      Buffer.concat([
        Buffer.from('username,full_name,groups,is_enabled,gid\n'),
        Buffer.from(`${name}-1,,"[\n]",,\n`),
        Buffer.from('few,cells\n\n'),
        Buffer.from('many,cells,,,,,\n'),
        Buffer.from('caf\xe9,,,,\n', 'latin1'),
        Buffer.from('a"quote,,,,\n'),
        Buffer.from(`typed,,editors;4711,maybe,1e3\n`),
        Buffer.from(`long,${'x'.repeat(70_000)},,,\n`),
        Buffer.from(`,,,,\n`),
        Buffer.from(`list,,[1,,\n`),
        Buffer.from(`${name}-2,,,,\n`),
      ]),
    )
    expect(ended.stdout).toMatch(/^2 users imported/)
    const refusals = await refusalsOf(ended.file)
    expect(refusals).toEqual([
      { line: 4, errors: [{ field: 'line', message: 'has 2 cells, but the first line has 5' }] },
      { line: 6, errors: [{ field: 'line', message: 'has 7 cells, but the first line has 5' }] },
      { line: 7, errors: [{ field: 'username', message: 'is not valid UTF-8' }] },
      { line: 8, errors: [{ field: 'line', message: 'has a quote inside a cell that is not quoted' }] },
      {
        line: 9,
        errors: [
          { field: 'is_enabled', message: 'must be true or false' },
          { field: 'gid', message: 'must be a number' },
          { field: 'groups.0', message: 'is not the name of a group' },
          { field: 'groups', message: 'contains unknown group IDs: 4711' },
        ],
      },
      { line: 10, errors: [{ field: 'line', message: 'is longer than 65536 characters' }] },
      { line: 11, errors: [{ field: 'username', message: 'is required' }] },
      { line: 12, errors: [{ field: 'groups', message: expect.stringContaining('is not valid JSON') }] },
    ])
    expect(await storedUser(`${name}-2`)).toBeDefined()
  })

  it('has a row refused whose values do not fit into a record', async () => {
    // Fewer characters than a row may have, in more bytes than the fields of published clients may have.
    const bookmark = '…'.repeat(45_000)
    const ended = await importCsv(`username,fm_bookmarks\n${uniqueName()},${bookmark}\n`)
    expect(ended.stdout).toMatch(/^0 users imported/)
    expect(await refusalsOf(ended.file)).toEqual([
      { line: 2, errors: [{ field: 'fm_bookmarks', message: expect.stringContaining('is too long') }] },
    ])
  })

  it('with a quote that is never closed is refused, after the rows before it', async () => {
    const name = uniqueName()
    const ended = await importCsv(`username,full_name\n${name},\nopen,"quote\n${name}-2,\n`)
    expect(ended).toMatchObject({ code: 2, stderr: unclosedQuote })
    expect(ended.stdout).toMatch(/^1 user imported/)
    expect(await storedUser(name)).toBeDefined()
    expect(await storedUser(`${name}-2`)).toBeUndefined()
  })

  it('with a quote that swallows a large file is refused without reading it all', async () => {
    const name = uniqueName()
    const ended = await importCsv(`username\n${name}\n"open\n${'x\n'.repeat(2_000_000)}`)
    expect(ended).toMatchObject({ code: 2, stderr: unclosedQuote })
    expect(await storedUser(name)).toBeDefined()
  })

  const hash12 = `$2b$12$${'a'.repeat(53)}`
  it.each([
    ['without content', '', 'The first line must have the column names'],
    ['without column names', `ada,ada@example.com,${hash12}\n`, 'The first line must have the column names'],
    ['with semicolons', 'username;email\nada;a@b.c\n', 'It has semicolons in place of commas.'],
    ['with tabs', 'username\temail\nada\ta@b.c\n', 'It has tabs in place of commas.'],
    ['with other names', 'Username,E-Mail\nada,a@b.c\n', 'Write username in place of "Username".'],
    ['with a duplicate column', 'username,email,email\n', 'The first line has duplicate columns: "email".'],
    [
      'with a misspelled column',
      'username,pasword_hash\n',
      'The first line has unknown columns: "pasword_hash".',
    ],
  ])('%s is refused, and its content is not shown', async (_, content, sentence) => {
    const ended = await importCsv(content)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(sentence)
    expect(ended.stderr).not.toMatch(/ada|\$2b/)
  })
})
