import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestCertificate } from '../support/certificates.ts'
import { waitFor } from '../support/wait-for.ts'

export interface SimpleSamlPhpOptions {
  readonly port: number
  /** The address that browsers know. The test sends its requests to the port instead. */
  readonly publicUrl: string
  readonly signer: TestCertificate
  /** The email addresses of people by their names. The password of each is the name. */
  readonly people: ReadonlyMap<string, string>
}

/** The identity provider of SimpleSAMLphp, behind the built-in web server of PHP. */
export interface SimpleSamlPhp {
  readonly metadata: () => Promise<string>
  /** Trusts a service. */
  readonly trust: (service: { readonly entityId: string; readonly acsUrl: string }) => void
  /** Signs a person in with the forms of its pages. Returns what its last page posts to the service. */
  readonly signIn: (
    location: string,
    name: string,
  ) => Promise<{ readonly acsUrl: string; readonly form: Readonly<Record<string, string>> }>
  readonly close: () => Promise<void>
}

const entityId = 'https://simplesamlphp.example.com/metadata'

const toPhp = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(toPhp).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `[${Object.entries(value)
      .map(([name, one]) => `${toPhp(name)} => ${toPhp(one)}`)
      .join(', ')}]`
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : String(value)
}

export const startSimpleSamlPhp = async ({
  port,
  publicUrl,
  signer,
  people,
}: SimpleSamlPhpOptions): Promise<SimpleSamlPhp> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-simplesamlphp-'))
  const write = (name: string, variable: string, value: object) =>
    writeFileSync(join(folder, name), `<?php\n$${variable} = ${toPhp(value)};\n`)
  for (const name of ['cert', 'metadata', 'sessions', 'log', 'data', 'temp']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'cert/idp.key'), signer.keyPem)
  writeFileSync(join(folder, 'cert/idp.pem'), signer.pem)
  write('config.php', 'config', {
    baseurlpath: `${publicUrl}/simplesaml/`,
    ...{ certdir: `${folder}/cert/`, loggingdir: `${folder}/log/`, datadir: `${folder}/data/` },
    ...{ tempdir: `${folder}/temp`, metadatadir: `${folder}/metadata/` },
    secretsalt: 'the salt of the test',
    'auth.adminpassword': 'not used here',
    'logging.handler': 'errorlog',
    'enable.saml20-idp': true,
    'module.enable': { exampleauth: true },
    'store.type': 'phpsession',
    'session.phpsession.savepath': `${folder}/sessions`,
    'session.cookie.secure': true,
    'language.default': 'en',
    'metadata.sources': [{ type: 'flatfile' }],
  })
  write('authsources.php', 'config', {
    people: Object.assign(
      { 0: 'exampleauth:UserPass' },
      Object.fromEntries(
        [...people].map(([name, email]) => [`${name}:${name}`, { uid: [name], mail: [email] }]),
      ),
    ),
  })
  write('metadata/saml20-idp-hosted.php', 'metadata', {
    [entityId]: {
      ...{ host: '__DEFAULT__', privatekey: 'idp.key', certificate: 'idp.pem', auth: 'people' },
      NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      'simplesaml.nameidattribute': 'uid',
      'signature.algorithm': 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    },
  })
  write('metadata/saml20-sp-remote.php', 'metadata', {})
  const child = spawn('/usr/bin/php', ['-S', `127.0.0.1:${port}`, '-t', '/usr/share/simplesamlphp/www'], {
    env: { PATH: '/usr/bin:/bin', SIMPLESAMLPHP_CONFIG_DIR: folder },
    stdio: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const toLocal = (address: string): string =>
    address.replace(`${publicUrl}/simplesaml`, `http://127.0.0.1:${port}`)
  const jarOf = () => {
    const jar = new Map<string, string>()
    const send = async (address: string, body?: URLSearchParams): Promise<Response> => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(toLocal(address), {
        redirect: 'manual',
        headers: { cookie },
        ...(body ? { method: 'POST', body } : {}),
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        jar.set(name, value)
      }
      const next = response.headers.get('location')
      return next === null ? response : send(next)
    }
    return send
  }
  const metadata = async () => (await fetch(`http://127.0.0.1:${port}/saml2/idp/metadata.php`)).text()
  await waitFor(async () => {
    if (!(await metadata()).includes('EntityDescriptor')) throw new Error(output)
  })
  return {
    metadata,
    trust: ({ entityId: service, acsUrl }) =>
      write('metadata/saml20-sp-remote.php', 'metadata', {
        [service]: {
          AssertionConsumerService: acsUrl,
          NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
          'simplesaml.nameidattribute': 'uid',
        },
      }),
    signIn: async (location, name) => {
      const send = jarOf()
      const page = await (await send(location)).text()
      const state = readInput(page, 'AuthState')
      const last = await send(
        `${publicUrl}/simplesaml/module.php/core/loginuserpass.php`,
        new URLSearchParams({ AuthState: state, username: name, password: name }),
      )
      const html = await last.text()
      const [, acsUrl = ''] = /<form[^>]* action="([^"]+)"/.exec(html) ?? []
      if (!html.includes('SAMLResponse')) throw new Error(`no answer: ${output}\n${html}`)
      return {
        acsUrl: decode(acsUrl),
        form: { SAMLResponse: readInput(html, 'SAMLResponse'), RelayState: readInput(html, 'RelayState') },
      }
    },
    close: async () => {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      await closed
      rmSync(folder, { recursive: true })
    },
  }
}

const readInput = (html: string, name: string): string => {
  const [, value = ''] = new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(html) ?? []
  return decode(value)
}

const decode = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#039;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
