/**
 * Waits at most `waitMs` for a read of the table. The read itself goes on.
 *
 * @throws Error if there is no answer in time
 */
export const limitWait = async <Value>(reading: Promise<Value>, waitMs: number): Promise<Value> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the table did not answer in time')), waitMs)
  })
  try {
    return await Promise.race([reading, timeout])
  } finally {
    clearTimeout(timer)
  }
}
