import { LatchkeyError } from './latchkey-error.ts'
import type { Page } from './options.ts'

/**
 * Returns the cursor of the next page from the header `Link` (RFC 8288). Its address is not used, so that no response
 * can lead the credential to another server.
 */
export const findNextCursor = (link: string | null): string | undefined => {
  const [, address] = /<([^<>]+)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? []
  const base = 'http://localhost'
  if (address === undefined || !URL.canParse(address, base)) return undefined
  return new URL(address, base).searchParams.get('cursor') ?? undefined
}

/** Returns the items of all pages. @throws LatchkeyError if a page continues with itself */
export async function* iteratePages<Item>(
  loadPage: (cursor: string | undefined) => Promise<Page<Item>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await loadPage(cursor)
    for (const item of items) {
      signal?.throwIfAborted()
      yield item
    }
    if (nextCursor !== undefined && nextCursor === cursor)
      throw new LatchkeyError({
        code: 'unexpected_response',
        detail: 'The list continues with the same page.',
      })
    cursor = nextCursor
  } while (cursor !== undefined)
}
