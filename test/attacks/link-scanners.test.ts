import { beforeEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '../support/client.ts'
import { addLink, bundle, getLink, linksPath, redeem } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Scanners read an email or a chat before its recipient does: gateways that fetch every link, previews that follow
 * it, prefetching browsers, and crawlers that submit forms. None of them may use up a view of the link or a ticket:
 * both must still work when the recipient comes.
 */

const service = await useService({ ALLOWED_ORIGINS: 'https://media.example.com' })
const creator = await addSignedIn(service, { permissions: ['media:access'] })
let link: JsonValue
let ticket: string
beforeEach(async () => {
  link = await addLink(service, creator.bearer, { view_limit: 1, bundles: [bundle()] })
  ticket = (await service.client('POST', '/api/2/auth/ticket', { bearer: creator.bearer })).body.ticket
})

/** Uses up everything that is still valid, so call it last. */
const expectAllThere = async () => {
  const shown = (await getLink(service, creator.bearer, link.id)).body
  expect(shown).toMatchObject({ view_limit_left: 1, activity: [] })
  expect((await redeem(service, link.token)).status).toBe(200)
  const check = (body: object) => service.client('POST', '/api/2/auth/ticket/check', { body })
  expect((await check({ ticket })).status).toBe(200)
}

/** The link as the email contains it, its possible misreadings, and the places where its parts could be tried. */
const places = (): string[] => {
  const page = new URL(link.full_url)
  const value = link.token
  return [
    // One client keeps the fragment to itself, as all should, and one sends it.
    page.pathname,
    `${page.pathname}?token=${value}`,
    `${page.pathname}%23token=${value}`,
    `${page.pathname}/${value}`,
    `${linksPath}/get/${value}`,
    `${linksPath}/get/${value}?utm_source=mail`,
    `${linksPath}/get/${value}/`,
    `${linksPath}/redeem`,
    `${linksPath}/redeem?token=${value}`,
    `${linksPath}/redeem/${value}`,
    `${linksPath}/${link.id}`,
    `${linksPath}/${link.id}/permissions`,
    '/api/2/auth/ticket',
    `/api/2/auth/ticket/check?ticket=${ticket}`,
    `/?ticket=${ticket}`,
    `/?token=${value}`,
  ]
}

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36; Microsoft Outlook SafeLinks',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
  'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))',
  'Mimecast URL Protect',
  'Mozilla/5.0 (compatible; proofpoint-url-defense/1.0)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'WhatsApp/2.23.20.0 A',
  'TelegramBot (like TwitterBot)',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'SkypeUriPreview Preview/0.5',
  'Mozilla/5.0 (Macintosh) AppleWebKit/601.2.4 (KHTML, like Gecko) facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
  'Google-Safety; (+http://www.google.com/bot.html)',
  'GoogleImageProxy',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'BingPreview/1.0b',
  'Apache-HttpClient/4.5.13 (Java/17)',
  'python-requests/2.32',
  'curl/8.5.0',
  'Wget/1.21',
  '',
]

const manners: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'asking for a page': { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  'asking for a preview': { accept: 'text/html', range: 'bytes=0-32767' },
  'asking for a part': { range: 'bytes=0-0,-1' },
  prefetching: { purpose: 'prefetch', 'sec-purpose': 'prefetch;prerender', 'x-moz': 'prefetch' },
  prerendering: { 'sec-purpose': 'prefetch;prerender', 'x-purpose': 'preview' },
  'coming back': { 'if-none-match': '*', 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
  'asking to go on': {
    'upgrade-insecure-requests': '1',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
  },
  'pretending to be a method': { 'x-http-method-override': 'POST', 'x-method-override': 'DELETE' },
  'pretending to be sent on': { 'x-forwarded-method': 'POST', 'x-original-url': `${linksPath}/redeem` },
  preflighting: {
    origin: 'https://media.example.com',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  },
}

describe('an access link with one view, and a ticket,', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'PROPFIND'])(
    'survives %s of every part of the link, however it is sent',
    async (method) => {
      for (const path of places())
        for (const headers of Object.values(manners)) {
          const { status } = await service.client(method, path, { headers })
          expect(status, `${method} ${path}`).toBeLessThan(500)
        }
      await expectAllThere()
    },
  )

  it('survives every scanner and preview, by user agent', async () => {
    for (const agent of agents)
      for (const path of places()) {
        const { status } = await service.client('GET', path, { headers: { 'user-agent': agent } })
        expect(status).toBeLessThan(500)
      }
    await expectAllThere()
  })

  it('survives a client that follows every redirect and every link in the responses', async () => {
    const seen = new Set<string>()
    const open = places()
    for (let at = 0; at < open.length && at < 200; at++) {
      const path = open[at] ?? ''
      if (seen.has(path)) continue
      seen.add(path)
      const { headers, text } = await service.client('GET', path)
      const named = [headers.get('location') ?? '', ...(text.match(/(?:https?:)?\/[\w./#?=&%-]+/g) ?? [])]
      for (const found of named) {
        const url = URL.parse(found, service.url)
        if (url && url.origin === service.url) open.push(url.pathname + url.search)
      }
    }
    expect(seen.size).toBeGreaterThanOrEqual(places().length)
    await expectAllThere()
  })

  it('survives a crawler that submits every form it finds', async () => {
    const forms = [
      ['application/x-www-form-urlencoded', `token=${link.token}&ticket=${ticket}&submit=1`],
      ['text/plain', `token=${link.token}`],
      [
        'multipart/form-data; boundary=x',
        `--x\r\ncontent-disposition: form-data; name="token"\r\n\r\n${link.token}\r\n--x--`,
      ],
      ['application/xml', `<token>${link.token}</token>`],
    ] as const
    for (const path of [...places(), '/api/2/auth/ticket/check'])
      for (const [type, raw] of forms)
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const { status } = await service.client(method, path, { raw, headers: { 'content-type': type } })
          expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
          expect(status, `${method} ${path}`).toBeLessThan(500)
        }
    await expectAllThere()
  })

  it('survives empty and incomplete posts', async () => {
    for (const path of [...places().filter((place) => !/ticket\/check|\/ticket$/.test(place))])
      for (const raw of ['', '{}', 'null', '[]', `{"url":"${link.full_url}"}`, `{"value":"${link.token}"}`]) {
        const { status } = await service.client('POST', path, { raw })
        expect(status, `POST ${path} ${raw}`).toBeGreaterThanOrEqual(400)
        expect(status, `POST ${path} ${raw}`).toBeLessThan(500)
      }
    await expectAllThere()
  })
})

it('keeps the value in the URL fragment, which no server sees', () => {
  const { pathname, search, hash } = new URL(link.full_url)
  expect(pathname + search).not.toContain(link.token)
  expect(hash).toContain(link.token)
})
