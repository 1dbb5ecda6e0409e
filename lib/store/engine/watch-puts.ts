import type { Key } from '../keys/keys.ts'

/** Called with the key of an item that was put, also if the answer of the table was lost. */
export type PutWatcher = (key: Key) => void

let watcher: PutWatcher | undefined

/** Reports all items that this process puts, like the stream of a table. Local engines have no usable stream. */
export const watchPuts = (watch: PutWatcher): void => {
  watcher = watch
}

/** Reports items after the call that put them. A failed call can have done the work as well. */
export const reportPuts = (keys: Iterable<Key | undefined>): void => {
  if (watcher) for (const key of keys) if (key) watcher(key)
}
