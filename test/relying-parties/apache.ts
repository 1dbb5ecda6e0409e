import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sectionOf } from '../docs/markdown.ts'

/** A web server whose pages `mod_auth_openidc` protects. */
export interface Apache {
  readonly url: string
  /** The log of errors so far. */
  readonly log: () => string
  readonly close: () => Promise<void>
}

export interface ApacheOptions {
  readonly port: number
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The addresses that a client for this server is registered with. */
export const apacheAddresses = (port: number) => {
  const url = `http://localhost:${port}`
  const redirectUri = `${url}/protected/callback`
  return {
    url,
    redirectUri,
    backchannelLogoutUri: `${redirectUri}?logout=backchannel`,
    signedOutUrl: `${url}/signed-out.html`,
  }
}

const modules = '/usr/lib/apache2/modules'
const loadedModules = [
  'mpm_event',
  'authn_core',
  'authz_core',
  'authz_user',
  'dir',
  'include',
  'mime',
  'auth_openidc',
]

/** The protected page shows what applications behind the server get. */
const protectedPage = `<!doctype html><title>Protected</title>
<pre id="user"><!--#echo var="REMOTE_USER" --></pre>
<pre id="sub"><!--#echo var="OIDC_CLAIM_sub" --></pre>
<pre id="email"><!--#echo var="OIDC_CLAIM_email" --></pre>
<pre id="issuer"><!--#echo var="OIDC_CLAIM_iss" --></pre>
`

/** Starts Apache on a port of this machine, in a folder of its own. */
export const startApache = async (options: ApacheOptions): Promise<Apache> => {
  // Not the temporary folder of the test run, which only its own user may enter.
  const folder = mkdtempSync('/tmp/latchkey-apache-')
  const pages = join(folder, 'pages')
  mkdirSync(join(pages, 'protected'), { recursive: true })
  writeFileSync(join(pages, 'protected/index.html'), protectedPage)
  writeFileSync(join(pages, 'signed-out.html'), '<!doctype html><title>Signed out</title>')
  // The server runs as a user without privileges if the tests run as root.
  for (const path of [folder, pages, join(pages, 'protected')]) chmodSync(path, 0o777)
  writeFileSync(join(folder, 'apache.conf'), buildConfiguration(folder, options))
  const child = spawn('/usr/sbin/apache2', ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'], {
    stdio: 'pipe',
    // The settings of the page read these, and the passphrase that it asks for.
    env: {
      ...process.env,
      ISSUER: options.issuer,
      CLIENT_ID: options.clientId,
      CLIENT_SECRET: options.clientSecret,
      PASSPHRASE: randomBytes(32).toString('hex'),
    },
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const { url } = apacheAddresses(options.port)
  const log = () => output + readFileSync(join(folder, 'error.log'), 'utf8')
  await waitUntilReady(child, `${url}/signed-out.html`, () => output)
  return {
    url,
    log,
    close: async () => {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      await closed
      rmSync(folder, { recursive: true })
    },
  }
}

/** The settings that the documentation shows. */
const documentedSettings = (): string => {
  const { blocks } = sectionOf('docs/libraries.md', 'mod_auth_openidc')
  const block = blocks.find(({ language }) => language === 'apache')
  if (!block) throw new Error('docs/libraries.md has no settings for Apache.')
  return block.text
}

/** The server and its pages. All about the sign-in is from the documentation. */
const buildConfiguration = (folder: string, { port }: ApacheOptions): string => `
${loadedModules.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/error.log
LogLevel warn
User www-data
Group www-data
Listen 127.0.0.1:${port}
ServerName localhost:${port}
StartServers 1
DocumentRoot ${folder}/pages
DirectoryIndex index.html
TypesConfig /etc/mime.types

<Directory ${folder}/pages/protected>
  Options +Includes
  SetOutputFilter INCLUDES
</Directory>

${documentedSettings().replaceAll('8080', String(port))}
`

const waitUntilReady = async (child: ChildProcess, url: string, readOutput: () => string): Promise<void> => {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Apache did not start: ${readOutput()}`)
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    if (response) throw new Error(`Apache answers with status ${response.status}.`)
    await sleep(50)
  }
}
