import { afterAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../support/certificates.ts'
import type { JsonValue } from '../support/client.ts'
import { startMetadataServer } from '../support/metadata-server.ts'
import { addSignedIn } from '../support/people.ts'
import { startService } from '../support/service.ts'
import { findResponseProblems } from './check-response.ts'
import { readEntries } from './compatibility-page.ts'
import { npmMethods } from './npm-methods.ts'
import { pythonMethods } from './python-methods.ts'
import type { Call, World } from './row.ts'
import { rows } from './rows.ts'
import { type Case, casesOf, findPythonMethod } from './trials.ts'

const service = await startService({ ALLOW_PRIVATE_METADATA: 'true' })
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const metadata = await startMetadataServer()
const world: World = { service, admin, metadata, certificate: await makeCertificate() }
afterAll(async () => {
  await world.service.close()
  await world.metadata.close()
})

const namesOf = ({ path, query, body }: Call): string[] => Object.keys({ ...path, ...query, ...body }).sort()

const cases = rows.flatMap(casesOf).map((one): [string, Case] => [one.title, one])

/** Sends the parameters of a query exactly as given, with those of the path filled in. */
const get = ({ path, bearer }: Call, route: string, query: string) =>
  world.service.client(
    'GET',
    `${route.replace('GET ', '').replaceAll(/\{(\w+)\}/g, (_, name: string) => String(path?.[name]))}?${query}`,
    bearer === undefined ? {} : { bearer },
  )

const queries = rows.flatMap((row) => {
  const method = row.python === undefined ? undefined : findPythonMethod(row.python)
  return method?.route.startsWith('GET ') && method.parameters.length > 0 ? [{ row, ...method }] : []
})

const notOffered = readEntries().flatMap(({ npm, python, verb }) =>
  verb === 'not offered'
    ? [
        ...npmMethods.filter(({ name }) => name === npm),
        ...pythonMethods.filter(({ name }) => name === python),
      ]
    : [],
)

describe('the published clients', () => {
  it.each(cases)('%s', async (_, { row, parameters, prepare, send, verify }) => {
    const { returns, status = returns === null ? 204 : 200 } = row
    const call = await prepare(world)
    expect(namesOf(call)).toEqual([...new Set([...(row.required ?? []), ...parameters])].sort())
    const { status: answered, text, body, problems } = await send(world.service.url, call)
    expect({ answered, text: answered === status ? '' : text }).toEqual({ answered: status, text: '' })
    if (returns !== 'ignored') expect(findResponseProblems(returns, body, row.added)).toEqual([])
    expect(problems).toEqual([])
    await verify({ world, call, body })
  })

  it.each(queries)('cannot send a query parameter of $name twice', async ({ row, route, parameters }) => {
    const call = await row.arrange(world)
    for (const name of parameters) {
      const { status, body } = await get(call, route, `${name}=1&${name}=1`)
      expect({ name, status, fields: body.errors?.map(({ field }: JsonValue) => field) }).toEqual({
        name,
        status: 400,
        fields: [name],
      })
    }
    const all = parameters.map((name) => `${name}=1&${name}=2`).join('&')
    const { status, body } = await get(call, route, all)
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(parameters.length)
  })

  it.each(queries)('cannot send huge values with $name', async ({ row, route, parameters }) => {
    const call = await row.arrange(world)
    for (const name of parameters) {
      const { status, body } = await get(call, route, `${name}=${'9'.repeat(4000)}`)
      expect({ name, status, field: body.errors?.[0].field }).toEqual({ name, status: 400, field: name })
    }
  })

  it.each(queries)('cannot send empty values with $name', async ({ row, route, parameters }) => {
    const call = await row.arrange(world)
    // A search for nothing finds everything.
    for (const name of parameters.filter((one) => one !== 'filter')) {
      const { status, body } = await get(call, route, `${name}=`)
      expect({ name, status, field: body.errors?.[0].field }).toEqual({ name, status: 400, field: name })
    }
  })

  it.each(queries)('cannot send other query parameters with $name', async ({ row, route }) => {
    const { status, body } = await get(await row.arrange(world), route, 'is_superuser=True')
    expect({ status, field: body.errors?.[0].field }).toEqual({ status: 400, field: 'is_superuser' })
  })

  it.each(notOffered)('get 404 or 405 from $id', async ({ route }) => {
    const [method = '', path = ''] = route.split(' ')
    const { bearer } = world.admin
    const { status } = await world.service.client(method, path.replaceAll(/\{\w+\}/g, '1'), { bearer })
    expect([404, 405]).toContain(status)
  })
})
