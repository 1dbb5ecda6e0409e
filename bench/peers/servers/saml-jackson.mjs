import { createServer } from 'node:http'
import { controllers } from '@boxyhq/saml-jackson'

/*
 * saml-jackson with its store in memory. `/bench/provider` adds an identity provider, `/authorize` starts a sign-in, and
 * `/acs` takes the response.
 */

const { PORT } = process.env
const url = `http://127.0.0.1:${PORT}`
const product = 'benchmark'
const { connectionAPIController, oauthController } = await controllers({
  externalUrl: url,
  samlPath: '/acs',
  samlAudience: url,
  db: { engine: 'mem' },
  noAnalytics: true,
  idpEnabled: false,
  clientSecretVerifier: 'benchmark',
})

const readText = async (req) => {
  let text = ''
  for await (const part of req) text += part
  return text
}

const addProvider = (metadata) =>
  connectionAPIController.createSAMLConnection({
    encodedRawMetadata: Buffer.from(metadata).toString('base64'),
    defaultRedirectUrl: `${url}/done`,
    redirectUrl: `["${url}/*"]`,
    tenant: product,
    product,
  })

const authorize = (clientId) =>
  oauthController.authorize({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: `${url}/done`,
    state: 'state',
    code_challenge: '',
    code_challenge_method: '',
  })

const routes = {
  '/bench/provider': async (req) => {
    const { clientID } = await addProvider(await readText(req))
    return { status: 200, body: clientID }
  },
  '/authorize': async (req) => {
    const { redirect_url: location } = await authorize(await readText(req))
    return { status: 302, headers: { location } }
  },
  '/acs': async (req) => {
    const form = Object.fromEntries(new URLSearchParams(await readText(req)))
    const { redirect_url: location, app_select_form: choice } = await oauthController.samlResponse(form)
    return choice || !location || location.includes('error=')
      ? { status: 400, body: String(location) }
      : { status: 302, headers: { location } }
  },
}

const server = createServer(async (req, res) => {
  try {
    const { status, headers = {}, body = '' } = await routes[req.url](req)
    res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
  } catch (error) {
    res.writeHead(500).end(String(error))
  }
})
// It ends with the benchmark, even if that is killed.
process.once('disconnect', () => process.exit())
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
