import { expect, it } from 'vitest'
import { accountEnds } from '../../lib/features/account-ends.ts'
import { accountMerges } from '../../lib/features/account-merges.ts'
import { holdingRecords, holdings } from '../../lib/features/leaked-credentials/holdings.records.ts'
import * as keys from '../../lib/kernel/table/keys/keys.ts'
import * as organizationKeys from '../../lib/kernel/table/keys/organization-keys.ts'
import * as scimKeys from '../../lib/kernel/table/keys/scim-keys.ts'

/** The sort keys of everything that can be in the partition of a user, by the name of the function that builds the key. */
const listUserItems = (): ReadonlyMap<string, string> => {
  const { pk, sk } = keys.userKey(7)
  const builders = Object.entries({ ...keys, ...organizationKeys, ...scimKeys }).filter(([name]) =>
    name.endsWith('Key'),
  )
  const found = builders.flatMap(([name, build]): [string, string][] => {
    if (typeof build !== 'function') return []
    try {
      // Some take other arguments. None of them is about a user.
      const key = Reflect.apply(build, undefined, [7, 7, 'x'])
      return key.pk === pk && key.sk !== sk ? [[name, key.sk]] : []
    } catch {
      return []
    }
  })
  return new Map(found)
}
const items = listUserItems()
const isFor =
  (sk: string) =>
  (row: { readonly sk: string }): boolean =>
    row.sk.endsWith('#') ? sk.startsWith(row.sk) : sk === row.sk

it('knows the items of a user', () => {
  expect([...items.keys()]).toEqual(
    expect.arrayContaining(['sessionKey', 'apiTokenKey', 'membershipKey', 'createdOrganizationsKey']),
  )
  expect(items.size).toBeGreaterThanOrEqual(accountEnds.length)
})

it.each([...items])('%s has one row that ends it, and one that merges it', (_, sk) => {
  expect(accountEnds.filter(isFor(sk))).toHaveLength(1)
  expect(accountMerges.filter(isFor(sk))).toHaveLength(1)
})

it('has rows for items that exist alone', () => {
  const known = [...items.values()]
  for (const row of [...accountEnds, ...accountMerges])
    expect(
      known.filter((sk) => isFor(sk)(row)),
      row.sk,
    ).not.toEqual([])
})

it.each(
  Object.entries(holdings).flatMap(([name, { record, ends }]) =>
    holdingRecords[record].places.flatMap(({ partition, sk }) =>
      partition === 'user' && sk !== 'user' ? [{ name, sk, merge: ends.merge }] : [],
    ),
  ),
)('merges $name as the list of holdings says', ({ sk, merge }) => {
  const row = accountMerges.find(isFor(sk))
  expect(merge === 'ends' ? row?.merge === 'ends' : row?.merge !== 'ends').toBe(true)
})
