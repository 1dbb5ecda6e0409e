import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseCredential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import { isGuestUser } from '../../lib/store/directory/guest-state.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { findUsers } from '../../lib/store/directory/users.ts'
import { getListing, readEntries } from '../../lib/store/engine/listing.ts'
import { CommandFailure, codeOf } from '../command-failure.ts'
import { retryThrottled } from '../pool.ts'

/** One batch read returns at most this many users. */
const pageSize = 100

/** All users in the order of their IDs, page by page. */
export async function* readAllUsers({ table }: Services): AsyncGenerator<readonly UserRecord[]> {
  let after: string | undefined
  for (;;) {
    const page = { after, limit: pageSize, isDescending: false }
    const entries = await retryThrottled(() => readEntries(table, getListing('user', 'id'), page))
    const ids = entries.map(({ indexKey }) => Number(indexKey))
    const users = await retryThrottled(() => findUsers(table, ids))
    // Guests belong to access links, which are not exported.
    yield users.flatMap((user) => (user && !isGuestUser(user) ? [user] : []))
    if (entries.length < pageSize) return
    after = entries.at(-1)?.indexKey
  }
}

export interface FoundCredential {
  readonly value: string
  readonly kind: string
}

const form = /lk[a-z]_[0-9A-Za-z]{45}(?![0-9A-Za-z])/g
/** Longer texts are no credentials that the service knows. */
const longestValue = 1023

/**
 * Finds the credentials in a file, each once. With `hasValues`, each line is one. Other texts that only look like a
 * credential have a wrong checksum.
 *
 * @throws CommandFailure if the file cannot be read.
 */
export const findCredentials = async (
  file: string,
  hasValues: boolean,
): Promise<readonly FoundCredential[]> => {
  const found = new Map<string, FoundCredential>()
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const texts = hasValues ? [line.trim()] : (line.match(form) ?? [])
      for (const value of texts) {
        const kind = parseCredential(value)?.kind ?? (hasValues ? 'other value' : undefined)
        if (kind && value !== '' && value.length <= longestValue) found.set(value, { value, kind })
      }
    }
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read (${codeOf(error)}).`)
  }
  return [...found.values()]
}
