import { startService } from '../../test/support/service.ts'

/*
 * Runs the real handlers in a process of its own, so that its memory is theirs. It is started with `--expose-gc`, receives its
 * settings as an argument, and measures its memory on request.
 */

export interface ServedTable {
  readonly url: string
  readonly tableName: string
}

/** Memory in bytes, after garbage was collected. */
export interface Memory {
  readonly rss: number
  readonly heap: number
}

const settings: Readonly<Record<string, string>> = JSON.parse(process.argv[2] ?? '{}')
const service = await startService(settings, { keepsLog: false })

process.on('message', async (message) => {
  if (message === 'close') {
    try {
      await service.close()
      process.exit(0)
    } catch (error) {
      process.send?.({ failure: String(error) }, () => process.exit(1))
    }
    return
  }
  global.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ rss, heap: heapUsed } satisfies Memory)
})
process.on('disconnect', () => process.exit(1))
process.send?.({ url: service.url, tableName: service.tableName } satisfies ServedTable)
