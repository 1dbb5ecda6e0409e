import { findUser } from '../lib/accounts/users/find-users.records.ts'
import { withAws } from '../local/aws-environment.ts'
import { startEngine } from '../local/dynamodb.ts'
import { addBusyPerson, measureBusyPerson, signInAndOut } from '../test/support/busy-users.ts'
import { startService } from '../test/support/service.ts'
import { textTable } from '../test/support/text-table.ts'

/* Prints the cost of requests of users with few and with very many tickets and sessions. All should be the same. */

const isQuick = process.argv.includes('--quick')
const counts = isQuick ? [0, 100] : [0, 100, 10_000]
const signIns = isQuick ? 500 : 10_000

const print = (text: string) => process.stdout.write(text)
const engine = await startEngine({ dataDir: ':memory:' })
process.env = { ...withAws(process.env, { isOwnEngine: true }), DYNAMODB_ENDPOINT: engine.endpoint }
const service = await startService({}, { sendsMail: false })
const measureRecord = async (id: number): Promise<number> =>
  JSON.stringify(await findUser(service.services.table, id)).length

try {
  const rows = new Map<string, (string | number)[]>()
  for (const count of counts)
    for (const { name, calls, units } of await measureBusyPerson(
      service,
      await addBusyPerson(service, count),
    ))
      rows.set(name, [...(rows.get(name) ?? []), calls, units])
  print(
    '\nRequests of a user with this number of tickets, of sessions, and of sessions that ended together.\n\n',
  )
  print(
    textTable(
      ['request', ...counts.flatMap((count) => [`calls ${count}`, `units ${count}`])],
      [...rows].map(([name, figures]) => [name, ...figures]),
    ),
  )
  const { user, bearer } = await addBusyPerson(service, 0)
  const before = await measureRecord(user.id)
  const start = performance.now()
  await signInAndOut(service, user, signIns)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const { status } = await service.client('POST', '/api/2/auth/logout', { bearer })
  print(
    `\n${signIns} sign-ins and sign-outs of one user took ${seconds} s. The record had ${before} characters before and
${await measureRecord(user.id)} after. The next sign-out: ${status}.\n`,
  )
} finally {
  await service.close()
  await engine.close()
}
