import { fork } from 'node:child_process'
import { once } from 'node:events'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { writeCallBody } from '../lib/kernel/table/call-body.ts'
import { TableClient } from '../lib/kernel/table/table-client.ts'
import { cpuMsOf, medianOf } from '../test/support/cpu-time.ts'
import { textTable } from '../test/support/text-table.ts'

/*
 * `npm run bench -- --calls` compares the CPU time of one read with different clients. Another process responds, always
 * with the same item, so that no engine counts.
 */

const key = { pk: 'session#c29tZSBzZXNzaW9u', sk: 'session' }
const item = {
  ...key,
  user_id: 42,
  created_at: 1_790_000_000_000,
  expires_at: 1_790_086_400,
  last_used_at: 1_790_000_100_000,
  address: '192.0.2.1',
  device: 'Firefox on Linux',
  authentication: { at: 1_790_000_000_000, methods: ['pwd', 'otp'] },
  clients: ['media-library'],
}
const input = { TableName: 'table', Key: key, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' } as const

const rounds = 15
const callsPerRound = 1000
const inFlight = 16

const callMany = async (call: () => Promise<unknown>, count: number): Promise<void> => {
  let left = count
  const callNext = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: inFlight }, callNext))
}

/** Prints the median CPU time of each client, measured by turns. */
export const benchTableCalls = async (): Promise<void> => {
  const responder = fork(new URL('./respond-always.ts', import.meta.url))
  responder.send(writeCallBody({ Item: item }))
  const endpoint = String((await once(responder, 'message'))[0])
  // In Lambda, the session token is one of the longest parts of what is signed.
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'x'.repeat(700),
  })
  const marshallOptions = { removeUndefinedValues: true }
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }), { marshallOptions })
  const own = new TableClient({ endpoint })
  const local = new TableClient({ endpoint, isEmbeddedEngine: true })
  const clients: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["the SDK's document client", () => documents.send(new GetCommand(input))],
    ['TableClient', () => own.send('GetItem', input)],
    ['TableClient, embedded engine', () => local.send('GetItem', input)],
  ]
  const measured = clients.map(([name, call]) => ({ name, call, times: [] as number[] }))
  for (const { call } of measured) await callMany(call, callsPerRound)
  for (let round = 0; round < rounds; round++)
    for (const { call, times } of measured)
      times.push((await cpuMsOf(() => callMany(call, callsPerRound))) / callsPerRound)
  const [base = Number.NaN] = measured.map(({ times }) => medianOf(times))
  process.stdout.write(
    `CPU time of a read of one item, ${inFlight} in flight (median of ${rounds} rounds of ${callsPerRound}, by turns).\n\n`,
  )
  process.stdout.write(
    textTable(
      ['client', 'CPU ms', 'ratio'],
      measured.map(({ name, times }) => [
        name,
        medianOf(times).toFixed(3),
        (medianOf(times) / base).toFixed(2),
      ]),
    ),
  )
  responder.disconnect()
}
