import type { Page } from 'playwright-core'

/** What Chromium loaded for a page. */
export interface Transfer {
  readonly path: string
  /** Bytes as they were transferred, with headers. Zero if the browser had the file. */
  readonly bytes: number
}

/** The icon of the tab and logos, which belong to no budget. */
const pictures = /^\/(favicon\.ico$|logos\/)/

/** Watches what Chromium loads from now on. Returns the function that lists it, apart from pictures, and starts anew. */
export const watchTransfers = async (page: Page): Promise<() => readonly Transfer[]> => {
  const session = await page.context().newCDPSession(page)
  const paths = new Map<string, string>()
  const bytes = new Map<string, number>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    paths.set(requestId, new URL(request.url).pathname)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.set(requestId, encodedDataLength)
  })
  await session.send('Network.enable')
  return () => {
    const list = [...paths]
      .filter(([, path]) => !pictures.test(path))
      .map(([id, path]) => ({ path, bytes: bytes.get(id) ?? 0 }))
    paths.clear()
    bytes.clear()
    return list
  }
}
