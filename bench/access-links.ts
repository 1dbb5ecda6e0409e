import { findUsers } from '../lib/accounts/users/find-users.records.ts'
import { updateUserLastSeen } from '../lib/accounts/users/last-seen.records.ts'
import { withAws } from '../local/aws-environment.ts'
import { startEngine } from '../local/dynamodb.ts'
import { medianOf } from '../test/support/cpu-time.ts'
import { costsSince, seedUsers } from '../test/support/directory.ts'
import { linksPath } from '../test/support/links.ts'
import { addSignedIn } from '../test/support/people.ts'
import { startService } from '../test/support/service.ts'
import { textTable } from '../test/support/text-table.ts'
import { type Measured, openSeeder } from './link-seed.ts'

/*
 * Measures the cost of requests about links, with a few links and with very many. The requested lists grow as well: with a
 * million tokens, the creator and the recipient have 200,000 each, and each object has 100,000.
 */

export interface RequestCost {
  readonly calls: number
  readonly units: number
  readonly p50Ms: number
  /** The number of entries in the response, if it is a list. */
  readonly entries: number
}

export interface Measurement {
  readonly tokens: number
  readonly costs: Readonly<Record<string, RequestCost>>
}

export interface MeasureOptions {
  readonly sizes: readonly number[]
  readonly users: number
  /** The number of times that each request is sent. The result is the median. */
  readonly rounds: number
  readonly onProgress?: (written: number) => void
}

/** Seeds tokens up to each size and then measures the same requests over HTTP, with the real handlers. */
export const measureAccessLinks = async (options: MeasureOptions): Promise<readonly Measurement[]> => {
  const service = await startService({}, { sendsMail: false })
  try {
    const [admin, creator, recipient] = [
      await addSignedIn(service, { permissions: ['system:admin-access'] }),
      await addSignedIn(service, { permissions: ['media:access'] }),
      await addSignedIn(service),
    ]
    const firstId = 1000
    await seedUsers(service, options.users, firstId, () => ({ permissions: ['media:access'] }))
    const measured: Measured = {
      creator: creator.user.id,
      recipient: recipient.user.id,
      bundle: 1,
      directory: 2,
      asset: 3,
    }
    const ids = Array.from({ length: options.users }, (_, at) => firstId + at)
    const seeder = openSeeder(service.services, service.tableName, ids, measured)

    const cost = async (
      method: string,
      path: string,
      bearer?: string,
      body?: object,
    ): Promise<RequestCost> => {
      const durations: number[] = []
      let entries = 0
      const logStart = service.log.length
      for (let round = 0; round < options.rounds; round++) {
        const startedAt = performance.now()
        const answer = await service.client(method, path, {
          ...(bearer !== undefined && { bearer }),
          ...(body !== undefined && { body }),
        })
        durations.push(performance.now() - startedAt)
        if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
        entries = Array.isArray(answer.body) ? answer.body.length : 0
      }
      const [last] = costsSince(service, logStart).slice(-1)
      return { calls: last?.calls ?? 0, units: last?.units ?? 0, p50Ms: medianOf(durations), entries }
    }
    const page = (bearer: string, query: string) => cost('GET', `${linksPath}?limit=20${query}`, bearer)

    const measureAll = async (): Promise<Measurement['costs']> => {
      const { id, value } = seeder.newest()
      // Updating the time of last use must not be part of the measured requests.
      const { table, now } = service.services
      for (const user of await findUsers(table, ids.slice(0, 3)))
        if (user) await updateUserLastSeen(table, user, now())
      for (const { bearer } of [admin, creator, recipient]) await page(bearer, '')
      const both = `&user=${measured.recipient}&created_by=${measured.creator}`
      return {
        'all, as administrator': await page(admin.bearer, ''),
        'the same, newest first': await page(admin.bearer, '&ordering=-id'),
        'the same, by expiry': await page(admin.bearer, '&ordering=expires'),
        'own, as creator': await page(creator.bearer, ''),
        'own, by expiry': await page(creator.bearer, '&ordering=-expires'),
        'own, as recipient': await page(recipient.bearer, ''),
        'by bundle': await page(admin.bearer, `&shared_bundles=${measured.bundle}`),
        'by directory': await page(admin.bearer, `&shared_directories=${measured.directory}`),
        'by asset': await page(admin.bearer, `&shared_bundles__asset=${measured.asset}`),
        'by recipient and creator': await page(admin.bearer, both),
        get: await cost('GET', `${linksPath}/${id}`, admin.bearer),
        permissions: await cost('GET', `${linksPath}/${id}/permissions`, admin.bearer),
        'by value': await cost('GET', `${linksPath}/get/${value}`),
        redeem: await cost('POST', `${linksPath}/redeem`, undefined, { token: guestLink }),
        'authentication by API token': await cost('GET', '/api/2/users/me', apiToken),
      }
    }
    const created = await service.client('POST', linksPath, {
      bearer: creator.bearer,
      body: { bundles: [{ id: 4, name: 'For guests', root: 7, path: '/guests' }] },
    })
    const guestLink: string = created.body.token
    const { body: script } = await service.client('POST', '/api/2/api-tokens', {
      bearer: creator.bearer,
      body: { name: 'script' },
    })
    const apiToken: string = script.token

    const measurements: Measurement[] = []
    for (const tokens of options.sizes) {
      await seeder.seedTo(tokens, options.onProgress)
      measurements.push({ tokens, costs: await measureAll() })
    }
    return measurements
  } finally {
    await service.close()
  }
}

/** Runs the measurement in a separate engine and prints a table. */
const run = async (sizes: readonly number[], users: number): Promise<void> => {
  const engine = await startEngine({ dataDir: ':memory:' })
  process.env = { ...withAws(process.env, { isOwnEngine: true }), DYNAMODB_ENDPOINT: engine.endpoint }
  const startedAt = performance.now()
  let reported = 0
  try {
    const measurements = await measureAccessLinks({
      sizes,
      users,
      rounds: 51,
      onProgress: (written) => {
        if (written < reported + 10_000) return
        reported = written
        process.stderr.write(
          `${written} tokens after ${Math.round((performance.now() - startedAt) / 1000)} s\n`,
        )
      },
    })
    const names = Object.keys(measurements[0]?.costs ?? {})
    process.stdout.write(
      `\nLinks: calls to the table, capacity units and median milliseconds of a request, lists in pages of 20, with
${sizes.join(', ')} tokens of ${users} users.\n\n`,
    )
    process.stdout.write(
      textTable(
        ['request', ...sizes.flatMap((size) => [`calls ${size}`, 'units', 'ms'])],
        names.map((name) => [
          name,
          ...measurements.flatMap(({ costs }) => {
            const { calls = 0, units = 0, p50Ms = 0 } = costs[name] ?? {}
            return [calls, units, p50Ms.toFixed(1)]
          }),
        ]),
      ),
    )
  } finally {
    await engine.close()
  }
}

if (import.meta.main) {
  const [most = 1_000_000] = process.argv.slice(2).map(Number)
  await run(
    [1000, 100_000, 1_000_000].filter((size) => size <= most),
    10_000,
  )
}
