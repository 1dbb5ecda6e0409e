import { type StatsListener, unwatchFile, watchFile } from 'node:fs'

/** How often files are looked at. Events of the file system do not arrive on every machine. */
const everyMs = 250

/** Calls a function after each change of files, once at a time. It returns the files to watch from then on. */
export const watchConfig = (
  files: readonly string[],
  onChange: () => Promise<readonly string[]>,
): { readonly close: () => Promise<void> } => {
  let watched: readonly string[] = []
  let running = Promise.resolve()
  let isWaiting = false
  let isClosed = false
  const unwatch = () => {
    for (const file of watched) unwatchFile(file, listener)
  }
  const watch = (next: readonly string[]) => {
    if (isClosed) return
    const isSame = next.length === watched.length && next.every((file) => watched.includes(file))
    if (isSame) return
    unwatch()
    watched = next
    for (const file of watched) watchFile(file, { interval: everyMs }, listener)
  }
  const listener: StatsListener = (current, before) => {
    if (isWaiting || current.mtimeMs === before.mtimeMs) return
    isWaiting = true
    running = running.then(async () => {
      isWaiting = false
      if (!isClosed) watch(await onChange())
    })
  }
  watch(files)
  return {
    close: async () => {
      isClosed = true
      unwatch()
      await running
    },
  }
}
