import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import { getRouteKey } from '../../lib/kernel/contract/operation.ts'
import { readEntries, readOtherAreas } from './compatibility-page.ts'
import { npmMethods } from './npm-methods.ts'
import { pythonMethods } from './python-methods.ts'
import { rows } from './rows.ts'
import { trialsOf } from './trials.ts'

/*
 * Each method of both clients is in the matrix or on the compatibility page, which is the only list of exceptions. A method
 * whose route Latchkey has must be in the matrix, with every parameter.
 */

const entries = readEntries()
const otherAreas = readOtherAreas()

const withoutNames = (route: string): string => route.replaceAll(/\{\w+\}/g, '{}')
const routes = new Set(operations.map((operation) => withoutNames(getRouteKey(operation))))

const nameOf = (id: string): string => id.replace(/^\w+\./, '')
const areaOf = (route: string): string => route.replace(/^\w+ \/api\/2\//, '').split('/')[0] ?? ''

const clients = [
  { client: 'npm', methods: npmMethods },
  { client: 'python', methods: pythonMethods },
] as const

describe.each(clients)('the compatibility page for $client', ({ client, methods }) => {
  const inMatrix = new Set(rows.map((row) => row[client]))
  const onPage = entries.flatMap((entry) => {
    const name = entry[client]
    return name === undefined ? [] : [{ name, isOffered: entry.verb !== 'not offered' }]
  })

  it('names each method once', () => {
    expect(onPage.length).toBeGreaterThan(50)
    const names = onPage.map(({ name }) => name)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(names.filter((name) => !methods.some(({ id }) => nameOf(id) === name))).toEqual([])
  })

  it('offers exactly the methods of the matrix', () => {
    const offered = onPage.flatMap(({ name, isOffered }) => (isOffered ? [name] : []))
    expect(offered.sort()).toEqual(
      [...inMatrix].flatMap((id) => (id === undefined ? [] : [nameOf(id)])).sort(),
    )
  })

  it('covers every method of the client', () => {
    const names = new Set(onPage.map(({ name }) => name))
    const isCovered = (id: string, route: string) =>
      names.has(nameOf(id)) || (otherAreas.includes(areaOf(route)) && !routes.has(withoutNames(route)))
    expect(methods.filter(({ id, route }) => !isCovered(id, route)).map(({ id }) => id)).toEqual([])
  })

  it('offers a method if, and only if, Latchkey has its route', () => {
    const expected = methods.filter(({ route }) => routes.has(withoutNames(route))).map(({ id }) => id)
    expect([...inMatrix].filter((id) => id !== undefined).sort()).toEqual(expected.sort())
  })
})

describe('the matrix', () => {
  it('names no method twice', () => {
    for (const { client } of clients) {
      const ids = rows.flatMap((row) => row[client] ?? [])
      expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    }
  })

  it.each(npmMethods.filter(({ id }) => rows.some(({ npm }) => npm === id)))(
    'has every parameter of the npm method $id',
    ({ id, path, query, body }) => {
      const row = rows.find(({ npm }) => npm === id)
      if (row === undefined) throw new Error(`no row for ${id}`)
      const known = [...Object.keys(path), ...Object.keys(query), ...(body?.fields ?? [])]
      const covered = new Set([...(row.required ?? []), ...trialsOf(row, 'npm').map(([name]) => name)])
      expect(known.filter((name) => !covered.has(name))).toEqual([])
    },
  )

  it.each(pythonMethods.filter(({ id }) => rows.some(({ python }) => python === id)))(
    'has every parameter of the Python method $id',
    ({ id, route, parameters }) => {
      const row = rows.find(({ python }) => python === id)
      if (row === undefined) throw new Error(`no row for ${id}`)
      const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      const covered = new Set([...(row.required ?? []), ...trialsOf(row, 'python').map(([name]) => name)])
      expect([...inPath, ...parameters].filter((name) => !covered.has(name))).toEqual([])
    },
  )
})
