import { afterAll } from 'vitest'

/**
 * Closes what a test file started after the last test of the file. What started last is closed first.
 *
 * @example
 * ```ts
 * const product = closeAfterTests(await startProduct())
 * ```
 */
export const closeAfterTests = <Started extends { readonly close: () => unknown }>(
  started: Started,
): Started => {
  afterAll(async () => {
    await started.close()
  })
  return started
}
