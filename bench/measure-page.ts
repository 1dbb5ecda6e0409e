import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core'

/** How slow the device and its network are. */
export interface Slowness {
  /** The factor by which the CPU is slower than that of this machine. */
  readonly cpu: number
  readonly network?: {
    readonly latencyMs: number
    readonly downloadKbps: number
    readonly uploadKbps: number
  }
}

/** What someone experiences who opens a page with an empty cache. Times are since the navigation began. */
export interface PageFigures {
  readonly firstPaintMs: number
  readonly firstContentfulPaintMs: number
  /** The form or heading is there, and the page answers to keys and clicks at once. */
  readonly interactiveMs: number
  /** Cumulative layout shift, as Core Web Vitals define it except for its session windows. 0 means that nothing moved. */
  readonly layoutShift: number
  readonly requests: number
  readonly apiRequests: number
  /** Bytes after gzip, by kind of file. */
  readonly gzipBytes: Readonly<Record<string, number>>
}

/** Runs in the page before its own scripts. Long tasks keep a page from answering (Long Tasks API: 50 ms and more). */
const watch = (target: string) => `
  window.watchedPage = { shift: 0, busyUntil: 0, readyAt: undefined }
  watchedPage.isReady = new Promise((resolve) => { watchedPage.setReady = resolve })
  const observe = (type, use) => new PerformanceObserver((list) => list.getEntries().forEach(use))
    .observe({ type, buffered: true })
  observe('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) watchedPage.shift += value })
  observe('longtask', ({ startTime, duration }) => { watchedPage.busyUntil = startTime + duration })
  const look = () => {
    const element = document.querySelector(${JSON.stringify(target)})
    if (element?.checkVisibility()) setTimeout(() => { watchedPage.setReady(watchedPage.readyAt = performance.now()) })
    else requestAnimationFrame(look)
  }
  look()`

const readFigures = `(() => {
  const paints = Object.fromEntries(performance.getEntriesByType('paint').map(({ name, startTime }) => [name, startTime]))
  const { shift, busyUntil, readyAt } = watchedPage
  return {
    firstPaintMs: paints['first-paint'],
    firstContentfulPaintMs: paints['first-contentful-paint'],
    interactiveMs: Math.max(readyAt, busyUntil, paints['first-contentful-paint']),
    layoutShift: shift,
  }
})()`

const slowDown = async (page: Page, { cpu, network }: Slowness): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  if (!network) return
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: network.latencyMs,
    downloadThroughput: (network.downloadKbps * 1000) / 8,
    uploadThroughput: (network.uploadKbps * 1000) / 8,
  })
}

const addUpBytes = async (responses: readonly Response[]): Promise<Record<string, number>> => {
  const bytes: Record<string, number> = {}
  for (const response of responses) {
    const kind = response.request().resourceType()
    const body = await response.body().catch(() => Buffer.alloc(0))
    bytes[kind] = (bytes[kind] ?? 0) + gzipSync(body).length
  }
  return bytes
}

/** Opens a page in Chromium with an empty cache, waits for `target`, a CSS selector, and measures. */
export const measurePage = async (
  browser: Browser,
  url: string,
  target: string,
  slowness: Slowness,
  storageState?: BrowserContextOptions['storageState'],
): Promise<PageFigures> => {
  const context = await browser.newContext(storageState ? { storageState } : {})
  try {
    const page = await context.newPage()
    const responses: Response[] = []
    page.on('response', (response) => responses.push(response))
    await page.addInitScript(watch(target))
    await slowDown(page, slowness)
    await page.goto(url, { waitUntil: 'networkidle' })
    // The policy of the pages forbids what Playwright needs to wait for a condition.
    await page.evaluate('watchedPage.isReady')
    const figures =
      await page.evaluate<
        Pick<PageFigures, 'firstPaintMs' | 'firstContentfulPaintMs' | 'interactiveMs' | 'layoutShift'>
      >(readFigures)
    return {
      ...figures,
      requests: responses.length,
      apiRequests: responses.filter((response) => new URL(response.url()).pathname.startsWith('/api/'))
        .length,
      gzipBytes: await addUpBytes(responses),
    }
  } finally {
    await context.close()
  }
}
