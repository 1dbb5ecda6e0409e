import { createClient } from '../../lib/client/create-client.ts'
import { type CookieBrowser, createCookieBrowser } from './cookie-browser.ts'
import type { RunningProduct } from './example-product.ts'

export type ExampleUser = 'ada' | 'bob'

/** The passwords that `npm start` of the example prints. */
const passwords: Readonly<Record<ExampleUser | 'admin', string>> = {
  ada: 'ada likes silent films',
  bob: 'bob likes silent films',
  admin: 'violin harbor mustard tent',
}

export const passwordOf = (username: ExampleUser | 'admin'): string => passwords[username]

/** Signs a user in at the product by way of Latchkey, as the pages do it. */
export const signInAtProduct = async (
  { url, latchkeyUrl }: RunningProduct,
  username: ExampleUser,
): Promise<CookieBrowser> => {
  const browser = createCookieBrowser()
  const page = await browser.open(`${url}/login`)
  const returnTo = page.url.searchParams.get('return_to')
  if (page.url.origin !== latchkeyUrl || !returnTo) throw new Error(`${page.url} is not the sign-in page.`)
  const headers = { 'content-type': 'application/json', origin: latchkeyUrl, 'sec-fetch-site': 'same-origin' }
  const body = JSON.stringify({ username, password: passwords[username] })
  await browser.send(`${latchkeyUrl}/api/2/auth/login`, { method: 'POST', headers, body })
  const end = await browser.open(new URL(returnTo, latchkeyUrl).href)
  if (end.url.href !== `${url}/`) throw new Error(`The sign-in ended at ${end.url}: ${end.text}`)
  return browser
}

/** Opens an access link without its page, and returns the ticket for the product. */
export const createGuestTicket = async (
  { url, latchkeyUrl }: RunningProduct,
  token: string,
): Promise<string> => {
  const guest = createClient({ baseUrl: latchkeyUrl })
  guest.startSession(await guest.accessLinks.redeemAccessToken({ token }))
  return (await guest.tickets.createAuthTicket({ audience: url })).ticket
}
