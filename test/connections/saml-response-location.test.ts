import { expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { makeIdp } from '../support/idp.ts'
import { startMetadataServer } from '../support/metadata-server.ts'
import { addProvider, patchProvider, type TestProvider } from '../support/saml.ts'
import { plainMetadata } from '../support/saml-metadata.ts'
import { addSamlUser, readAnswer, sendLogoutRequest } from '../support/saml-sign-out.ts'
import { useService } from '../support/use-service.ts'

/* A provider may accept logout responses at another address than logout requests (SAML Metadata 2.2.2). */

const answers = 'https://idp.example.com/slo/answers'
const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const server = closeAfterTests(await startMetadataServer())

const refreshed = async (provider: TestProvider, responseLocation: string): Promise<void> => {
  const { entityId, sloUrl, signer } = provider.idp
  const location = responseLocation === '' ? sloUrl : `${sloUrl}" ResponseLocation="${responseLocation}`
  server.serve(plainMetadata({ entityId, sloUrl: location, certificates: [signer] }))
  const path = `/api/2/auth/saml/${provider.id}/refresh-idp-metadata`
  const answer = await service.client('POST', path, { bearer: provider.admin, body: { url: server.url } })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.slo_url).toBe(sloUrl)
}

const answerTo = async (provider: TestProvider) => {
  const { address, root } = readAnswer(
    provider,
    await sendLogoutRequest(service, provider, { nameId: 'unknown' }),
  )
  return { address, destination: root.attributes['Destination'] }
}

it('ResponseLocation receives logout responses, but not logout requests', async () => {
  const provider = await addProvider(service, await makeIdp())
  const { sloUrl } = provider.idp
  expect(await answerTo(provider)).toEqual({ address: sloUrl, destination: sloUrl })
  await refreshed(provider, answers)
  expect(await answerTo(provider)).toEqual({ address: answers, destination: answers })
  const { value } = await addSamlUser(service, provider, { nameId: 'somebody' })
  const start = await service.client('GET', `/api/2/auth/saml/${provider.id}/sls`, { bearer: value })
  const request = provider.idp.read(start.headers.get('location') ?? '', [provider.own.pem])
  expect([request.kind, request.address]).toEqual(['LogoutRequest', sloUrl])
  await patchProvider(service, provider, { name: 'Another name' })
  expect((await answerTo(provider)).address).toBe(answers)
  await refreshed(provider, '')
  expect((await answerTo(provider)).address).toBe(sloUrl)
})

it('ResponseLocation is removed together with the logout address it belongs to', async () => {
  const provider = await addProvider(service, await makeIdp())
  await refreshed(provider, answers)
  const next = 'https://idp.example.com/another'
  await patchProvider(service, provider, { slo_url: next })
  expect((await answerTo(provider)).address).toBe(next)
})
