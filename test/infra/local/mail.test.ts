import { afterEach, expect, test, vi } from 'vitest'
import { type Mail, startMail } from '../../../infra/local/mail.ts'
import { findFreePort } from '../../../infra/local/ports.ts'

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
