import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { languages } from '../../lib/kernel/i18n/languages.ts'
import { type Mail, startMail } from '../../local/mail.ts'
import { findFreePort } from '../../local/ports.ts'
import { emailPreviews } from '../../local/previews/emails.ts'

let mail: Mail | undefined
afterEach(() => mail?.close())

test('shows emails that are sent to the endpoint', async () => {
  mail = await startMail({ port: await findFreePort() })
  expect(await (await fetch(mail.url)).text()).toContain('<html')
  const sent = await fetch(`${mail.url}/v2/email/outbound-emails`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'AWS4-HMAC-SHA256 local' },
    body: JSON.stringify({
      FromEmailAddress: 'latchkey@example.com',
      Destination: { ToAddresses: ['someone@example.com'] },
      Content: { Simple: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Good day' } } } },
    }),
  })
  expect(sent.status).toBe(200)
  const { emails } = (await (await fetch(`${mail.url}/store`)).json()) as { emails: unknown[] }
  expect(emails).toMatchObject([{ subject: 'Hello', body: { text: 'Good day' } }])
})

/** Sends an email as the service does. */
const send = async (url: string, subject: string, body: { text?: string; html?: string }) => {
  const content = Object.entries({ Text: body.text, Html: body.html }).flatMap(([name, Data]) =>
    Data === undefined ? [] : [[name, { Data }]],
  )
  const answer = await fetch(`${url}/v2/email/outbound-emails`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'AWS4-HMAC-SHA256 local' },
    body: JSON.stringify({
      FromEmailAddress: 'Latchkey <latchkey@example.com>',
      Destination: { ToAddresses: ['ada@example.com'] },
      Content: { Simple: { Subject: { Data: subject }, Body: Object.fromEntries(content) } },
    }),
  })
  expect(answer.status).toBe(200)
}

test('leads from the list to the HTML, the text and the source of an email, the newest first', async () => {
  mail = await startMail({ port: await findFreePort() })
  const { url } = mail
  const read = async (path: string) => (await fetch(url + path)).text()
  expect(await read('/')).toContain('No email was sent yet.')
  await send(url, 'The first', { text: 'Good day' })
  await send(url, 'The second', { text: 'Good night', html: '<p><a href="https://a.example/">Go</a></p>' })
  const list = await read('/')
  expect(list.indexOf('The second')).toBeLessThan(list.indexOf('The first'))
  const [, path = ''] = /href="(\/emails\/[^"]+\/)html"[^>]*>The second/.exec(list) ?? []
  expect(await read(`${path}html`)).toContain(`src="${path}frame"`)
  expect(await read(`${path}frame`)).toMatch(
    /<base target="_blank">.*<a href="https:\/\/a\.example\/">Go<\/a>/,
  )
  expect(await read(`${path}text`)).toContain('Good night')
  const source = await read(`${path}source`)
  for (const header of ['From: ', 'To: ', 'Subject: The second']) expect(source).toContain(header)
  expect((await fetch(`${url}/emails/no-such-email/html`)).status).toBe(404)
})

test('runs nothing of an email, whatever its names contain, and answers no other host', async () => {
  const port = await findFreePort()
  mail = await startMail({ port })
  const { url } = mail
  const attack = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  await send(url, attack, { text: attack, html: `<p>Hello</p>${attack}` })
  const list = await (await fetch(url)).text()
  const [, path = ''] = /href="(\/emails\/[^"]+\/)html"/.exec(list) ?? []
  for (const page of ['/', `${path}html`, `${path}text`, `${path}source`]) {
    const answer = await fetch(url + page)
    expect(await answer.text()).not.toMatch(/<(?:img|script)/i)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  expect(await (await fetch(`${url}${path}html`)).text()).toMatch(
    /<iframe [^>]*sandbox="(?!.*allow-(?:scripts|same-origin))/,
  )
  const policy = (await fetch(`${url}${path}frame`)).headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^sandbox /)
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/)
  const status = await new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/store', headers: { host: 'attacker.example' } }, (answer) =>
      resolve(answer.resume().statusCode),
    )
      .on('error', reject)
      .end()
  })
  expect(status).toBe(403)
})

test('takes emails from programs, and refuses pages of other origins', async () => {
  const port = await findFreePort()
  mail = await startMail({ port })
  const { url } = mail
  const own = `http://127.0.0.1:${port}`
  /** Sends a form that needs no permission of the other origin, as browsers do. */
  const sendAs = (method: string, path: string, headers: Readonly<Record<string, string>>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const authorization = 'AWS4-HMAC-SHA256 local'
      request({ port, host: '127.0.0.1', method, path, headers: { authorization, ...headers } }, (answer) =>
        resolve(answer.resume().statusCode),
      )
        .on('error', reject)
        .end()
    })
  await send(url, 'From the service', { text: 'Good day' })
  const others = [
    { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    // Another port is another origin of the same site: a product on this machine, or one of its dependencies.
    { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' },
    { origin: 'http://127.0.0.1:3000' },
    { origin: own, 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost.attacker.example' },
  ]
  for (const headers of others)
    for (const [method, path] of [
      ['POST', '/'],
      ['POST', '/v2/email/outbound-emails'],
      ['POST', '/clear-store'],
      ['GET', '/store'],
    ] as const)
      expect({ headers, path, status: await sendAs(method, path, headers) }).toEqual({
        headers,
        path,
        status: 403,
      })
  // Links lead here from the console.
  expect(await sendAs('GET', '/', { 'sec-fetch-site': 'cross-site' })).toBe(200)
  expect(await sendAs('GET', '/store', { origin: own, 'sec-fetch-site': 'same-origin' })).toBe(200)
  const { emails } = (await (await fetch(`${url}/store`)).json()) as { emails: unknown[] }
  expect(emails).toMatchObject([{ subject: 'From the service' }])
})

test('shows previews of all emails in every language, light and dark, as HTML and as text', async () => {
  mail = await startMail({ port: await findFreePort() })
  const { url } = mail
  const read = async (path: string) => {
    const answer = await fetch(url + path)
    return { status: answer.status, text: await answer.text() }
  }
  expect((await read('/')).text).toContain('href="/previews"')
  const page = (await read('/previews')).text
  for (const { name } of emailPreviews) expect(page).toContain(`email=${name}&amp;language=en`)
  for (const language of languages) {
    expect(page).toContain(`language=${language}&amp;`)
    const { text } = await read(`/previews/password-reset.${language}.txt`)
    expect((await read(`/previews?email=password-reset&language=${language}`)).text).toContain(
      text.slice(0, 20),
    )
    const light = (await read(`/previews/password-reset.${language}.html?scheme=light`)).text
    expect(light).toContain(`<html lang="${language}"`)
    expect(light).toContain('color-scheme:light}')
  }
  const dark = (await read('/previews/access-link.de.html?scheme=dark&branding=example')).text
  expect(dark).toContain('@media all{')
  const [logo = ''] = /\/previews\/[\w-]+\.svg/.exec(dark) ?? []
  expect((await read(logo)).text).toContain('<svg')
  expect((await read('/previews/no-such-email.de.html')).status).toBe(403)
})

test('shows previews with the branding of the service', async () => {
  const service = createServer((request, response) => {
    const body = {
      product_name: 'Acme',
      logo: { url: 'http://127.0.0.1/logos/abc', width: 80, height: 20 },
      ...{
        accent_color: '#0f766e',
        background_color: null,
        support_url: null,
        privacy_url: null,
        terms_url: null,
        dark_logo: null,
        icon: null,
        corner_radius: 'medium',
        texts: [],
      },
    }
    response.end(request.url === '/api/2/branding' ? JSON.stringify(body) : '')
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  mail = await startMail({ port: await findFreePort(), serviceUrl })
  const html = await (await fetch(`${mail.url}/previews/password-reset.fr.html`)).text()
  expect(html).toContain(`<img src="${serviceUrl}/logos/abc" width="80" height="20" alt="Acme"`)
  expect(html).toContain('background:#0f766e')
  service.close()
})

test('releases the port on close without reporting an exit', async () => {
  const onExit = vi.fn()
  mail = await startMail({ port: await findFreePort(), onExit })
  await mail.close()
  await expect(fetch(mail.url)).rejects.toThrow()
  expect(onExit).not.toHaveBeenCalled()
})

test('rejects a port in use', async () => {
  const port = await findFreePort()
  mail = await startMail({ port })
  await expect(startMail({ port })).rejects.toThrow(/^The mail endpoint did not start\. .*EADDRINUSE/)
})
