import type { Answer } from './client.ts'
import { readHiddenFields } from './decisions.ts'
import { type KnownClient, postToken, proveClient, type TokenAnswer } from './oidc.ts'
import type { TestService } from './service.ts'

type Service = Pick<TestService, 'client' | 'url'>

export interface StartedDevice {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
}

const form = (fields: Readonly<Record<string, string>> | string) => ({
  raw: String(new URLSearchParams(fields)),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** Sends a form to the endpoint where devices get their codes. */
export const postDevice = (
  service: Service,
  fields: Readonly<Record<string, string>> | string,
): Promise<Answer> => service.client('POST', '/oauth2/device', form(fields))

export const startDevice = async (
  service: Service,
  party: KnownClient,
  fields: Readonly<Record<string, string>> = { scope: 'openid profile offline_access' },
): Promise<StartedDevice> => {
  const answer = await postDevice(service, { ...proveClient(party), ...fields })
  if (answer.status !== 200) throw new Error(`no codes: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Asks for the tokens of a device. */
export const pollDevice = (service: Service, party: KnownClient, device_code: string): Promise<TokenAnswer> =>
  postToken(service, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code,
    ...proveClient(party),
  })

/** Sends a form of the pages with the session cookie, as a browser does. */
export const sendDeviceForm = (
  service: Service,
  path: '/device' | '/device/answer',
  fields: Readonly<Record<string, string>> | string,
  { bearer, site = 'same-origin' }: { readonly bearer?: string; readonly site?: string } = {},
): Promise<Answer> => {
  const { raw, headers } = form(fields)
  return service.client('POST', path, {
    raw,
    headers: {
      ...headers,
      accept: 'text/html',
      'sec-fetch-site': site,
      ...(bearer !== undefined && { cookie: `latchkey=${bearer}` }),
    },
  })
}

/** The name of a page that never was. */
export const unknownPage = 'x'.repeat(43)

/** Opens the page that asks about a device, and presses a button on it. */
export const answerDevice = async (
  service: Service,
  user_code: string,
  answer: 'continue' | 'cancel',
  bearer?: string,
): Promise<Answer> => {
  const person = { ...(bearer && { bearer }) }
  const page = await sendDeviceForm(service, '/device', { user_code }, person)
  const { shown = unknownPage } = readHiddenFields(page)
  return sendDeviceForm(service, '/device/answer', { user_code, answer, shown }, person)
}

/** Gets the tokens of a device whose user approves it. */
export const getDeviceTokens = async (
  service: Service,
  party: KnownClient,
  bearer: string,
  fields?: Readonly<Record<string, string>>,
): Promise<Answer['body']> => {
  const { device_code, user_code } = await startDevice(service, party, fields)
  await answerDevice(service, user_code, 'continue', bearer)
  const answer = await pollDevice(service, party, device_code)
  if (answer.status !== 200) throw new Error(`no tokens: ${JSON.stringify(answer.body)}`)
  return answer.body
}
