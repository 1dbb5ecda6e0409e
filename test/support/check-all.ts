import { expect } from 'vitest'

/**
 * Checks each entry of a list and fails once, with the failures of all of them. The first part of an entry is its name. A
 * test for each of hundreds of entries would take longer to report than to run.
 */
export const checkAll = <Rest extends readonly unknown[]>(
  entries: readonly (readonly [name: string, ...Rest])[],
  check: (name: string, ...rest: Rest) => void,
): void => {
  expect(entries.length).toBeGreaterThan(0)
  const failures = entries.flatMap(([name, ...rest]) => {
    try {
      check(name, ...rest)
      return []
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : String(error)}`]
    }
  })
  expect(failures).toEqual([])
}
