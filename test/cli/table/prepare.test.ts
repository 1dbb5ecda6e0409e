import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { findAdoptionProblems } from '../../../infra/parts/adoption.ts'
import { createTable } from '../../../local/dynamodb.ts'
import { closeAfterTests } from '../../support/close-after-tests.ts'
import {
  tableKeyArn as keyArn,
  startTableControl,
  restoredStreamArn as streamArn,
} from '../../support/table-control.ts'
import { runTable } from '../command.ts'

const stub = closeAfterTests(await startTableControl())
beforeEach(() => stub.reset())

const environment = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'operator',
  AWS_SECRET_ACCESS_KEY: 'secret',
}
const prepare = (...args: readonly string[]) =>
  runTable(['prepare', '--table', 'Restored', ...args], { ...environment, DYNAMODB_ENDPOINT: stub.url })

describe('a restored table', () => {
  it('is shown as it is in a dry run, without a change', async () => {
    const { code, stdout } = await prepare('--dry-run', '--replaced', 'Replaced')
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'stream of keys',
        'expiry',
        'point-in-time recovery',
        'deletion protection',
        'tags of the replaced table',
      ]
        .map((name) => `${name}: would be turned on\n`)
        .join(''),
    )
    expect(stub.state.changes).toEqual([])
  })

  it('gets everything that it lacks, and settings for a valid adoption', async () => {
    const { code, stdout } = await prepare('--replaced', 'Replaced')
    expect(code).toBe(0)
    expect(stub.state.table).toMatchObject({
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      DeletionProtectionEnabled: true,
    })
    expect(stub.state.expiry.AttributeName).toBe('expires_at')
    expect(stub.state.tags).toEqual([{ Key: 'team', Value: 'accounts' }])
    const settings = JSON.parse(stdout.slice(stdout.indexOf('{')))
    expect(settings).toEqual({ table: { name: 'Restored', streamArn, keyArn } })
    expect(findAdoptionProblems(settings, 'eu-west-1')).toEqual([])
    stub.state.changes = []
    expect((await prepare('--replaced', 'Replaced')).stdout).toMatch(/^(?:[a-z -]+: was on\n){5}/)
    expect(stub.state.changes).toEqual([])
  })

  it.each([
    [{ KeySchema: [{ AttributeName: 'id' }] }, 'is not a table of Latchkey: its keys are id.'],
    [{ GlobalSecondaryIndexes: [] }, 'has no index listing.'],
    [{ StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }, 'password hashes'],
  ])('is refused if a service could not use it safely: %j', async (change, sentence) => {
    Object.assign(stub.state.table, change)
    expect(await prepare()).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
    expect(stub.state.changes).toEqual([])
  })
})

it('can be created for a service that moves, and not in place of another one', async () => {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
  const name = `latchkey-${randomUUID()}`
  await createTable(endpoint, name)
  const env = { ...environment, AWS_REGION: 'local', DYNAMODB_ENDPOINT: endpoint }
  const { code, stderr } = await runTable(['prepare', '--table', name, '--create-with-key', keyArn], env)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('ResourceInUseException') })
  expect((await prepare('--create-with-key', keyArn, '--dry-run')).stdout).toBe('table: would be created\n')
  expect(stub.state.changes).toEqual([])
})
