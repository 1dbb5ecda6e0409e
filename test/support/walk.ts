import type { Page, Request, Route } from 'playwright-core'
import { expect } from 'vitest'
import { operations } from '../../lib/features/operations.ts'

/*
 * A walk presses the buttons of a page and opens its links, and notes what leads nowhere. Nothing that a button sends reaches the
 * service, so the walk changes nothing: it only looks whether the service has such an operation. Dialogs are closed again.
 */

/** A state of a page, and how a person comes there. */
export interface WalkState {
  readonly name: string
  readonly reach: (page: Page) => Promise<unknown>
}

export interface Walk {
  /** Presses each button of a state that was not pressed in a state of this name before. Returns the addresses of its links. */
  readonly press: (state: WalkState) => Promise<readonly string[]>
  /** Opens each part of an application that links lead to, from the first one on, and walks through it. */
  readonly follow: (start: string) => Promise<void>
  readonly problems: readonly string[]
  /** What was pressed, as the state and the text of the button. */
  readonly pressed: ReadonlySet<string>
  readonly opened: ReadonlySet<string>
}

const paths = operations.map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Whether the service has an operation at this address. */
const isKnown = (method: string, path: string): boolean =>
  paths.some((one) => one.method === method && one.pattern.test(path))

/** The links that people see. */
export const listLinks = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('a[href]')].filter((link) => link.checkVisibility()).map(({ href }) => href)`,
  )

/** The texts of the buttons that people see and that are not busy, in the open dialog if there is one. */
const listButtons = (page: Page): Promise<readonly string[]> => page.evaluate(`walkButtons().map(walkText)`)

/** Defines what finds buttons in the page. */
const finders = `
  window.print = () => {}
  window.walkText = (element) => element.textContent.trim().replaceAll(/\\d+/g, 'N')
  window.walkButtons = () =>
    [...([...document.querySelectorAll('dialog[open]')].at(-1) ?? document).querySelectorAll('button, summary')]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .filter((button) => !button.disabled && button.ariaDisabled !== 'true' && walkText(button) !== '')
`

const hasDialog = (page: Page): Promise<boolean> =>
  page.evaluate(`document.querySelector('dialog[open]') !== null`)

interface Opened {
  readonly status: number
  readonly text: string
}

/** What links opened so far, by the address without the place in the page. */
type OpenedPages = Map<string, Promise<Opened>>

/** Asks the service for an address as a link of a page does, once. */
const openAddress = (page: Page, address: string, pages: OpenedPages): Promise<Opened> => {
  const known = pages.get(address)
  if (known) return known
  const options = {
    maxRedirects: 0,
    headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', accept: 'text/html, */*' },
  }
  const opened = page.request
    .get(address, options)
    .then(async (answer) => ({ status: answer.status(), text: await answer.text() }))
  pages.set(address, opened)
  return opened
}

/** Opens a link. Returns what is wrong with it. */
const openLink = async (page: Page, url: string, pages: OpenedPages): Promise<string | undefined> => {
  const { origin, pathname, search, hash } = new URL(url)
  if (!isKnown('GET', pathname)) return 'is no address of the service'
  const { status, text } = await openAddress(page, origin + pathname + search, pages)
  if (status >= 400) return `answers ${status}`
  if (!pathname.startsWith('/docs') || hash === '' || text.includes(`id="${hash.slice(1)}"`)) return undefined
  // The first page of the reference leads to the page of a place by its index.
  const index = await openAddress(page, `${origin}/docs/search.json`, pages)
  return pathname === '/docs' && index.text.includes(`${hash}"`) ? undefined : 'has no such place'
}

/** The links that the picture suite opened in this process. Most states share the menu of their page. */
const openedOfPictures: OpenedPages = new Map()
const linksOfPictures = new Set<string>()

/** Opens each link of a state that leads to the service. Fails if one leads nowhere. */
export const checkLinks = async (page: Page, state: string): Promise<void> => {
  const { origin } = new URL(page.url())
  for (const link of origin.startsWith('http') ? await listLinks(page) : []) {
    if (!link.startsWith(`${origin}/`) || linksOfPictures.has(link)) continue
    linksOfPictures.add(link)
    expect(await openLink(page, link, openedOfPictures), `${link} of ${state}`).toBeUndefined()
  }
}

/** The part of an application that an address shows, without its filters: `/admin#/users/7`. */
const toPlace = (url: string): string => {
  const { pathname, hash } = new URL(url)
  return pathname + hash.replace(/\?.*$/, '')
}

const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, 'N')

const isApplication = (url: string): boolean => /^\/(admin|account)$/.test(new URL(url).pathname)

/** Starts a walk on a page. The cookies of its context are those of the person. */
export const startWalk = async (page: Page, origin: string): Promise<Walk> => {
  const problems: string[] = []
  const pressed = new Set<string>()
  const opened = new Set<string>()
  const pages: OpenedPages = new Map()
  let at = ''
  let isPressing = false
  let isWatching = false
  let leaves: string[] = []
  const pending = new Set<Request>()
  const note = (problem: string) => {
    if (isWatching) problems.push(`${at}: ${problem}`)
  }

  const intercept = async (route: Route): Promise<void> => {
    const request = route.request()
    const { pathname, origin: target } = new URL(request.url())
    const method = request.method()
    if (!isPressing) return route.continue()
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      leaves.push(`${method} ${request.url()}`)
      // The browser stays where it is.
      return route.fulfill({ status: 204 })
    }
    if (target !== origin || ['GET', 'HEAD'].includes(method)) return route.continue()
    if (!isKnown(method, pathname)) note(`${method} ${pathname} is no operation of the service`)
    return route.abort()
  }
  await page.route('**/*', intercept)
  await page.addInitScript(finders)
  page.on('pageerror', (error) => note(error.message))
  page.on('console', (message) => {
    // What the network refused is noted by its status.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      note(message.text())
  })
  page.on('dialog', (dialog) => void dialog.accept())
  const end = (request: Request): void => void pending.delete(request)
  page.on('request', (request) => void pending.add(request))
  page.on('requestfailed', end)
  page.on('response', (response) => {
    // A page that does not read an answer never finishes the request.
    end(response.request())
    const { pathname, origin: target } = new URL(response.url())
    if (target === origin && response.status() >= 400)
      note(`${response.request().method()} ${pathname} answers ${response.status()}`)
  })

  /** Waits until the page has shown all that it asked for. */
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 2; quiet = pending.size > 0 ? 0 : quiet + 1)
      await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))`)
  }
  const enter = async ({ name, reach }: WalkState): Promise<void> => {
    isPressing = false
    isWatching = false
    leaves = []
    await page.goto('about:blank')
    pending.clear()
    await reach(page)
    await settle()
    at = name
  }

  const openLeaves = async (state: string): Promise<void> => {
    for (const leave of leaves.splice(0)) {
      const [method = '', url = ''] = leave.split(' ')
      if (new URL(url).origin !== origin) continue
      if (method !== 'GET') {
        if (!isKnown(method, new URL(url).pathname)) problems.push(`${state}: ${leave} is no operation`)
      } else await checkLink(state, url)
    }
  }
  const checkLink = async (state: string, url: string): Promise<void> => {
    const { origin: target, protocol } = new URL(url)
    if (!protocol.startsWith('http') || target !== origin || opened.has(url)) return
    opened.add(url)
    const problem = await openLink(page, url, pages)
    if (problem !== undefined) problems.push(`${state}: ${url.slice(origin.length)} ${problem}`)
  }

  const press = async (state: WalkState): Promise<readonly string[]> => {
    const group = withoutNumbers(state.name)
    await enter(state)
    const links = new Set(await listLinks(page))
    const hadDialog = await hasDialog(page)
    const place = toPlace(page.url())
    const findNext = async () => (await listButtons(page)).find((text) => !pressed.has(`${group} › ${text}`))
    for (let next = await findNext(); next !== undefined; next = await findNext()) {
      pressed.add(`${group} › ${next}`)
      at = `${state.name} › ${next}`
      isPressing = true
      isWatching = true
      await page.evaluate(
        `walkButtons().find((button) => walkText(button) === ${JSON.stringify(next)})?.click()`,
      )
      await settle()
      for (const link of await listLinks(page)) links.add(link)
      if (!hadDialog && (await hasDialog(page))) await page.keyboard.press('Escape')
      await settle()
      isWatching = false
      const hasMoved = leaves.length > 0 || toPlace(page.url()) !== place
      await openLeaves(at)
      if (hasMoved || (await hasDialog(page)) !== hadDialog) await enter(state)
    }
    for (const link of links) await checkLink(state.name, link)
    return [...links]
  }

  const follow = async (start: string): Promise<void> => {
    const places = new Map([[toPlace(origin + start), origin + start]])
    for (const [place, url] of places) {
      const reach = async (): Promise<void> => {
        isWatching = true
        at = place
        await page.goto(url)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await settle()
        if ((await page.getByRole('heading', { level: 1 }).innerText()) === 'Not found') note('is not found')
      }
      for (const link of await press({ name: place, reach }))
        if (link.startsWith(origin) && isApplication(link) && !places.has(toPlace(link)))
          places.set(toPlace(link), link)
    }
  }
  return { press, follow, problems, pressed, opened }
}
