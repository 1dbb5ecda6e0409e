import { inflateRawSync } from 'node:zlib'
import { makeIdp, type TestIdp } from '../../../test/support/idp.ts'
import { startNodeServer } from '../../load/child-server.ts'
import { createOnce, formRequest, type PlannedRequest } from '../../load/plan.ts'
import type { Target } from '../../load/scenarios.ts'

const buildMetadata = ({ entityId, ssoUrl, signer }: TestIdp): string => `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#">
<X509Data><X509Certificate>${signer.base64}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/>
</IDPSSODescriptor></EntityDescriptor>`

const post = (url: string, body: string): Promise<Response> =>
  fetch(url, { method: 'POST', body, redirect: 'manual' })

/** Creates the scenario of a running saml-jackson, with a provider of its own. */
const createJobs = async (url: string, idp: TestIdp): Promise<Target['jobs']> => {
  const added = await post(`${url}/bench/provider`, buildMetadata(idp))
  const clientId = await added.text()
  if (!added.ok) throw new Error(`saml-jackson took no provider: ${clientId}`)

  const createRequest = async (): Promise<PlannedRequest> => {
    const started = await post(`${url}/authorize`, clientId)
    const { searchParams } = new URL(started.headers.get('location') ?? (await started.text()))
    const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    const [, requestId = ''] = /\sID="([^"]+)"/.exec(xml) ?? []
    const relayState = searchParams.get('RelayState') ?? ''
    const { form } = await idp.answer(
      { requestId, acsUrl: `${url}/acs`, audience: url, relayState },
      { attributes: { id: 'ada', email: 'ada@example.com' } },
    )
    return formRequest('/acs', { ...form })
  }
  return {
    saml: {
      url,
      expectedStatus: 302,
      plan: async (count) => ({ kind: 'once', requests: await createOnce(count, createRequest) }),
    },
  }
}

/** saml-jackson: one process, its store in memory. */
export const startJackson = async (): Promise<Target> => {
  const child = await startNodeServer('bench/peers/servers/saml-jackson.mjs', () => ({}))
  return {
    name: 'saml-jackson',
    roots: [child.pid],
    jobs: await createJobs(child.url, await makeIdp()),
    close: child.close,
  }
}
